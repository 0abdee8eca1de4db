// Text: which heads are shown, and the weights of one token: where it looks, or who looks at it. Pure.

import { inputs, isLong, kinds } from "../../asking/requests.js";
import { exactRow } from "../../numbers/detail.js";
import { matrixIn, sameTokens } from "../../numbers/heads.js";
import { matrixOf } from "../../numbers/matrix.js";
import { siteAt } from "../../state/choice.js";
import { ascending, overlaid, withHeads } from "../../state/overlay.js";

/** @import { Answer, Model, State } from "../../types.d.ts" */
/** @typedef {import("../../state/overlay.js").Head} Head */
/** @typedef {NonNullable<import("../../numbers/detail.js").Detail>} Detail */
/** @typedef {import("../../types.d.ts").ViewSettings["role"]} Role of the token that is pointed at */
/** @typedef {{rows: number, cols: number, data: ArrayLike<number>}} Numbers */
/** @typedef {{pattern: Numbers, blocked: Numbers, full: number}} Part one head; `full`: the number that stands for a weight of 1 */
/** @typedef {{values: Float64Array, blocked: Uint8Array, exact: boolean}} Weights by token; `blocked`: the reasons, if every head is blocked */

const MAX_PICTURE = 1024; // tokens for which the API has every cell as a byte

/**
 * The heads whose mean is shown; a single one is the selected head.
 * @param {Pick<State, "over" | "overlay" | "kind" | "layer" | "head">} state
 * @param {Pick<Model, "sites">} model
 * @returns {Head[]}
 */
export function headsOf(state, model) {
  const { over, kind, layer, head } = state;
  if (over === "set") return withHeads([[layer, head]], overlaid(state, model));
  const n = over === "layer" ? (siteAt(model, kind, layer)?.n_heads ?? 0) : 0;
  return n > 1 ? Array.from({ length: n }, (_, one) => [layer, one]) : [[layer, head]];
}

/**
 * The request for the exact patterns of these heads.
 * @param {Readonly<State>} state
 * @param {Model} model
 */
export function wholeRequest(state, model) {
  const heads = headsOf(state, model);
  return {
    ...inputs(state, model),
    select: {
      tensors: ["pattern", "blocked_by"],
      layers: ascending(heads.map(([layer]) => layer)),
      ...kinds(state),
      heads: ascending(heads.map(([, head]) => head)),
    },
    predict: null,
  };
}

/**
 * The request of this view: the page has the numbers of the selected head, but a mean needs more. A long text comes as bytes.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null if nothing is missing
 */
export function textRequest(state, model) {
  if (state.view !== "text" || headsOf(state, model).length === 1) return null;
  const whole = wholeRequest(state, model);
  if (!isLong(state)) return whole;
  return { ...whole, select: { ...whole.select, resolution: MAX_PICTURE, dtype: "uint8" } };
}

/**
 * The heads in an answer.
 * @param {Answer | null | undefined} answer
 * @param {Head[]} heads
 * @param {Detail} detail
 * @returns {Part[] | null} null if the answer lacks a head or has too few cells
 */
export function partsIn(answer, heads, detail) {
  const { site, text, queries, keys } = detail;
  const parts = heads.map((head) => {
    const pattern = matrixIn(answer, head, site.kind, "pattern", text);
    const blocked = blockedIn(answer, head, detail);
    if (!pattern || !blocked) return null;
    if (pattern.rows !== queries.length || pattern.cols !== keys.length) return null;
    return { pattern, blocked, full: pattern.data instanceof Uint8Array ? 255 : 1 };
  });
  const complete = parts.filter((part) => part !== null);
  return complete.length === heads.length ? complete : null;
}

/**
 * The reasons why the cells of a head are blocked; one matrix for the layer if all its heads share it.
 * @param {Answer | null | undefined} answer
 * @param {Head} head
 * @param {Detail} detail
 */
function blockedIn(answer, [layer, head], { site: { kind }, text }) {
  const site = answer?.trace.sites.find((one) => one.layer === layer && one.kind === kind);
  const tensor = answer?.tensors.get(`${site?.name}.blocked_by`);
  if (!site || !tensor) return null;
  return matrixOf(tensor, text, tensor.shape[1] === 1 ? 0 : site.heads.indexOf(head));
}

/**
 * The mean over some heads. A token is blocked if it is blocked in every head.
 * @param {Part[]} parts
 * @param {Role} role
 * @param {number} place
 * @returns {Weights}
 */
export function meanOf(parts, role, place) {
  const { rows, cols } = parts[0].pattern;
  const n = role === "query" ? cols : rows;
  const at = (/** @type {number} */ one) =>
    role === "query" ? place * cols + one : one * cols + place;
  const values = new Float64Array(n);
  const blocked = new Uint8Array(n);
  for (let one = 0; one < n; one += 1) {
    const cell = at(one);
    let [sum, bits, free] = [0, 0, false];
    for (const { pattern, blocked, full } of parts) {
      sum += pattern.data[cell] / full;
      bits |= blocked.data[cell];
      free ||= blocked.data[cell] === 0;
    }
    values[one] = sum / parts.length;
    blocked[one] = free ? 0 : bits;
  }
  return { values, blocked, exact: parts.every(({ full }) => full === 1) };
}

/**
 * The weights of words, from those of their tokens: added up over keys, in the mean over queries.
 * @param {(role: Role, place: number) => Weights | null} weights of tokens
 * @param {import("../../numbers/units.js").Words | undefined} words undefined: tokens are shown
 */
export function ofWords(weights, words) {
  if (!words) return weights;
  /** @param {Role} role @param {number} place @returns {Weights | null} */
  return (role, place) => {
    const { start, stop } = (role === "query" ? words.queries : words.keys)[place];
    const others = role === "query" ? words.keys : words.queries;
    const each = Array.from({ length: stop - start }, (_, at) => weights(role, start + at));
    const all = each.filter((one) => one !== null);
    if (all.length < each.length) return null;
    const values = new Float64Array(others.length);
    const blocked = new Uint8Array(others.length);
    others.forEach((other, index) => {
      let free = false;
      for (const one of all) {
        for (let at = other.start; at < other.stop; at += 1) {
          values[index] += one.values[at];
          blocked[index] |= one.blocked[at];
          free ||= one.blocked[at] === 0;
        }
      }
      values[index] /= role === "query" ? stop - start : other.stop - other.start;
      if (free) blocked[index] = 0;
    });
    return { values, blocked, exact: all.every(({ exact }) => exact) };
  };
}

/**
 * What the page can show now.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {Head[]} heads
 * @returns {(role: Role, place: number) => Weights | null} null if these numbers have not arrived
 */
export function weightsIn(state, detail, heads) {
  if (heads.length > 1) {
    const answer = sameTokens(state.text?.answer, state.detail) ? state.text?.answer : null;
    const parts = partsIn(answer, heads, detail);
    return (role, place) => (parts ? meanOf(parts, role, place) : null);
  }
  const { pattern, blocked, pooled } = detail;
  const parts = pooled ? null : [{ pattern, blocked, full: 1 }];
  return (role, place) => {
    const row = role === "query" ? exactRow(detail, "pattern", place) : null;
    if (row) return { values: Float64Array.from(row.values), blocked: row.blocked, exact: true };
    return parts && { ...meanOf(parts, role, place), exact: detail.exact === "all" };
  };
}
