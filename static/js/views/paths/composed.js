// Composition as a matrix of an earlier head by a later head. Pure.

import { inputs } from "../../asking/requests.js";
import { headIn } from "./words.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../types.d.ts").SiteComposition} SiteComposition */
/** @typedef {{site: string, head: number}} Head */
/** @typedef {{earlier: Head, later: Head, value: number, strength: number}} Cell `strength`: from 0 to 1, for its colour */

const MOST = 40; // later heads that are all shown; of a larger model only those of the selected layer

/** @param {Readonly<State>} state @param {import("../../types.d.ts").Model} model */
export function compositionRequest(state, model) {
  if (state.view !== "paths" || model.state !== "ready" || model.lacks) return null;
  const analyse = { composition: true, weight_composition: true };
  return { ...inputs(state, model), select: { layers: [] }, predict: null, analyse };
}

/**
 * The cells of the matrix, and its sides.
 * @param {Readonly<State>} state
 * @returns null until there is an answer
 */
export function composedIn(state) {
  const { composition, shown, composed, measured, layer } = state;
  const trace = composition?.answer?.trace;
  const texts = trace?.composition;
  const weights = trace?.weight_composition;
  if (!texts || !weights) return null;
  const text = texts[Math.min(shown, texts.length - 1)];
  const byWeights = measured === "weights";
  const all = byWeights ? weights.pairs : text.pairs;
  const n = [...laterOf(all)].reduce((sum, [, heads]) => sum + heads, 0);
  const pairs = n <= MOST ? all : all.filter(({ later }) => later.endsWith(`.${layer}`));
  const baseline = byWeights ? weights.baseline : 0;
  const cells = pairs.flatMap((pair) =>
    (pair[composed] ?? []).flatMap((row, earlier) =>
      row.map((value, later) => ({
        ...{ earlier: { site: pair.earlier, head: earlier } },
        ...{ later: { site: pair.later, head: later }, value, strength: value - baseline },
      })),
    ),
  );
  const largest = Math.max(1e-9, ...cells.map(({ strength }) => Math.abs(strength)));
  return {
    byWeights,
    baseline,
    cells: cells.map((cell) => ({
      ...cell,
      strength: byWeights ? Math.max(0, cell.strength) / largest : cell.strength / largest,
    })),
    rows: sideOf(cells.map(({ earlier }) => earlier)),
    columns: sideOf(cells.map(({ later }) => later)),
    liftOf: (/** @type {Head} */ { site, head }) =>
      text.wholes.find((whole) => whole.site === site && whole.head === head)?.lift ?? 0,
  };
}

/** The number of heads of each later site. @param {SiteComposition[]} pairs */
const laterOf = (pairs) => new Map(pairs.map(({ later, q }) => [later, q[0]?.length ?? 0]));

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
