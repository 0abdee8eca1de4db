// A text as it is written: what is new, kept, thrown away and still to come after each token, in the selected layer. Pure.

import { detailOf } from "../../numbers/detail.js";
import { keptBy } from "../../sources/scratch/kept.js";
import { modelIn } from "../../state/choice.js";

/** @import { State } from "../../types.d.ts" */
/** @typedef {"new" | "kept" | "gone" | "summed" | "later"} Status */
/** @typedef {{statuses: Status[], kept: number, numbers: number, whole: number}} Step `kept`: tokens, with the new one; `numbers`: that they take; `whole`: that all tokens would, if every head kept a key and a value */
/** @typedef {NonNullable<ReturnType<typeof writingOf>>} Writing */

/**
 * The real tokens of the text, and what each step of writing it keeps.
 * @param {Readonly<State>} state
 * @returns null until there is a picture of a mechanism that writes. `places` are those of the tokens, `at` is the step of the current row,
 *   `lacks` why nothing can be kept, and `sums` what stands in for all tokens before, if every token sees all of them
 */
export function writingOf(state) {
  const detail = detailOf(state);
  const ran = detail && state.detail?.trace.scratch;
  if (!detail || !ran || !modelIn(state).mechanisms) return null;
  const { blocked, queries, queryLabels, row } = detail;
  const places = [...queries.keys()].filter((place) => !queries[place].padding);
  /** @param {number} query @param {number} key */
  const sees = (query, key) => blocked.data[places[query] * blocked.cols + places[key]] === 0;
  const all = [...places.keys()];
  const isAhead = all.some((query) => all.some((key) => key > query && sees(query, key)));
  const isWhole = all.every((query) => all.every((key) => key > query || sees(query, key)));
  const isShared = ran.softmax_over === "query" || ran.mask_applied === "after";
  const until = all.map((key) => all.findLastIndex((query) => sees(query, key))); // the last to see it
  const found = keptBy(ran);
  const sums = isWhole ? found.sums : null;
  /** @param {number} key @param {number} at @returns {Status} */
  const statusOf = (key, at) => {
    if (key >= at) return key > at ? "later" : "new";
    if (sums !== null) return "summed";
    return until[key] >= at ? "kept" : "gone";
  };
  const steps = all.map((at) => {
    const statuses = all.map((key) => statusOf(key, at));
    const kept = statuses.filter((one) => one === "new" || one === "kept").length;
    const numbers = sums ?? kept * found.each;
    return /** @type {Step} */ ({ statuses, kept, numbers, whole: (at + 1) * found.all });
  });
  return {
    tokens: places.map((place) => queryLabels[place]),
    places,
    at: Math.max(0, places.indexOf(row)),
    steps,
    each: found.each,
    sums,
    lacks: isAhead
      ? /** @type {const} */ ("ahead")
      : isShared
        ? /** @type {const} */ ("softmax")
        : null,
  };
}
