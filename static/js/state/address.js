// The table of everything that a reader can choose (address/rows.js), asked: which of its keys, what differs, and the choice in a state. Pure.

import FACTS from "../facts/addresses.json" with { type: "json" };
import { among } from "./address/readings.js";
import { ROWS } from "./address/rows.js";
import { same } from "./store.js";

/** @import { Choice } from "../types.d.ts" */
/** @import { Follows, Part } from "./address/row.js" */

/** The keys whose changes the address follows in this way. @param {Follows} follows */
export const keysThatFollow = (follows) =>
  ROWS.filter((row) => row.follows === follows).map(({ key }) => key);

/** The keys of some parts. @param {...Part} parts */
export const keysOf = (...parts) =>
  ROWS.filter(({ part }) => part !== undefined && parts.includes(part)).map(({ key }) => key);

export const CHOICE_KEYS = ROWS.map(({ key }) => key);

/**
 * The rows of the keys that differ.
 * @param {Choice} before
 * @param {Choice} after
 */
export const changedRows = (before, after) =>
  ROWS.filter(({ key }) => before[key] !== after[key] && !same(before[key], after[key]));

const [ENGINES] = FACTS.flatMap((row) => (row.key === "engine" ? [row.one_of] : []));

/** What an address says about what computes; a page that has nothing else to choose reads only this. @param {string} search */
export const engineIn = (search) => among(ENGINES, new URLSearchParams(search).get("engine"));

/** The choice within a state. @param {Choice} state @returns {Choice} */
export const choiceOf = (state) =>
  /** @type {any} */ (Object.fromEntries(CHOICE_KEYS.map((key) => [key, state[key]])));
