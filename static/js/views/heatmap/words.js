// What the heatmap says, as whole sentences.

import { isOfHead } from "../../state/matrices.js";
import { headName } from "../../words/heads.js";
import { bold, parts } from "../../words/parts.js";

/** @import { Part } from "../../words/parts.js" */

export const ROLE = "heatmap";

/** The label of the picture for a screen reader. @param {{rows: number, cols: number}} size */
export const label = ({ rows, cols }) =>
  `${rows} queries down, ${cols} keys along the top. Arrow keys walk the cells, Enter reads a row, Escape leaves the cell.`;

export const MINIMAP = "The visible part; drag it to move";
export const NOT_DRAWN = "The head could not be drawn:";

/** In the caption of a saved picture. @param {import("../../draw/viewport.js").Part} part */
export const shownPart = ([q0, q1, k0, k1]) =>
  `Shown: queries ${q0} to ${q1 - 1}, keys ${k0} to ${k1 - 1}.`;

/** The title of a saved picture of an analysis. @param {string} matrix */
export const allLayers = (matrix) => `Attention ${matrix} · all layers`;

/**
 * @param {Pick<import("../../types.d.ts").State, "matrix">} state
 * @param {import("./picture.js").Detail} detail
 */
export const titleOf = ({ matrix }, { site, head }) =>
  isOfHead(matrix) ? headName(site, head) : allLayers(matrix);

/** @param {{unit: string, value: string}} number @returns {Part[]} */
export const valueInWords = ({ unit, value }) => parts`${unit} ${bold(value)}`;

/** @param {string} reason @returns {Part[]} */
export const blockedInWords = (reason) => parts`blocked by ${bold(reason)}`;

/** Weight that leaked into a cell which a mask blocks. @param {{unit: string, value: string, reason: string}} cell @returns {Part[]} */
export const leakedInWords = ({ unit, value, reason }) =>
  parts`${unit} ${bold(value)}, although blocked by ${reason}`;

/** Until the numbers of a long text have arrived. @type {Part[]} */
export const WAITING = ["…"];

/** Of a text with more tokens than the picture has pixels. */
export const POOLED = "A pixel shows the strongest of its cells; zoom in to see each.";
