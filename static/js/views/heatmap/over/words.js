// The value of a cell, as it stands beside the pointer.

import { bold, parts } from "../../../words/parts.js";

/** @import { Part } from "../../../words/parts.js" */

/** @param {{unit: string, value: string}} number @returns {Part[]} */
export const valueInWords = ({ unit, value }) => parts`${unit} ${bold(value)}`;

/** @param {string} reason @returns {Part[]} */
export const blockedInWords = (reason) => parts`blocked by ${bold(reason)}`;

/** Weight that leaked into a cell which a mask blocks. @param {{unit: string, value: string, reason: string}} cell @returns {Part[]} */
export const leakedInWords = ({ unit, value, reason }) =>
  parts`${unit} ${bold(value)}, although blocked by ${reason}`;

/** Until the numbers of a long text have arrived. @type {Part[]} */
export const WAITING = ["…"];
