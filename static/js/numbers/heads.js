// The matrices of several heads in one answer. Pure.

import { same } from "../state/store.js";
import { matrixOf } from "./matrix.js";

/** @import { Answer, Token } from "../types.d.ts" */
/** @import { Head } from "../state/overlay.js" */
/** @typedef {{rows: number, cols: number, data: Float32Array}} Numbers */

/**
 * The matrix of one head in an answer.
 * @param {Answer | null | undefined} answer
 * @param {Head} head
 * @param {string} kind
 * @param {string} tensor
 * @param {number} text
 * @returns {Numbers | null} null: the answer does not have it
 */
export function matrixIn(answer, [layer, head], kind, tensor, text) {
  const site = answer?.trace.sites.find((one) => one.layer === layer && one.kind === kind);
  const place = site?.heads.indexOf(head) ?? -1;
  const values = answer?.tensors.get(`${site?.name}.${tensor}`);
  if (place < 0 || !values || text >= values.shape[0]) return null;
  return /** @type {Numbers} */ (matrixOf(values, text, place));
}

/**
 * Whether an answer has the same tokens, so that it can be drawn together with the detail.
 * @param {Answer | null | undefined} answer
 * @param {Answer | null} detail
 */
export function sameTokens(answer, detail) {
  /** @param {Answer | null | undefined} one */
  const ids = (one) => [one?.trace.tokens, one?.trace.target_tokens ?? []].map(idsOf);
  return Boolean(answer && detail) && same(ids(answer), ids(detail));
}

/** @param {Token[][] | undefined} texts */
const idsOf = (texts) => (texts ?? []).map((tokens) => tokens.map(({ id }) => id));
