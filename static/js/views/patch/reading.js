// What the patch bench found, as the view draws it. Pure.

import { modelIn, queryAxis, readsInPlace, traceIn } from "../../state/choice.js";
import { label, shorten } from "../../words/format.js";

/** @import { PatchedCell, Patching, State, Token } from "../../types.d.ts" */
/** @import { At } from "../../dom/grid.js" */

/** The two sides of the map: what runs gave, and what a gradient said. */
export const SIDES = /** @type {const} */ (["restored", "estimate"]);
/** @typedef {typeof SIDES[number]} Side */

/**
 * A column of the map: an aligned token, or the heads of that number.
 * @typedef {object} Column
 * @property {string} name
 * @property {string} clean the token of the clean sentence; "" for a head
 * @property {number | null} position of the token in the text; null for a head
 * @property {(number | null)[]} ids of the clean token and of the token
 * @property {boolean} differs whether the sentences differ here
 * @property {boolean} read whether the answer is read here
 */

/**
 * Rows with the same columns: all of a model with one stack, or those of the encoder or the decoder.
 * @typedef {object} Group
 * @property {import("../../types.d.ts").Kind} kind of its first row
 * @property {number} from the number of its first row, among those of all groups
 * @property {Patching["layers"]} layers
 * @property {Column[]} columns
 */

/**
 * @typedef {object} Bench
 * @property {Patching} found
 * @property {Group[]} groups
 * @property {Column[]} pairs the aligned tokens of the sentences, whatever the columns are
 * @property {number} reach the largest share that was measured, at least 1: the end of the colours
 * @property {string} token
 * @property {string | null} against
 * @property {string} read the token that the answer is read at
 * @property {boolean} fills whether the model fills in tokens
 */

const MAX_TOKEN = 16; // characters of a token

/** @param {{text: string}} token */
const named = (token) => shorten(label(token), MAX_TOKEN);

/**
 * The answer of the shown text: first with the patches whose estimates are largest, then with all of them run.
 * @param {Readonly<State>} state
 * @returns {Bench | null} null until it is there
 */
export function benchIn(state) {
  const { patch, patched } = state;
  const trace = traceIn(patched?.status === "ready" ? patched : patch, state);
  const found = trace?.patching?.[0];
  if (!trace || !found) return null;
  const [row, target] = [trace.tokens[found.text], trace.target_tokens?.[found.text]];
  const pairs = found.pairs.map(([from, to]) =>
    column(row[to], found.clean_tokens[from], to, !target && to === found.position),
  );
  const read = target ?? row;
  const ofTarget = (found.target_pairs ?? []).map(([, to]) =>
    column(read[to], read[to], to, to === found.position),
  );
  /** @param {Patching["layers"]} layers */
  const columnsOf = (layers) => {
    if (found.by === "head") return headsOf(layers);
    return queryAxis(layers[0].kind) === "tokens" ? pairs : ofTarget;
  };
  const measured = found.layers.flatMap(({ cells }) => cells.map(({ restored }) => restored ?? 0));
  return {
    found,
    pairs,
    groups: split(found.layers).map((group) => ({ ...group, columns: columnsOf(group.layers) })),
    reach: measured.reduce((most, share) => Math.max(most, Math.abs(share)), 1),
    token: named(found.token),
    read: named(read[found.position]),
    against: found.against && named(found.against),
    fills: readsInPlace(modelIn(state)),
  };
}

/** @param {Token} own @param {{id: number, text: string}} clean @param {number} position @param {boolean} read */
const column = (own, clean, position, read) => ({
  name: named(own),
  clean: named(clean),
  position,
  ids: [clean.id, own.id],
  differs: own.id !== clean.id,
  read,
});

/** @param {Patching["layers"]} layers */
function headsOf(layers) {
  const most = Math.max(...layers.map(({ cells }) => cells.length));
  return Array.from({ length: most }, (_, head) => ({
    name: String(head),
    clean: "",
    position: null,
    ids: [null, null],
    differs: false,
    read: false,
  }));
}

/** The rows over the text, and those over the target. @param {Patching["layers"]} layers */
function split(layers) {
  /** @type {Pick<Group, "kind" | "from" | "layers">[]} */
  const groups = [];
  layers.forEach((layer, from) => {
    const last = groups.at(-1);
    if (last && queryAxis(last.kind) === queryAxis(layer.kind)) last.layers.push(layer);
    else groups.push({ kind: layer.kind, from, layers: [layer] });
  });
  return groups;
}

/** The group of a row. @param {Pick<Bench, "groups">} bench @param {number} row @returns {Group} */
export const groupAt = ({ groups }, row) => groups.findLast(({ from }) => from <= row) ?? groups[0];

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

/** How many patches were run; null: all of them. @param {Bench} bench */
export function ranIn({ found }) {
  const cells = found.layers.flatMap((layer) => layer.cells);
  const ran = cells.filter(({ metric }) => metric !== null).length;
  return ran < cells.length ? ran : null;
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
export function interventionAt(bench, [row, column], { clean, texts }) {
  const { found } = bench;
  const { position } = groupAt(bench, row).columns[column];
  const { kind, layer } = found.layers[row];
  return {
    kind: "patch",
    at: found.at,
    layer,
    ...(found.by === "head" ? { head: column } : {}),
    ...(kind === "self" ? {} : { site: kind }),
    ...(texts.length > 1 ? { text: found.text } : {}),
    ...(position === null ? {} : { positions: [position] }),
    source: clean,
  };
}
