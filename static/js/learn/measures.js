// What is measured of a figure, in words below it, said again when it changes.

import { make } from "../dom/dom.js";
import { measure } from "../numbers/measures.js";

/** @typedef {import("../state/store.js").Store} Store */

/** What is said of a difference, where there can be one. */
const AGAINST = ["change", "heads", "order"];

/**
 * @param {Store} store
 * @param {import("../numbers/measures.js").Measure[]} names
 * @param {(state: import("../state/store.js").Store["state"]) => boolean} differs whether anything was turned
 * @param {() => void} retry
 * @returns {HTMLElement}
 */
export function measuresLine(store, names, differs, retry) {
  const list = make("ul", { class: "figure-measures" });
  list.setAttribute("aria-live", "polite");
  list.setAttribute("aria-label", "Measured");
  const items = names.map((name) => {
    const item = make("li");
    item.dataset.measure = name;
    return { name, item };
  });
  const words = make("span");
  const again = make("button", { text: "Try again" });
  again.type = "button";
  again.addEventListener("click", retry);
  const trouble = make("li", {}, [words, again]);
  list.append(...items.map(({ item }) => item), trouble);

  store.watch(["status", "facts", "reference", "shown"], (state) => {
    const { status, facts, reference } = state;
    const problem = facts?.problem ?? reference?.problem ?? null;
    trouble.hidden = !problem;
    words.textContent = problem ? `This cannot be measured: ${problem.message} ` : "";
    again.hidden = !problem?.retry;
    const ready = status === "ready" && facts?.status === "ready" && reference?.status === "ready";
    if (!ready || !facts.answer) return; // the last words stay, as the picture does
    const { tokens } = facts.answer.trace;
    const text = Math.min(state.shown, tokens.length - 1);
    const of = { now: facts.answer, reference: reference.answer, state, text };
    const turned = differs(state);
    for (const { name, item } of items) {
      const found = measure(name, of);
      const said = turned || !AGAINST.includes(name) ? (found?.said ?? "") : "";
      item.hidden = said === "";
      if (item.textContent !== said) item.textContent = said; // else it would be read out again
      item.dataset.values = JSON.stringify(found?.values ?? null);
    }
  });
  return list;
}
