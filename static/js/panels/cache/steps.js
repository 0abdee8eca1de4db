// A text as it is written: what is new, kept, thrown away and still to come after each token, in the selected layer. Pure.

import { detailOf } from "../../numbers/detail.js";
import { keptBy } from "../../sources/scratch/kept.js";
import { modelIn } from "../../state/choice.js";

/** @import { State } from "../../types.d.ts" */
/** @typedef {"new" | "kept" | "gone" | "summed" | "later"} Status */
/** @typedef {{statuses: Status[], kept: number, numbers: number, whole: number}} Step `kept`: tokens, with the new one; `numbers`: that they take; `whole`: that all tokens would, if every head kept a key and a value */
/** @typedef {NonNullable<ReturnType<typeof writingOf>>} Writing */

/**
 * @param {Readonly<State>} state
 * @returns null until there is a picture of a mechanism that writes
 */
export function writingOf(state) {
  const detail = detailOf(state);
  const ran = detail && state.detail?.trace.scratch;
  if (!detail || !ran || !modelIn(state).mechanisms) return null;
  const { blocked, queryLabels: tokens, row } = detail;
  const { each, all, sums } = keptBy(ran);
  const n = tokens.length;
  /** Whether a token is looked at by one that stands from `query` on. @param {number} key @param {number} query */
  const isSeen = (key, query) =>
    Array.from({ length: n - query }, (_, at) => query + at).some(
      (later) => blocked.data[later * blocked.cols + key] === 0,
    );
  const looksAhead = tokens.some((_, query) =>
    tokens.some((_, key) => key > query && blocked.data[query * blocked.cols + key] === 0),
  );
  const steps = tokens.map((_, at) => {
    const statuses = tokens.map((_, key) =>
      statusOf(key, at, () => isSeen(key, at), sums !== null),
    );
    const kept = statuses.filter((one) => one === "new" || one === "kept").length;
    const numbers = sums ?? kept * each;
    return /** @type {Step} */ ({ statuses, kept, numbers, whole: (at + 1) * all });
  });
  return { tokens, at: row, steps, each, all, sums, looksAhead };
}

/** @param {number} key @param {number} at @param {() => boolean} isSeen @param {boolean} isSummed @returns {Status} */
function statusOf(key, at, isSeen, isSummed) {
  if (key > at) return "later";
  if (key === at) return "new";
  if (isSummed) return "summed";
  return isSeen() ? "kept" : "gone";
}
