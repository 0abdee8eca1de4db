// The selected head from word to word, or without its special tokens. Everything that the page keeps counts tokens; a view that draws words, or fewer
// tokens, turns places of tokens into places of what it draws, and back where a reader points. Pure.

import { merged } from "../engine/trace/site.js";
import { wordsOfRow } from "../engine/trace/words.js";
import { isOfHead, MATRICES } from "../state/matrices.js";
import { label } from "../words/format.js";
import { detailOf } from "./detail.js";

/** @import { State, Token } from "../types.d.ts" */
/** @import { Word } from "../engine/trace/words.js" */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */
/** @typedef {{queries: Word[], keys: Word[]}} Words along both axes; a token that is shown by itself is one, too */
/**
 * What is drawn; with `words`, its queries and keys are these. `merges`: some of them have several tokens; `hides`: how many keys are hidden.
 * @typedef {Detail & {words?: Words, merges?: boolean, hides?: number}} Seen
 */
/** @typedef {[query: number, key: number]} Cell */

/** The tensors that can be merged: shares, which are added up. @param {State["matrix"]} matrix */
const areShares = (matrix) => isOfHead(matrix) && MATRICES[matrix].scale === "share";

/** Whether the numbers can be from word to word: of a long text the page has only a picture. @param {Readonly<State>} state @param {Detail} detail */
const canMerge = ({ matrix, depth }, { exact, pooled }) =>
  areShares(matrix) && exact === "all" && pooled === null && depth !== "start"; // which has no switch

/** Whether any word of the text has several tokens. @param {readonly Token[]} tokens */
export const hasPieces = (tokens) => wordsOfRow(tokens).length < tokens.length;

/** @type {State["specials"][]} */
const HIDDEN = ["hidden", "renormalised"];

/**
 * What a view of one head draws: its numbers, and the state with places in the same units.
 * @param {Readonly<State>} state
 * @param {{whole?: boolean}} [how] `whole`: special tokens stay
 * @returns {{state: Readonly<State>, detail: Seen | null}}
 */
export function seenOf(state, { whole = false } = {}) {
  const detail = detailOf(state);
  const hides = !whole && HIDDEN.includes(state.specials);
  if (!detail || (state.units !== "words" && !hides) || !canMerge(state, detail))
    return { state, detail };
  const { queries, keys, row } = detail;
  const along = (/** @type {Token[]} */ tokens, /** @type {number} */ kept) => {
    const words = state.units === "words" ? wordsOfRow(tokens) : tokens.map(alone);
    return hides ? words.filter(({ start }) => !tokens[start].special || start === kept) : words;
  };
  const words = { queries: along(queries, row), keys: along(keys, -1) }; // the row that is read stays
  if (words.keys.length === 0) return { state, detail };
  return { state: inWords(state, detail, words), detail: mergedDetail(state, detail, words) };
}

/** @param {Token} token @param {number} place @returns {Word} */
const alone = ({ text }, place) => ({ text, start: place, stop: place + 1 });

/** Which word a token is in; of a hidden one, the nearest after it. @param {Word[]} words @param {number} token */
function wordAt(words, token) {
  const found = words.findIndex(({ stop }) => token < stop);
  return found < 0 ? words.length - 1 : found;
}

/** Whether a token is in one of the words. @param {Word[]} words @param {number} token */
const has = (words, token) => words.some(({ start, stop }) => start <= token && token < stop);

/** @param {Readonly<State>} state @param {Detail} detail @param {Words} words @returns {Readonly<State>} */
function inWords(state, { site }, { queries, keys }) {
  const { key, cell, pinned, hover } = state;
  const along = (/** @type {string} */ axis) => (axis === site.query_tokens ? queries : keys);
  const isSeen = cell && has(queries, cell[0]) && has(keys, cell[1]);
  const there = pinned.filter((token) => has(queries, token));
  return {
    ...state,
    key: key === null || !has(keys, key) ? null : wordAt(keys, key),
    cell: isSeen ? [wordAt(queries, cell[0]), wordAt(keys, cell[1])] : null,
    pinned: [...new Set(there.map((token) => wordAt(queries, token)))],
    hover:
      hover && has(along(hover.axis), hover.place)
        ? { ...hover, place: wordAt(along(hover.axis), hover.place) }
        : null,
  };
}

/** @param {Readonly<State>} state @param {Detail} detail @param {Words} words @returns {Seen} */
function mergedDetail({ matrix, units, specials }, detail, words) {
  const { site, text, block } = detail;
  const shown = words.queries.map(({ start }) => start);
  const isScaled = specials === "renormalised" && MATRICES[matrix].sums;
  /** @param {"pattern" | "blocked" | "value_weighted"} name */
  const of = (name) =>
    once(site, `${text} ${name} ${units} ${isScaled} ${shown} ${words.keys.length}`, () => {
      const found = merge(detail[name], words, name === "blocked");
      return isScaled && name === matrix ? toOne(found) : found;
    });
  const range = (/** @type {Word[]} */ row, /** @type {[number, number]} */ [start, stop]) =>
    /** @type {[number, number]} */ ([wordAt(row, start), wordAt(row, stop - 1) + 1]);
  const pattern = of("pattern");
  return {
    ...detail,
    words,
    merges: [...words.queries, ...words.keys].some(({ start, stop }) => stop - start > 1),
    hides: detail.keys.length - words.keys.reduce((n, { start, stop }) => n + stop - start, 0),
    queries: words.queries.map((word) => tokenOf(word, detail.queries)),
    keys: words.keys.map((word) => tokenOf(word, detail.keys)),
    queryLabels: words.queries.map(label),
    keyLabels: words.keys.map(label),
    pattern,
    picture: pattern,
    blocked: of("blocked"),
    blockedWhole: null,
    scores: null,
    vectors: null,
    [matrix]: of(/** @type {"pattern"} */ (matrix)),
    row: wordAt(words.queries, detail.row),
    block: block && {
      ...block,
      queries: range(words.queries, block.queries),
      keys: range(words.keys, block.keys),
    },
  };
}

/** A word as the token that it would be. @param {Word} word @param {Token[]} tokens @returns {Token} */
const tokenOf = ({ text, start, stop }, tokens) => ({
  ...tokens[start],
  text,
  end: tokens[stop - 1].end,
});

/** @param {any} matrix @param {Words} words @param {boolean} is_bits @returns {any} */
function merge(matrix, { queries, keys }, is_bits) {
  const { rows, cols, data } = matrix;
  const { shape, data: found } = merged(
    { shape: [1, 1, rows, cols], data },
    queries,
    keys,
    is_bits,
  );
  return { rows: shape[2], cols: shape[3], data: found };
}

/** Rows that sum to 1, or to 0. @param {{rows: number, cols: number, data: Float32Array}} matrix */
function toOne({ rows, cols, data }) {
  const scaled = new Float32Array(data);
  for (let row = 0; row < rows; row += 1) {
    const one = scaled.subarray(row * cols, (row + 1) * cols);
    const sum = one.reduce((all, value) => all + value, 0);
    if (sum > 0) for (let key = 0; key < cols; key += 1) one[key] /= sum;
  }
  return { rows, cols, data: scaled };
}

/**
 * The shares of another head, in the units of what is drawn.
 * @param {Seen} seen
 * @param {{rows: number, cols: number, data: Float32Array}} matrix
 */
export const likeSeen = ({ words }, matrix) =>
  words && matrix.cols === words.keys[words.keys.length - 1].stop
    ? merge(matrix, words, false)
    : matrix;

/** By site: a picture whose numbers stay the same keeps them. @type {WeakMap<object, Map<string, any>>} */
const known = new WeakMap();

/** @param {object} site @param {string} name @param {() => any} make */
function once(site, name, make) {
  const found = known.get(site) ?? new Map();
  known.set(site, found);
  if (!found.has(name)) found.set(name, make());
  return found.get(name);
}

/** A cell of what is drawn, in tokens: of a word its last, which the model predicts after. @param {Seen | null} seen @param {Cell} cell @returns {Cell} */
export const tokensAt = (seen, [query, key]) => [
  lastToken(seen?.words?.queries, query),
  lastToken(seen?.words?.keys, key),
];

/** @param {Word[] | undefined} words undefined: what is drawn are tokens @param {number} place */
export const lastToken = (words, place) => (words ? words[place].stop - 1 : place);

/** The number that a place of what is drawn goes by: of a word its own, of a token that in the text. @param {Seen} seen @param {"queries" | "keys"} axis @param {number} place */
export const numberAt = ({ words, merges }, axis, place) =>
  words && !merges ? words[axis][place].start : place;

/** A cell of tokens, in what is drawn. @param {Pick<Seen, "words"> | null} seen @param {Cell} cell @returns {Cell} */
export const seenAt = (seen, [query, key]) =>
  seen?.words ? [wordAt(seen.words.queries, query), wordAt(seen.words.keys, key)] : [query, key];
