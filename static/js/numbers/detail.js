// What several views need of the selected head: its tensors, the text shown, and the labels of its tokens.

import { sourceOf } from "../sources/sources.js";
import { readsInPlace, scoredBy } from "../state/choice.js";
import { isOfHead, MATRIX_NAMES } from "../state/matrices.js";
import { tells } from "../state/quiz.js";
import { label, quoteAt } from "../words/format.js";
import { unreached } from "./matrices.js";
import { matrixOf } from "./matrix.js";
import { blockOf } from "./segments.js";

/** @import { State, Token } from "../types.d.ts" */
/** @typedef {ReturnType<typeof detailOf>} Detail */

/**
 * @param {Readonly<State>} state
 * @returns null until there is an answer
 */
export function detailOf({ detail, next, shown, query, segments, models }) {
  const site = detail?.trace.sites[0];
  if (!detail || !site) return null;
  const { trace } = detail;
  const text = Math.min(shown, trace.tokens.length - 1);
  const queries = (trace[site.query_tokens] ?? trace.tokens)[text];
  const keys = (trace[site.key_tokens] ?? trace.tokens)[text];
  /** A tensor, or null if it was not requested or is not available. @param {string} name @param {number[]} [shape] */
  const optional = (name, shape = detail.tensors.get(name)?.shape) => {
    const tensor = detail.tensors.get(name);
    return tensor && shape ? float(matrixOf({ ...tensor, shape }, text, 0)) : null;
  };
  /** @param {string} name */
  const matrix = (name) => {
    const values = optional(`${site.name}.${name}`);
    if (!values) throw new Error(`The answer lacks ${site.name}.${name}.`);
    return values;
  };
  /** An analysis of the whole trace, in the shape of a single head. @param {string} name */
  const ofTrace = (name) => {
    const [batch = 0, ...sides] = detail.tensors.get(name)?.shape ?? [];
    return optional(name, [batch, 1, ...sides]);
  };
  const [q, k, v] = ["q", "k", "v"].map((name) => optional(`${site.name}.${name}`));
  const blocked = /** @type {{rows: number, cols: number, data: Uint8Array}} */ (
    /** @type {unknown} */ (matrix("blocked_by"))
  );
  const model = models.find(({ name }) => name === trace.model);
  const fills = readsInPlace(model);
  const whole = optional(`whole.${site.name}.blocked_by`);
  const block = blockOf(queries, keys, segments);
  const answered = next?.answer?.trace; // of another model, if this one predicts nothing
  const predicted = answered?.model === trace.model ? answered : trace;
  // a classifier reads one position, whatever row is selected
  const asked = model?.predicts === "class" || answered?.measured ? null : query;
  const read = readOf(trace, predicted, text, asked, site.query_tokens);
  const pattern = matrix("pattern");
  const row =
    query === null ? usualRow(queries, read, site, block) : Math.min(query, queries.length - 1);
  const drawable =
    /** @type {Record<Exclude<import("../types.d.ts").Matrix, "pattern">, ReturnType<typeof optional>>} */ (
      Object.fromEntries(
        MATRIX_NAMES.filter((name) => name !== "pattern").map((name) => [
          name,
          isOfHead(name) ? optional(`${site.name}.${name}`) : ofTrace(name),
        ]),
      )
    );
  return {
    site,
    head: site.heads[0],
    text,
    queries,
    keys,
    queryLabels: labelsOf(queries),
    keyLabels: labelsOf(keys),
    /** For a long text a picture: `exact` says which rows are exact. */
    pattern,
    /** The pattern as it is drawn; it stays the same when exact rows arrive. */
    picture: optional(`picture.${site.name}.pattern`) ?? pattern,
    /** Tokens per cell of the picture, if there are more tokens than cells; null: one each. */
    pooled:
      pattern.rows === queries.length && pattern.cols === keys.length
        ? null
        : { rows: queries.length / pattern.rows, cols: keys.length / pattern.cols },
    /** The rows of the pattern that are exact: "all", or those in [start, stop) around the current row. */
    exact: exactAround(detail, row),
    blocks: detail.exact ?? [],
    blocked,
    /** `blocked` for every cell, if the picture is pooled and another matrix is not. */
    blockedWhole: /** @type {typeof blocked | null} */ (/** @type {unknown} */ (whole)),
    ...drawable,
    vectors: q && k && v ? { q, k, v } : null,
    /** The query of the current row. */
    row,
    /** The position of the predictions, and the token there. */
    read,
    /** Whether predictions are of the token at that position, or of the text, instead of continuing it. */
    fills,
    block,
  };
}

/** The labels of each text, made once: a long text is asked for its details many times. @type {WeakMap<Token[], string[]>} */
const known = new WeakMap();

/** @param {Token[]} tokens */
function labelsOf(tokens) {
  const labels = known.get(tokens) ?? tokens.map(label);
  known.set(tokens, labels);
  return labels;
}

/**
 * @param {import("../types.d.ts").TraceJson} trace
 * @param {Pick<import("../types.d.ts").TraceJson, "predicted_at">} predicted the same, with predictions
 * @param {number} text
 * @param {number | null} query
 * @param {import("../types.d.ts").TokenAxis} axis of the query
 */
function readOf(trace, predicted, text, query, axis) {
  const predicting = trace.target_tokens ? "target_tokens" : "tokens";
  const tokens = (trace[predicting] ?? trace.tokens)[text];
  const usual = Math.min(predicted.predicted_at?.[text] ?? lastReal(tokens), tokens.length - 1);
  const chosen = query === null || axis !== predicting ? null : Math.min(query, tokens.length - 1);
  const position = chosen ?? usual;
  return { axis: predicting, position, name: quoteAt(tokens.map(label), position) };
}

/**
 * The current row until the reader chooses one: the position of the predictions, else the last token, within the chosen block.
 * @param {Token[]} queries
 * @param {{axis: string, position: number}} read
 * @param {import("../types.d.ts").Site} site
 * @param {import("./segments.js").Block | null} block
 */
function usualRow(queries, read, { query_tokens }, block) {
  const usual = read.axis === query_tokens ? read.position : lastReal(queries);
  const [start, stop] = block?.queries ?? [0, queries.length];
  return usual >= start && usual < stop ? usual : Math.max(0, stop - 1);
}

/** @param {Token[]} tokens */
const lastReal = (tokens) =>
  Math.max(
    0,
    tokens.findLastIndex((token) => !token.padding),
  );

/**
 * Which cells of a matrix are blocked: in a head, those that its masks block; in an analysis of all layers, those that no path
 * reaches.
 * @param {NonNullable<Detail>} detail
 * @param {import("../types.d.ts").Matrix} matrix
 */
export function blockedIn(detail, matrix) {
  const { blocked, blockedWhole } = detail;
  if (matrix === "pattern") return blocked;
  const of = blockedWhole ?? blocked;
  const reached = isOfHead(matrix) ? null : detail[matrix];
  return reached ? unreached(of, reached) : of;
}

/**
 * The exact numbers of one row, with the reasons why cells are blocked.
 * @param {NonNullable<Detail>} detail
 * @param {import("../types.d.ts").Matrix} matrix
 * @param {number} row
 * @returns {{values: Float32Array, blocked: Uint8Array, scores: Float32Array | null, pattern: Float32Array | null} | null}
 *   null until they have arrived
 */
export function exactRow(detail, matrix, row) {
  const { site, text, blocks, keys } = detail;
  const block = blocks.find(({ start, stop }) => row >= start && row < stop);
  const cols = keys.length;
  /** @param {string} name */
  const fromBlock = (name) => {
    const tensor = block?.tensors.get(`${site.name}.${name}`);
    if (!block || !tensor) return null;
    const at = text * tensor.shape[2] + row - block.start; // one head; the rows of the texts follow each other
    return tensor.data.subarray(at * cols, (at + 1) * cols);
  };
  /** @param {{cols: number, data: Float32Array | Uint8Array} | null | undefined} whole */
  const fromWhole = (whole) =>
    whole?.cols === cols ? whole.data.subarray(row * cols, (row + 1) * cols) : null;
  const all = detail.exact === "all";
  const pattern = fromBlock("pattern") ?? (all ? fromWhole(detail.pattern) : null);
  const scores = fromWhole(detail.scores) ?? fromBlock("scores");
  const values = matrix === "pattern" ? pattern : fromWhole(detail[matrix]);
  const bits = fromBlock("blocked_by") ?? fromWhole(detail.blockedWhole ?? detail.blocked);
  if (!values || !bits) return null;
  // the same rule as in `blockedIn`
  const blocked = isOfHead(matrix) ? bits : bits.map((bit, key) => (values[key] === 0 ? bit : 0));
  return /** @type {ReturnType<typeof exactRow>} */ ({ values, blocked, scores, pattern });
}

/** @param {import("../types.d.ts").Answer} detail @param {number} row @returns {"all" | [start: number, stop: number]} */
function exactAround({ exact }, row) {
  if (!exact) return "all";
  const block = exact.find(({ start, stop }) => row >= start && row < stop);
  return block ? [block.start, block.stop] : [row, row];
}

/** @param {ReturnType<typeof matrixOf>} matrix */
function float(matrix) {
  return /** @type {{rows: number, cols: number, data: Float32Array}} */ (matrix);
}

/**
 * Whether heads are named after what they do. Weights that are drawn have no habits: what such a head does in one sentence is chance,
 * so it is only measured, where the reader asks for it.
 * @param {Readonly<State>} state
 */
export function areNamed(state) {
  const source = sourceOf(state.model);
  return !source?.isRandom(state[source.name]);
}

/**
 * Scores on a sentence, with what only a probe tells: whether a head copies, which depends on its weights more than on the sentence.
 * @param {import("../types.d.ts").HeadScores[]} heads
 * @param {import("../types.d.ts").Probe | null} probe
 */
function withCopying(heads, probe) {
  const known = new Map(
    probe?.heads?.map(({ site, head, scores }) => [`${site} ${head}`, scores.copying]),
  );
  return heads.map((one) => {
    const copying = known.get(`${one.site} ${one.head}`);
    return copying ? { ...one, scores: { ...one.scores, copying } } : one;
  });
}

/**
 * The scores that label the heads in the grid; null until they have arrived, and in a quiz.
 * @param {Readonly<State>} state
 */
export function scoresOf(state) {
  const { probe, grid, scores, shown, relations } = state;
  if (!tells(state)) return null;
  const sites = new Set(grid?.trace.sites.map(({ name }) => name));
  /** @param {import("../types.d.ts").HeadScores} one */
  const inGrid = ({ site }) => sites.has(site);
  if (scoredBy(state) === "probe") {
    const drawn = relations[probe?.model ?? ""] ?? {};
    const heads = probe?.heads?.filter(inGrid);
    return heads?.map((one) => ({ ...one, drawn: drawn[`${one.layer}.${one.head}`] })) ?? null;
  }
  const texts = scores?.answer?.trace.scores;
  const heads = texts?.[Math.min(shown, texts.length - 1)]?.heads.filter(inGrid) ?? null;
  return heads && withCopying(heads, probe?.model === scores?.answer?.trace.model ? probe : null);
}
