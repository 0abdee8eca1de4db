// What the answer says, as the reader chose to rank it. Pure.

import { modelIn, traceIn } from "../../state/choice.js";
import { label, quoteAt, shorten } from "../../words/format.js";

/** @import { Court, State, Testimony } from "../../types.d.ts" */
/** @typedef {Testimony & {values: number[], curves: import("../../types.d.ts").CourtCurves}} Heard one that has something to say */
/** @typedef {{court: Court, tokens: string[], token: string, against: string | null, read: string, fills: boolean, columns: Column[], chance: number | null, n: number, tau: (a: string, b: string) => number | null}} Hearing */
/** @typedef {{one: Testimony, tau: number | null}} Column a testimony and its agreement with the judge */

export const JUDGE = "ablation";
const MOST = 16; // characters of a token

/**
 * The hearing of the shown text: the judge first, then other judges, then the witnesses as the server lists them.
 * @param {Readonly<State>} state
 * @returns {Hearing | null}
 */
export function hearingIn(state) {
  const trace = traceIn(state.court, state);
  const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
  const court = trace?.court?.[text];
  if (!trace || !court) return null;
  const found = court.agreement.find(
    ({ specials, by }) => specials === (state.counted === "all") && by === state.ranked,
  );
  const names = court.testimonies.map(({ name }) => name);
  /** @param {string} a @param {string} b */
  const tau = (a, b) => found?.tau[names.indexOf(a)]?.[names.indexOf(b)] ?? null;
  const named = (/** @type {{text: string}} */ token) => shorten(label(token), MOST);
  const read = (trace.target_tokens ?? trace.tokens)[text].map(label);
  const judged = court.testimonies.toSorted((a, b) => rank(a) - rank(b));
  return {
    court,
    tau,
    read: quoteAt(read, court.position, MOST),
    token: named(court.token),
    against: court.against && named(court.against),
    tokens: court.sources.map((at) => named(trace.tokens[text][at])),
    fills: modelIn(state).predicts === "fill",
    columns: judged.map((one) => ({ one, tau: tau(one.name, JUDGE) })),
    chance: found?.chance ?? null,
    n: found?.n_tokens ?? 0,
  };
}

/** The judge first, witnesses last. @param {Testimony} one */
const rank = ({ role }) => (role === "judge" ? 0 : role === "witness" ? 2 : 1);

/** @param {Testimony} one @returns {one is Heard} */
export const isHeard = (one) => one.values !== null && one.curves !== null;

/** The witness that agrees best with the judge; null: none has an order. @param {Column[]} columns */
export function bestOf(columns) {
  /** @type {{one: Testimony, tau: number} | null} */
  let best = null;
  for (const { one, tau } of columns) {
    if (one.role === "witness" && tau !== null && (!best || tau > best.tau)) best = { one, tau };
  }
  return best;
}

/**
 * A bar of a number within its column: its start and length, as fractions of the width. A column with a sign has its zero in the
 * middle.
 * @param {number} value
 * @param {Pick<Testimony, "signed" | "values">} column
 */
export function barOf(value, { signed, values }) {
  const most = Math.max(0, ...(values ?? []).map(Math.abs));
  const size = most > 0 ? Math.abs(value) / most : 0;
  if (!signed) return { start: 0, length: size };
  return { start: value < 0 ? 0.5 - size / 2 : 0.5, length: size / 2 };
}
