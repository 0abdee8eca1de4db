// Composition: how much each later head reads what each earlier one wrote, from an answer of the API. Pure.

import { traceIn } from "../../state/choice.js";
import { headIn } from "./words.js";

/** @import { SiteComposition, State } from "../../types.d.ts" */
/** @typedef {"q" | "k" | "v"} Through what the later head makes of what it reads */
/** @typedef {{site: string, head: number}} Head */
/** @typedef {{earlier: Head, later: Head, value: number, strength: number}} Cell `strength`: from −1 to 1, the largest of all cells being 1 or −1 */

const NOTHING = 0.0005; // all numbers of a text below it are rounding: there is nothing to compose
const MAX_LATER = 40; // later heads that a matrix shows; of a larger model only those of the selected layer

/** The numbers that are measured as the reader chose. @param {Readonly<State>} state @returns null until there is an answer */
function measuredIn(state) {
  const { composition, shown, measured } = state;
  const trace = traceIn(composition, state);
  const texts = trace?.composition;
  const weights = trace?.weight_composition;
  if (!trace || !texts || !weights) return null;
  const text = texts[Math.min(shown, texts.length - 1)];
  const byWeights = measured === "weights";
  return {
    byWeights,
    model: trace.model,
    pairs: byWeights ? weights.pairs : text.pairs,
    baseline: byWeights ? weights.baseline : 0,
    liftOf: (/** @type {Head} */ { site, head }) =>
      text.wholes.find((whole) => whole.site === site && whole.head === head)?.lift ?? 0,
  };
}

/** @param {SiteComposition[]} pairs @param {Through} through @param {number} baseline @param {boolean} byWeights @returns {Cell[]} */
function cellsOf(pairs, through, baseline, byWeights) {
  const cells = pairs.flatMap((pair) =>
    (pair[through] ?? []).flatMap((row, earlier) =>
      row.map((value, later) => ({
        earlier: { site: pair.earlier, head: earlier },
        later: { site: pair.later, head: later },
        value,
        strength: value - baseline,
      })),
    ),
  );
  const largest = cells.reduce((most, { strength }) => Math.max(most, Math.abs(strength)), 1e-9);
  if (!byWeights && largest < NOTHING) return cells.map((cell) => ({ ...cell, strength: 0 }));
  return cells.map((cell) => ({
    ...cell,
    strength: byWeights ? Math.max(0, cell.strength) / largest : cell.strength / largest,
  }));
}

/**
 * The composition of all pairs of heads.
 * @param {Readonly<State>} state
 * @param {Through} through
 * @returns null until there is an answer
 */
export function linkedIn(state, through) {
  const found = measuredIn(state);
  if (!found) return null;
  const { pairs, baseline, byWeights } = found;
  return { ...found, cells: cellsOf(pairs, through, baseline, byWeights) };
}

/**
 * The cells of the matrix, and its sides.
 * @param {Readonly<State>} state
 * @returns null until there is an answer
 */
export function composedIn(state) {
  const found = measuredIn(state);
  if (!found) return null;
  const { pairs: all, baseline, byWeights } = found;
  const n = [...laterOf(all)].reduce((sum, [, heads]) => sum + heads, 0);
  const pairs = n <= MAX_LATER ? all : all.filter(({ later }) => layerOf(later) === state.layer);
  const cells = cellsOf(pairs, state.composed, baseline, byWeights);
  return {
    ...found,
    cells,
    rows: sideOf(cells.map(({ earlier }) => earlier)),
    columns: sideOf(cells.map(({ later }) => later)),
  };
}

/** The number of heads of each later site. @param {SiteComposition[]} pairs */
const laterOf = (pairs) => new Map(pairs.map(({ later, q }) => [later, q[0]?.length ?? 0]));

/** The layer in the name of a site. @param {string} site */
export const layerOf = (site) => Number(site.match(/\d+/)?.[0] ?? 0);

/** The heads along a side, in order, each once. @param {Head[]} heads */
function sideOf(heads) {
  const found = new Map(heads.map((head) => [keyOf(head), head]));
  return [...found.values()].map((head) => ({ ...head, label: headIn(head.site, head.head) }));
}

/** @param {Head} head */
export const keyOf = ({ site, head }) => `${site}:${head}`;

/** The strongest cells. @param {Cell[]} cells @param {number} n */
export const strongestOf = (cells, n) =>
  cells.toSorted((a, b) => Math.abs(b.strength) - Math.abs(a.strength)).slice(0, n);
