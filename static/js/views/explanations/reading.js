// What the answer says, as the reader chose to rank it. Pure.

import { modelIn, readsInPlace, traceIn } from "../../state/choice.js";
import { label, quoteAt, shorten } from "../../words/format.js";

/** @import { Explanations, State, MethodResult } from "../../types.d.ts" */
/** @typedef {MethodResult & {curves: import("../../types.d.ts").MethodCurves}} WithCurves */
/** @typedef {{explanations: Explanations, tokens: string[], token: string, against: string | null, read: string, fills: boolean, columns: Column[], chance: number | null, n: number, tau: (a: string, b: string) => number | null}} Comparison */
/** @typedef {{one: MethodResult, tau: number | null}} Column a method and its agreement with the reference */

export const REFERENCE = "ablation";
const MAX_TOKEN = 16; // characters of a token

/**
 * The comparison of the shown text: the reference first, then other references, then the methods as the server lists them. The numbers come
 * before the curves.
 * @param {Readonly<State>} state
 * @returns {Comparison | null}
 */
export function comparisonIn(state) {
  const { curves, explanations: numbers } = state;
  const trace = traceIn(curves?.status === "ready" ? curves : numbers, state);
  const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
  const explanations = trace?.explanations?.[text];
  if (!trace || !explanations) return null;
  const found = explanations.agreement.find(
    ({ specials, by }) => specials === (state.counted === "all") && by === state.ranked,
  );
  const names = explanations.methods.map(({ name }) => name);
  /** @param {string} a @param {string} b */
  const tau = (a, b) => found?.tau[names.indexOf(a)]?.[names.indexOf(b)] ?? null;
  const named = (/** @type {{text: string}} */ token) => shorten(label(token), MAX_TOKEN);
  const read = (trace.target_tokens ?? trace.tokens)[text].map(label);
  const sorted = explanations.methods.toSorted((a, b) => rank(a) - rank(b));
  return {
    explanations,
    tau,
    read: quoteAt(read, explanations.position, MAX_TOKEN),
    token: named(explanations.token),
    against: explanations.against && named(explanations.against),
    tokens: explanations.sources.map((at) => named(trace.tokens[text][at])),
    fills: readsInPlace(modelIn(state)),
    columns: sorted.map((one) => ({ one, tau: tau(one.name, REFERENCE) })),
    chance: found?.chance ?? null,
    n: found?.n_tokens ?? 0,
  };
}

/** The reference first, methods last. @param {MethodResult} one */
const rank = ({ role }) => (role === "reference" ? 0 : role === "method" ? 2 : 1);

/** @param {MethodResult} one @returns {one is WithCurves} */
export const hasCurves = (one) => one.curves !== null;

/** The method that agrees best with the reference; null: none has an order. @param {Column[]} columns */
export function bestOf(columns) {
  /** @type {{one: MethodResult, tau: number} | null} */
  let best = null;
  for (const { one, tau } of columns) {
    if (one.role === "method" && tau !== null && (!best || tau > best.tau)) best = { one, tau };
  }
  return best;
}

/** The methods whose curves are drawn: the reference, raw weights, and the one that agrees best. @param {Column[]} columns */
export const drawnOf = (columns) =>
  new Set([REFERENCE, "weight", bestOf(columns)?.one.name ?? REFERENCE]);

/** The same, of a state with the numbers of the methods. @param {Readonly<State>} state */
export const drawnIn = (state) => [...drawnOf(comparisonIn(state)?.columns ?? [])];

/**
 * A bar of a number within its column: its start and length, as fractions of the width. A column with a sign has its zero in the
 * middle.
 * @param {number} value
 * @param {Pick<MethodResult, "signed" | "values">} column
 */
export function barOf(value, { signed, values }) {
  const most = Math.max(0, ...(values ?? []).map(Math.abs));
  const size = most > 0 ? Math.abs(value) / most : 0;
  if (!signed) return { start: 0, length: size };
  return { start: value < 0 ? 0.5 - size / 2 : 0.5, length: size / 2 };
}
