// The numbers of a view as CSV: one line a thing, names in the first. A blocked cell has no number, so that none looks like a 0.

import { hasNumber } from "../../views/compare/difference.js";
import { csvTable } from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { labelOf } from "../../words/labels.js";

/** @typedef {import("../../types.d.ts").HeadScores} HeadScores */
/** @typedef {import("../../types.d.ts").Listed} Listed */
/** @typedef {import("../../types.d.ts").MuteEffects} MuteEffects */
/** @typedef {{rows: number, cols: number, data: ArrayLike<number>}} Matrix */

/**
 * Every cell of several heads.
 * @param {object} options
 * @param {{layer: number, head: number, matrix: Matrix, blocked: ArrayLike<number> | null}[]} options.heads
 * @param {string[]} options.queries labels
 * @param {string[]} options.keys
 * @param {string} options.unit what a number is
 */
export function cellsCsv({ heads, queries, keys, unit }) {
  const rows = heads.flatMap(({ layer, head, matrix, blocked }) =>
    queries.flatMap((query, row) =>
      keys.map((key, col) => {
        const at = row * matrix.cols + col;
        return [layer, head, row, query, col, key, blocked?.[at] ? null : matrix.data[at]];
      }),
    ),
  );
  return csvTable(["layer", "head", "query", "query token", "key", "key token", unit], rows);
}

/**
 * One row of a head, a line for each key, every step of it.
 * @param {object} options
 * @param {string[]} options.keys labels
 * @param {number} options.scale
 * @param {ArrayLike<number> | null} options.q of the query; null: the model does not give it
 * @param {Matrix | null} options.k a row for each key
 * @param {Matrix | null} options.v
 * @param {ArrayLike<number> | null} options.scores
 * @param {ArrayLike<number>} options.pattern
 * @param {ArrayLike<number>} options.blocked
 */
export function rowCsv({ keys, scale, q, k, v, scores, pattern, blocked }) {
  /** @param {string} name @param {Matrix | null} matrix */
  const channels = (name, matrix) =>
    Array.from({ length: matrix?.cols ?? 0 }, (_, channel) => `${name}[${channel}]`);
  const head = [
    ...["key", "key token"],
    ...(q && k ? ["q·k", "scale", "q·k × scale"] : []),
    ...(scores ? ["score"] : []),
    ...["blocked by", "weight"],
    ...(q && k ? [...channels("q", k), ...channels("k", k), ...channels("q∘k", k)] : []),
    ...(v ? [...channels("v", v), ...channels("weight × v", v)] : []),
  ];
  const rows = keys.map((name, key) => {
    const vector = (/** @type {Matrix | null} */ matrix) =>
      matrix
        ? Array.from(
            { length: matrix.cols },
            (_, channel) => matrix.data[key * matrix.cols + channel],
          )
        : [];
    const [own, other, values] = [Array.from(q ?? []), vector(k), vector(v)];
    const products = other.map((number, channel) => number * own[channel]);
    const dot = products.reduce((sum, number) => sum + number, 0);
    const weight = blocked[key] ? null : pattern[key];
    return [
      ...[key, name],
      ...(q && k ? [dot, scale, dot * scale] : []),
      ...(scores ? [scores[key]] : []),
      ...[explain(blocked[key]), weight],
      ...(q && k ? [...own, ...other, ...products] : []),
      ...(v ? [...values, ...values.map((number) => number * pattern[key])] : []),
    ];
  });
  return csvTable(head, rows);
}

/**
 * Two heads and their difference, a line for each pair of tokens; what one of the two lacks is empty.
 * @param {import("../../views/compare/difference.js").Side} a
 * @param {import("../../views/compare/difference.js").Side} b
 * @param {import("../../views/compare/difference.js").Compared} both
 */
export function comparedCsv(a, b, both) {
  const { pairs, matrix } = both;
  /** @param {import("../../views/compare/difference.js").Side} side @param {number | null} query @param {number | null} key */
  const value = ({ matrix: { cols, data }, blocked }, query, key) =>
    query === null || key === null || blocked.data[query * cols + key]
      ? null
      : data[query * cols + key];
  const rows = pairs.queries.flatMap((query, row) =>
    pairs.keys.map((key, col) => {
      const at = row * matrix.cols + col;
      return [
        ...[query.a, query.b, both.queries[row], key.a, key.b, both.keys[col]],
        ...[value(a, query.a, key.a), value(b, query.b, key.b)],
        hasNumber(both, at) ? matrix.data[at] : null,
      ];
    }),
  );
  const names = ["query in A", "query in B", "query token", "key in A", "key in B", "key token"];
  return csvTable([...names, "A", "B", "B − A"], rows);
}

/** Every head with its scores; one that is not defined is empty. @param {HeadScores[]} heads */
export function headsCsv(heads) {
  const metrics = /** @type {import("../../types.d.ts").MetricName[]} */ (
    Object.keys(heads[0]?.scores ?? {})
  );
  const rows = heads.map((one) => [
    ...[one.layer, one.head, labelOf(one, null).name],
    ...metrics.map((name) => one.scores[name].value),
  ]);
  return csvTable(["layer", "head", "label", ...metrics], rows);
}

/** @param {Listed[]} predictions */
export const predictionsCsv = (predictions) =>
  csvTable(
    ["id", "token", "probability", "probability unedited"],
    predictions.map(({ id, text, probability, unedited }) => [
      id,
      text,
      probability,
      unedited ?? null,
    ]),
  );

/** @param {import("../../types.d.ts").Lens} lens */
export const lensCsv = ({ stages }) =>
  csvTable(
    ["stage", "rank", "id", "token", "probability", "probability of the final prediction"],
    stages.flatMap(({ name, candidates, final }) =>
      candidates.map(({ id, text, probability }, rank) => [
        ...[name, rank + 1, id, text, probability],
        final.probability,
      ]),
    ),
  );

/** @param {MuteEffects} effects */
export const effectsCsv = ({ token, effects }) =>
  csvTable(
    ["kind", "layer", "head", "change of the log-probability in nats", "token", "reason"],
    effects.map(({ kind, layer, head, change, reason }) => [
      ...[kind, layer, head, change, token.text, reason ?? ""],
    ]),
  );
