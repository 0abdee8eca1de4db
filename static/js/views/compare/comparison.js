// The data of a comparison: the two heads in the state, aligned, and the scene that shows them.

import { palette } from "../../dom/palette.js";
import { SIZES } from "../../draw/axes.js";
import { blockedIn } from "../../numbers/detail.js";
import { rangeOf } from "../../numbers/matrices.js";
import { transposed } from "../../numbers/matrix.js";
import { seenOf } from "../../numbers/units.js";
import { comparedIn, sameTokens } from "../../state/against.js";
import { modelIn } from "../../state/choice.js";
import { MATRICES } from "../../state/matrices.js";
import { axisTitles } from "../../words/axes.js";
import { align, MAX_TOKENS } from "./align.js";
import { compared } from "./difference.js";
import { differing } from "./differing.js";
import { isWholeApart } from "./request.js";
import { triptych } from "./triptych.js";
import { PICTURE, PROBLEMS, patternInstead, predictionsInWords, whereInWords } from "./words.js";

/** @import { Against, State, TokenAxis } from "../../types.d.ts" */
/** @typedef {import("../../numbers/units.js").Seen} Detail */
/** @typedef {Exclude<ReturnType<typeof pictured>, string | null>} Picture */

/**
 * @param {Readonly<State>} state
 * @param {Against} against
 * @returns null until all answers have arrived; a string: why they cannot be compared
 */
export function pictured(state, against) {
  const query = sameTokens(state, against) ? state.query : null;
  const held = { ...state, ...against, query };
  const wanted = comparedIn(state);
  const seen = (/** @type {Readonly<State>} */ one) =>
    seenOf({ ...one, matrix: wanted }, { whole: true }).detail;
  const now = seen(state); // for a long text it is a picture, with its numbers elsewhere
  const b = isWholeApart(state) ? seen({ ...state, detail: state.whole?.answer ?? null }) : now;
  const a = seen({ ...held, detail: state.other?.answer ?? null, next: state.other });
  if (!a || !b || !now) return null;
  const matrix = a[wanted] && b[wanted] ? wanted : "pattern";
  const note = matrix === state.matrix ? "" : patternInstead(state.matrix);
  if (against.transposed && a.site.query_tokens !== a.site.key_tokens) return PROBLEMS.transposed;
  const [straight, right] = [sideOf(a, matrix), sideOf(b, matrix)];
  if (!straight || !right) return PROBLEMS.tooLong(MAX_TOKENS);
  const left = against.transposed ? transposedSide(straight) : straight;
  const queries = align(
    a.queries,
    b.queries,
    sameText(held, a.site.query_tokens, state, b.site.query_tokens),
  );
  const keys = align(a.keys, b.keys, sameText(held, a.site.key_tokens, state, b.site.key_tokens));
  if (!queries || !keys) return PROBLEMS.tooLong(MAX_TOKENS);
  const differences = differing(against, state);
  return {
    a: left,
    b: right,
    compared: compared(left, right, { queries, keys }),
    matrix,
    note,
    differences,
    kinds: [a.site.kind, b.site.kind],
    axis: b.site.query_tokens,
    /** The current row of B, and the words that its rows are; undefined: they are tokens. */
    row: now.row,
    words: b.words,
    titles: [
      PICTURE.side("A", differences.a, against),
      PICTURE.side("B", differences.b, state),
      PICTURE.difference,
    ],
    predicted: predictionsInWords(
      predictionsOf(held, state.other?.answer ?? null, a),
      predictionsOf(state, state.next?.answer ?? null, now),
      { a: whereOf(a), b: whereOf(now) },
    ),
  };
}

/**
 * The positions of a query of B in A, in B and in the difference.
 * @param {Pick<Picture, "compared">} picture
 * @param {number} query
 * @returns {(number | null)[]}
 */
export function rowsOf({ compared: { pairs } }, query) {
  const row = pairs.queries.findIndex((pair) => pair.b === query);
  return row < 0 ? [null, query, null] : [pairs.queries[row].a, query, row];
}

/** Keys down and queries along the top. @param {NonNullable<ReturnType<typeof sideOf>>} side */
const transposedSide = ({ matrix, blocked, queries, keys, ids }) => ({
  matrix: transposed(matrix),
  blocked: transposed(blocked),
  queries: keys,
  keys: queries,
  ids: { queries: ids.keys, keys: ids.queries },
});

/** @param {Detail} detail @param {import("../../types.d.ts").Matrix} matrix */
function sideOf(detail, matrix) {
  const numbers = detail[matrix];
  if (!numbers) return null;
  const { queryLabels: queries, keyLabels: keys } = detail;
  if (numbers.rows !== queries.length || numbers.cols !== keys.length) return null; // partial or pooled
  const ids = {
    queries: detail.queries.map(({ id }) => id),
    keys: detail.keys.map(({ id }) => id),
  };
  return { matrix: numbers, blocked: blockedIn(detail, matrix), queries, keys, ids };
}

/**
 * The text of an axis: if it is the same on both sides, tokens are aligned by their characters.
 * @param {Readonly<State>} a
 * @param {TokenAxis} axisA
 * @param {Readonly<State>} b
 * @param {TokenAxis} axisB
 */
const sameText = (a, axisA, b, axisB) => typed(a, axisA) === typed(b, axisB);

/** @param {Readonly<State>} state @param {TokenAxis} axis */
function typed(state, axis) {
  const { texts, targets, pairs, shown } = state;
  if (axis === "target_tokens") return JSON.stringify([targets[shown] ?? ""]);
  const second = modelIn(state).takes_pairs && pairs ? [pairs[shown] ?? ""] : [];
  return JSON.stringify([texts[shown], ...second]);
}

/** @param {Readonly<State>} state @param {import("../../types.d.ts").Answer | null} answer @param {Detail} detail */
const predictionsOf = (state, answer, { text }) =>
  (modelIn(state).predicts && answer?.trace.predictions?.[text]) || null;

/** @param {Detail} detail */
const whereOf = ({ fills, read }) => whereInWords(fills, read.name);

/**
 * @param {Readonly<State>} state
 * @param {Picture} picture
 * @param {number} width
 * @param {{alone?: boolean, bar?: boolean}} [how] `alone`: for a file, where it needs a title; `bar`: whether it has colour bars
 */
export function sceneOf(state, picture, width, { alone = false, bar = true } = {}) {
  const { a, b, compared: both, matrix, differences, kinds } = picture;
  const flipped = state.flipped && !alone;
  const { diverging, sequential, paper, hatch } = palette(state.scheme);
  const [left, right] = [a.matrix, b.matrix].map((one) => rangeOf(matrix, one, state.steps));
  const axes = kinds.map(axisTitles);
  const title = PICTURE.title(state);
  const sides = [PICTURE.heading("A", differences.a), PICTURE.heading("B", differences.b)];
  const titles = picture.titles.with(1, flipped ? PICTURE.inPlace : picture.titles[1]);
  return triptych({
    a,
    b: flipped ? a : b,
    compared: both,
    titles,
    title,
    width,
    paper,
    hatch,
    bar,
    ...(alone ? { heading: [title, ...sides], rows: rowsOf(picture, picture.row) } : {}),
    size: SIZES.full, // where labels are larger, the whole view is enlarged
    range: left.high > right.high ? left : right,
    unit: MATRICES[matrix].unit,
    tables: { side: matrix === "scores" ? diverging : sequential, difference: diverging },
    axes: [axes[0], axes[flipped ? 0 : 1], axes[1]],
  });
}
