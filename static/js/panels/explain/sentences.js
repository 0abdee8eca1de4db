// What to say of what is selected, or pointed at: a list of sentences, the most important first. Pure.

import { detailOf, exactRow } from "../../numbers/detail.js";
import { named, nextOf, rowOf } from "../../numbers/explain/row.js";
import { seenOf } from "../../numbers/units.js";
import { modelIn } from "../../state/choice.js";
import { isOfHead, MATRICES } from "../../state/matrices.js";
import { VIEWS } from "../../state/views.js";
import { decimal } from "../../words/format.js";
import { explain as blockersOf } from "../../words/hatch.js";
import { forecastOf } from "./forecast.js";
import { factor, scores, share } from "./rounding.js";
import { lead, more } from "./sentence.js";
import { spellingOf } from "./spelling.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Detail, Named, Row } from "../../numbers/explain/row.js" */
/** @import { Sentence } from "./sentence.js" */
/**
 * @typedef {object} Explained
 * @property {Sentence[]} sentences
 * @property {[query: number, key: number] | null} why the cell whose arithmetic can be shown
 * @property {{row: number, token: Named} | null} before the row that predicts the token of this row
 * @property {boolean} which whether other heads can be asked for
 */

const SPREAD = 0.3; // a strongest key with less does not stand for the row
const CLOSE = 1.05; // weights with a smaller ratio are about the same

/** @typedef {[query: number, key: number | null]} Pointed a cell, or a whole row */

/**
 * What is pointed at: a cell; or, in a view of tokens, the row of a query, or the cell of a key in the row that is read.
 * @param {Readonly<State>} state
 * @returns {Pointed | null}
 */
export function pointedIn(state) {
  const { cell, hover, view } = state;
  if (cell) return cell;
  const row = VIEWS.find(({ name }) => name === view);
  const detail = hover && row && "tokens" in row ? detailOf(state) : null;
  if (!hover || !detail) return null;
  const { query_tokens, key_tokens } = detail.site;
  if (hover.axis === query_tokens && hover.role !== "key") return [hover.place, null];
  return hover.axis === key_tokens ? [detail.row, hover.place] : null;
}

/**
 * @param {Readonly<State>} state
 * @param {Pointed | null} pointed
 * @returns {Explained | null} null until there is an answer
 */
export function explained(state, pointed) {
  const detail = detailOf(state);
  if (!detail) return null;
  const [query, chosen] = subjectOf(state, detail, pointed);
  const row = rowOf(detail, query);
  if (!row) return { ...NOTHING, sentences: [lead(words.WAITING)] };
  const model = modelIn(state);
  const isHead = isOfHead(state.matrix);
  const key = isHead ? (chosen ?? row.strongest) : (chosen ?? strongestIn(state, detail, query));
  const here = pointed ? null : forecastOf(state, detail, query);
  const first = isHead
    ? attentionOf(detail, row, chosen, key)
    : allLayers(state, detail, query, key);
  const predicted = !pointed && detail.site.query_tokens === detail.read.axis && query > 0;
  return {
    sentences: [
      ...leftOut(state, detail, query),
      ...first,
      ...(isHead ? matrixOf(state, detail, query, key) : []),
      ...(here?.moves ?? []),
      ...spellingOf(state, detail, query, key),
      ...(isHead ? restOf(detail, row) : []),
      ...(here?.predicts ?? []),
    ],
    why: isHead && key !== null && model.tensors?.includes("q") ? [query, key] : null,
    before:
      predicted && model.predicts === "next" && !row.padding && !detail.queries[query - 1].padding
        ? { row: query - 1, token: row.query }
        : null,
    which: here?.which ?? false,
  };
}

/** What the picture shows otherwise than this tells. @param {Readonly<State>} state @param {Detail} detail @param {number} query @returns {Sentence[]} */
function leftOut(state, detail, query) {
  const seen = seenOf(state, { whole: state.view !== "heatmap" }).detail;
  const { values } = exactRow(detail, "pattern", query) ?? {};
  const hidden = detail.keys.reduce(
    (sum, { special }, key) => (special ? sum + (values?.[key] ?? 0) : sum),
    0,
  );
  const told = { share: share(hidden), isScaled: state.specials === "renormalised" };
  return [
    ...(seen?.merges ? [lead(words.PIECES)] : []),
    ...(seen?.hides && values && state.matrix === "pattern" ? [lead(words.HIDDEN(told))] : []),
  ];
}

/** @type {Explained} */
const NOTHING = { sentences: [], why: null, before: null, which: false };

/**
 * The row, and the cell if one is pointed at or chosen.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {Pointed | null} pointed
 * @returns {Pointed}
 */
function subjectOf({ key }, { row, queries, keys }, pointed) {
  if (pointed && pointed[0] < queries.length && (pointed[1] ?? 0) < keys.length) return pointed;
  return [row, key !== null && key < keys.length ? key : null];
}

/**
 * @param {Detail} detail
 * @param {Row} row
 * @param {number | null} chosen
 * @param {number | null} key the chosen one, or the strongest
 * @returns {Sentence[]}
 */
function attentionOf(detail, row, chosen, key) {
  const { query, strongest, pattern, allowed } = row;
  const { ATTENTION } = words;
  if (strongest === null || key === null) return [lead(ATTENTION.none({ query }))];
  const masks = blockersOf(row.blocked[key]);
  const best = { key: named(detail, "key", strongest), share: share(pattern[strongest]) };
  if (masks) {
    const cell = { query, key: named(detail, "key", key), masks };
    return [lead(ATTENTION.hidden(cell)), lead(ATTENTION.most(best))];
  }
  const own = { query, share: share(pattern[key]) };
  const itself = detail.site.query_tokens === detail.site.key_tokens && key === query.place;
  if (detail.site.softmax_over === "query") {
    const cell = { ...own, key: named(detail, "key", key) };
    return [lead(ATTENTION.receives(cell)), ...scoreOf(detail, row, key)];
  }
  if (allowed === 1) {
    const cell = { ...own, key: named(detail, "key", key) };
    return [lead(itself ? ATTENTION.onlyItself(own) : ATTENTION.only(cell))];
  }
  if (chosen === null && row.even) return [lead(ATTENTION.even({ ...own, n: allowed }))];
  if (chosen === null && pattern[key] < SPREAD && allowed > 2)
    return [lead(ATTENTION.spread({ ...best, query, n: allowed }))];
  const cell = { ...own, key: named(detail, "key", key) };
  return [
    lead(itself ? ATTENTION.toItself(own) : ATTENTION.gives(cell)),
    ...(key === strongest || row.even ? scoreOf(detail, row, key) : [lead(ATTENTION.most(best))]),
  ];
}

/** @param {Detail} detail @param {Row} row @param {number} key @returns {Sentence[]} */
function scoreOf(detail, row, key) {
  if (detail.site.kernel === "product") return [lead(words.SCORE.size)];
  const next = nextOf(detail, row.query.place, key);
  if (!next) return [];
  const { token, gap } = next;
  const numbers = scores(next.score, gap);
  if (next.factor < CLOSE) return [lead(words.SCORE.close({ ...numbers, next: token }))];
  return [lead(words.SCORE.beats({ ...numbers, next: token, factor: factor(next.factor) }))];
}

/** @param {Detail} detail @param {Row} row @returns {Sentence[]} */
function restOf({ site }, { query, padding, hidden, allowed, total }) {
  const left = Math.max(0, 1 - total);
  const after = site.mask_applied === "after";
  const byKey = site.softmax_over === "key" && allowed > 0;
  return [
    ...(padding ? [more(words.ROW.padding({ query }))] : []),
    ...(allowed > 0 ? hidden : []).map(({ n, later, reason }) =>
      more(words.hidden({ n, later, mask: reason.words })),
    ),
    ...(byKey && site.sink && !after ? [more(words.ROW.sink({ share: share(left) }))] : []),
    ...(byKey && after && !site.sink && hidden.length > 0
      ? [more(words.ROW.lost({ share: share(left) }))]
      : []),
  ];
}

/** The number on the screen, if it is neither a weight nor a score. @param {Readonly<State>} state @param {Detail} detail @param {number} query @param {number | null} key @returns {Sentence[]} */
function matrixOf({ matrix }, detail, query, key) {
  if (matrix === "pattern" || matrix === "scores" || key === null) return [];
  const exact = exactRow(detail, matrix, query);
  if (!exact || exact.blocked[key]) return [];
  const { unit } = MATRICES[matrix];
  return [lead(words.MATRIX.cell({ unit, value: decimal(exact.values[key]) }))];
}

/** The largest value of a row of an analysis. @param {Readonly<State>} state @param {Detail} detail @param {number} query */
function strongestIn({ matrix }, detail, query) {
  const exact = exactRow(detail, matrix, query);
  if (!exact) return null;
  return exact.values.reduce((best, value, key, all) => (value > all[best] ? key : best), 0);
}

/** @param {Readonly<State>} state @param {Detail} detail @param {number} query @param {number | null} key @returns {Sentence[]} */
function allLayers({ matrix }, detail, query, key) {
  const exact = exactRow(detail, matrix, query);
  if (!exact || key === null) return [lead(words.WAITING)];
  const { row: does, unit } = MATRICES[matrix];
  const tokens = { query: named(detail, "query", query), key: named(detail, "key", key) };
  return [lead(words.MATRIX.all({ ...tokens, does, unit, value: decimal(exact.values[key]) }))];
}
