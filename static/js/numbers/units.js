// The selected head from word to word. Everything that the page keeps counts tokens; a view that draws words turns places of tokens into places of
// words as it draws, and back where a reader points. Pure.

import { merged } from "../engine/trace/site.js";
import { wordsOfRow } from "../engine/trace/words.js";
import { isOfHead, MATRICES } from "../state/matrices.js";
import { label } from "../words/format.js";
import { detailOf } from "./detail.js";

/** @import { State, Token } from "../types.d.ts" */
/** @import { Word } from "../engine/trace/words.js" */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */
/** @typedef {{queries: Word[], keys: Word[]}} Words along both axes */
/** @typedef {Detail & {words?: Words}} Seen what is drawn; with `words`, its queries and keys are these */
/** @typedef {[query: number, key: number]} Cell */

/** The tensors that can be merged: shares, which are added up. @param {State["matrix"]} matrix */
const areShares = (matrix) => isOfHead(matrix) && MATRICES[matrix].scale === "share";

/** Whether the numbers can be from word to word: of a long text the page has only a picture. @param {Readonly<State>} state @param {Detail} detail */
const canMerge = ({ matrix, depth }, { exact, pooled }) =>
  areShares(matrix) && exact === "all" && pooled === null && depth !== "start"; // which has no switch

/** Whether any word of the text has several tokens. @param {readonly Token[]} tokens */
export const hasPieces = (tokens) => wordsOfRow(tokens).length < tokens.length;

/**
 * What a view of one head draws: its numbers, and the state with places in the same units.
 * @param {Readonly<State>} state
 * @returns {{state: Readonly<State>, detail: Seen | null}}
 */
export function seenOf(state) {
  const detail = detailOf(state);
  if (!detail || state.units !== "words" || !canMerge(state, detail)) return { state, detail };
  const words = { queries: wordsOfRow(detail.queries), keys: wordsOfRow(detail.keys) };
  return { state: inWords(state, detail, words), detail: mergedDetail(state, detail, words) };
}

/** Which word a token is in. @param {Word[]} words @param {number} token */
const wordAt = (words, token) => words.findIndex(({ stop }) => token < stop);

/** @param {Readonly<State>} state @param {Detail} detail @param {Words} words @returns {Readonly<State>} */
function inWords(state, { site }, { queries, keys }) {
  const { key, cell, pinned, hover } = state;
  const along = (/** @type {string} */ axis) => (axis === site.query_tokens ? queries : keys);
  return {
    ...state,
    key: key === null ? null : wordAt(keys, key),
    cell: cell && [wordAt(queries, cell[0]), wordAt(keys, cell[1])],
    pinned: [...new Set(pinned.map((token) => wordAt(queries, token)))],
    hover: hover && { ...hover, place: wordAt(along(hover.axis), hover.place) },
  };
}

/** @param {Readonly<State>} state @param {Detail} detail @param {Words} words @returns {Seen} */
function mergedDetail({ matrix }, detail, words) {
  const { site, text, block } = detail;
  /** @param {"pattern" | "blocked" | "value_weighted"} name */
  const of = (name) =>
    once(site, `${text} ${name}`, () => merge(detail[name], words, name === "blocked"));
  const range = (/** @type {Word[]} */ row, /** @type {[number, number]} */ [start, stop]) =>
    /** @type {[number, number]} */ ([wordAt(row, start), wordAt(row, stop - 1) + 1]);
  const pattern = of("pattern");
  return {
    ...detail,
    words,
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

/** A cell of tokens, in what is drawn. @param {Pick<Seen, "words"> | null} seen @param {Cell} cell @returns {Cell} */
export const seenAt = (seen, [query, key]) =>
  seen?.words ? [wordAt(seen.words.queries, query), wordAt(seen.words.keys, key)] : [query, key];
