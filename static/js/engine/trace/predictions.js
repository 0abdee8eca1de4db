// Predictions from logits: candidates for the next token, and the nucleus. As model/trace/predictions.py.

import { NumericsError } from "../errors.js";

/** @import { Listed, Nucleus, Prediction } from "../../types.d.ts" */
/** @typedef {Float64Array} LogP ln p of every token of the vocabulary */

const SLACK = 1e-9; // tolerance for the rounding of summed probabilities

/**
 * ln softmax(logits / temperature), in double precision so that no temperature overflows.
 * @param {Float32Array} logits
 * @param {{model: string, temperature?: number}} settings
 * @returns {LogP}
 * @throws {NumericsError} a logit is not finite
 */
export function logSoftmax(logits, { model, temperature = 1 }) {
  const log_p = Float64Array.from(logits);
  let most = -Infinity;
  for (let id = 0; id < log_p.length; id++) {
    if (!Number.isFinite(log_p[id]))
      throw new NumericsError(`${model}'s logits are not finite; expected all finite.`);
    log_p[id] /= temperature;
    if (log_p[id] > most) most = log_p[id];
  }
  let total = 0;
  for (let id = 0; id < log_p.length; id++) total += Math.exp(log_p[id] - most);
  const shift = most + Math.log(total);
  for (let id = 0; id < log_p.length; id++) log_p[id] -= shift;
  return log_p;
}

/**
 * The ids of the `n` largest values in descending order, with ties by id; all of them if there are fewer.
 * @param {LogP} log_p
 * @param {number} n
 */
export function topIds(log_p, n) {
  /** @type {number[]} */
  const ids = [];
  for (let id = 0; id < log_p.length; id++) {
    if (ids.length === n && !(log_p[id] > log_p[ids[n - 1]])) continue;
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (log_p[ids[middle]] >= log_p[id]) low = middle + 1;
      else high = middle;
    }
    ids.splice(low, 0, id);
    if (ids.length > n) ids.pop();
  }
  return ids;
}

/** The id of the largest value. @param {LogP} log_p */
export const likeliestId = (log_p) => topIds(log_p, 1)[0];

/**
 * The `top_k` most likely tokens, in descending order.
 * @param {LogP} log_p
 * @param {number} top_k
 * @param {(id: number) => string} token_text
 * @returns {Prediction[]}
 */
export const likeliest = (log_p, top_k, token_text) =>
  topIds(log_p, top_k).map((id) => prediction(id, log_p, token_text));

/**
 * One token with its probability.
 * @param {number} id
 * @param {LogP} log_p
 * @param {(id: number) => string} token_text
 * @returns {Prediction}
 */
export const prediction = (id, log_p, token_text) => ({
  id,
  text: token_text(id),
  probability: Math.exp(log_p[id]),
});

/**
 * The smallest set of most likely tokens whose total probability is at least `top_p`; for 1, all tokens.
 * (Holtzman et al. 2020, The Curious Case of Neural Text Degeneration.)
 * @param {LogP} log_p
 * @param {number} top_p
 * @returns {Nucleus}
 */
export function nucleus(log_p, top_p) {
  if (top_p >= 1) return { tokens: log_p.length, share: 1 };
  const sorted = log_p.toSorted();
  let share = 0;
  let tokens = 0;
  while (tokens < sorted.length) {
    tokens += 1;
    share += Math.exp(sorted[sorted.length - tokens]);
    if (share >= top_p - SLACK) break;
  }
  return { tokens, share: Math.min(1, share) };
}

/**
 * The `n` most likely tokens in descending order, then further tokens in descending order.
 * @param {LogP} log_p
 * @param {number} n
 * @param {(id: number) => string} token_text
 * @param {object} [more]
 * @param {{has(id: number): boolean}} [more.special] ids of the special tokens
 * @param {{log_p: LogP, n: number} | null} [more.unedited] ln p in the unedited run, and how many of its most likely tokens to
 *   list as well, to show what the edit made less likely
 * @param {readonly number[]} [more.also] ids of further tokens to list
 * @returns {Listed[]}
 */
export function listed(
  log_p,
  n,
  token_text,
  { special = new Set(), unedited = null, also = [] } = {},
) {
  const ids = topIds(log_p, n);
  const others = new Set(also);
  if (unedited) for (const id of topIds(unedited.log_p, unedited.n)) others.add(id);
  for (const id of ids) others.delete(id);
  ids.push(...[...others].sort((a, b) => log_p[b] - log_p[a] || a - b));
  return ids.map((id) => ({
    ...prediction(id, log_p, token_text),
    special: special.has(id),
    unedited: unedited ? Math.exp(unedited.log_p[id]) : null,
  }));
}
