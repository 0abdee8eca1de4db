// What the patch bench found, as the view draws it. Pure.

import { modelIn, traceIn } from "../../state/choice.js";
import { label, shorten } from "../../words/format.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../types.d.ts").Patching} Patching */
/** @typedef {import("../../types.d.ts").PatchedCell} PatchedCell */
/** @typedef {import("../../dom/grid.js").At} At */

/** The two sides of the map: what runs gave, and what a gradient said. */
export const SIDES = /** @type {const} */ (["restored", "estimate"]);
/** @typedef {typeof SIDES[number]} Side */

/**
 * A column of the map: an aligned token, or the heads of that number.
 * @typedef {object} Column
 * @property {string} name
 * @property {string} clean the token of the clean sentence; "" for a head
 * @property {number | null} position of the token in the text; null for a head
 * @property {boolean} differs whether the sentences differ here
 * @property {boolean} read whether the answer is read here
 */

/**
 * @typedef {object} Bench
 * @property {Patching} found
 * @property {Column[]} columns
 * @property {Column[]} pairs the aligned tokens, whatever the columns are
 * @property {number} reach the largest share that was measured, at least 1: the end of the colours
 * @property {string} token
 * @property {string | null} against
 * @property {string} read the token that the answer is read at
 * @property {boolean} fills whether the model fills in tokens
 */

const MOST = 16; // characters of a token

/** @param {{text: string}} token */
const named = (token) => shorten(label(token), MOST);

/**
 * The answer of the shown text.
 * @param {Readonly<State>} state
 * @returns {Bench | null} null until it is there
 */
export function benchIn(state) {
  const trace = traceIn(state.patch, state);
  const found = trace?.patching?.[0];
  if (!trace || !found) return null;
  const row = trace.tokens[found.text];
  const pairs = found.pairs.map(([from, to]) => ({
    name: named(row[to]),
    clean: named(found.clean_tokens[from]),
    position: to,
    differs: row[to].id !== found.clean_tokens[from].id,
    read: to === found.position,
  }));
  const most = Math.max(...found.layers.map(({ cells }) => cells.length));
  const heads = Array.from({ length: most }, (_, head) => ({
    ...{ name: String(head), clean: "", position: null, differs: false, read: false },
  }));
  const measured = found.layers.flatMap(({ cells }) => cells.map(({ restored }) => restored ?? 0));
  return {
    ...{ found, pairs, columns: found.by === "head" ? heads : pairs },
    reach: measured.reduce((most, share) => Math.max(most, Math.abs(share)), 1),
    token: named(found.token),
    read: named(row[found.position]),
    against: found.against && named(found.against),
    fills: modelIn(state).predicts === "fill",
  };
}

/** @param {Bench} bench @param {At} at @returns {PatchedCell | undefined} */
export const cellAt = ({ found }, [row, column]) => found.layers[row]?.cells[column];

/** The place of the patch that brings back most; null: none does. @param {Bench} bench @returns {At | null} */
export function bestOf({ found }) {
  /** @type {At | null} */
  let best = null;
  let most = 0;
  found.layers.forEach(({ cells }, row) => {
    cells.forEach(({ restored }, column) => {
      if (restored !== null && restored > most) [best, most] = [[row, column], restored];
    });
  });
  return best;
}

/** How many places measurement and estimate disagree at. @param {Bench} bench */
export const disputed = ({ found }) =>
  found.layers.reduce((n, { cells }) => n + cells.filter(({ disagrees }) => disagrees).length, 0);

/**
 * A cell as an intervention on the run.
 * @param {Bench} bench
 * @param {At} at
 * @param {{clean: string, texts: string[]}} choice
 * @returns {import("../../types.d.ts").Intervention}
 */
export function interventionAt({ found, columns }, [row, column], { clean, texts }) {
  const { position } = columns[column];
  return {
    ...{ kind: "patch", at: found.at, layer: found.layers[row].layer },
    ...(found.by === "head" ? { head: column } : {}),
    ...(texts.length > 1 ? { text: found.text } : {}),
    ...(position === null ? {} : { positions: [position] }),
    source: clean,
  };
}
