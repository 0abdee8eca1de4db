// Measures of a figure, in words below it, which follow every change.

import { make, write } from "../dom/dom.js";
import { tryAgain } from "../dom/problem.js";
import { measure } from "../numbers/measures.js";
import { MEASURED, notMeasured } from "./words.js";

/** @import { Store } from "../state/store.js" */

/** Measures of a difference, shown only while there is one. */
const OF_DIFFERENCE = ["change", "heads", "order"];

/**
 * @param {Store} store
 * @param {import("../numbers/measures.js").Measure[]} names
 * @param {(state: Store["state"]) => boolean} differs whether anything differs from what the lesson shows
 * @param {() => void} retry
 * @returns {HTMLElement}
 */
export function measuresLine(store, names, differs, retry) {
  const list = make("ul", { class: "figure-measures" });
  list.setAttribute("aria-live", "polite");
  list.setAttribute("aria-label", MEASURED);
  const items = names.map((name) => {
    const item = make("li");
    item.dataset.measure = name;
    return { name, item };
  });
  const message = make("span");
  const again = tryAgain(retry);
  const failure = make("li", {}, [message, document.createTextNode(" "), again]);
  list.append(...items.map(({ item }) => item), failure);

  store.watch(["status", "facts", "reference", "shown"], (state) => {
    const { status, facts, reference } = state;
    const problem = facts?.problem ?? reference?.problem ?? null;
    failure.hidden = !problem;
    write(message, problem ? notMeasured(problem) : "");
    again.hidden = !problem?.retry;
    const ready = status === "ready" && facts?.status === "ready" && reference?.status === "ready";
    if (!ready || !facts.answer) return; // the last words stay, as the picture does
    const { tokens } = facts.answer.trace;
    const text = Math.min(state.shown, tokens.length - 1);
    const answers = { now: facts.answer, reference: reference.answer, state, text };
    const changed = differs(state);
    for (const { name, item } of items) {
      const result = measure(name, answers);
      const words = changed || !OF_DIFFERENCE.includes(name) ? (result?.sentence ?? "") : "";
      item.hidden = words === "";
      write(item, words);
      item.dataset.values = JSON.stringify(result?.values ?? null);
    }
  });
  return list;
}
