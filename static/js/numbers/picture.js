// The reader's picture on the text that is shown: its cells there, the shapes to start from, and how well each head matches it. Pure.

import { MAX_PICTURE } from "../state/painted/picture.js";
import { tells } from "../state/quiz.js";
import { detailOf } from "./detail.js";

/** @import { HeadMatch, State } from "../types.d.ts" */
/** @import { Place } from "../state/painted/picture.js" */
/** A head with its share, in the form that the ranking takes. @typedef {{site: string, layer: number, head: number, scores: {picture: import("../types.d.ts").Score}}} Matched */

/** Which text is shown. @param {Pick<State, "shown">} state @param {import("../types.d.ts").TraceJson} trace */
export const textIn = ({ shown }, { tokens }) => Math.min(shown, tokens.length - 1);

/**
 * The cells of the picture that the shown text has: a picture keeps its positions when the text changes.
 * @param {Readonly<Pick<State, "picture" | "grid" | "shown">>} state
 * @returns {Place[]}
 */
export function cellsHere({ picture, grid, shown }) {
  const site = grid?.trace.sites[0];
  if (!grid || !site) return [];
  const { trace } = grid;
  const [rows, cols] = [site.query_tokens, site.key_tokens].map(
    (axis) => (trace[axis] ?? trace.tokens)[textIn({ shown }, trace)].length,
  );
  return picture.filter(([query, key]) => query < rows && key < cols);
}

/** What was found for the picture; null until it has arrived, and in a quiz. @param {Readonly<State>} state @returns {HeadMatch[] | null} */
export function matchesIn(state) {
  const { match, grid } = state;
  if (!tells(state) || cellsHere(state).length === 0) return null;
  const sites = new Set(grid?.trace.sites.map(({ name }) => name));
  const found = match?.answer?.trace.match?.filter(({ site }) => sites.has(site)) ?? [];
  return found.length > 0 ? found : null;
}

/** The heads on the page with their shares. @param {Readonly<State>} state @returns {Matched[] | null} */
export const matched = (state) =>
  matchesIn(state)?.map(({ site, layer, head, share, over, reason }) => ({
    site,
    layer,
    head,
    scores: { picture: { value: share, over, reason } },
  })) ?? null;

/** @typedef {NonNullable<import("./detail.js").Detail>} Detail */
/** The shapes that a picture can start from. @type {Record<"previous" | "first" | "itself" | "head", (detail: Detail) => Place[]>} */
export const SHAPES = {
  previous: ({ queries }) => real(queries).flatMap((i) => (i > 0 ? [[i, i - 1]] : [])),
  first({ queries, keys }) {
    const [first = 0] = real(keys);
    return real(queries).flatMap((i) => (i === first ? [] : [[i, first]]));
  },
  itself: ({ queries, keys }) => real(queries).flatMap((i) => (i < keys.length ? [[i, i]] : [])),
  head: ({ queries, pattern: { cols, data } }) =>
    real(queries).flatMap((i) => {
      const row = data.subarray(i * cols, (i + 1) * cols);
      const most = Math.max(...row);
      return most > 0 ? [[i, row.indexOf(most)]] : []; // a blocked row looks nowhere
    }),
};
/** @typedef {keyof typeof SHAPES} Shape */

/**
 * The cells of a shape in the text that is shown.
 * @param {Readonly<State>} state
 * @param {Shape} shape
 * @returns {Place[] | null} null if the text is too long for it
 */
export function shapeIn(state, shape) {
  const detail = detailOf(state);
  if (!detail || detail.pooled || detail.queries.length > MAX_PICTURE) return null;
  return SHAPES[shape](detail);
}

/** The positions of real tokens. @param {import("../types.d.ts").Token[]} tokens */
const real = (tokens) => [...tokens.keys()].filter((place) => !tokens[place].padding);
