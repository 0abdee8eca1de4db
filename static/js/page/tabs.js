// Tab lists: one open panel of several, kept in the state. Arrows, Home and End walk the tabs of the list that has the focus.

import { need } from "../dom/dom.js";
import { modelIn } from "../state/choice.js";

/** @typedef {import("../state/store.js").Store} Store */

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Both lists of the page; of a model that predicts nothing the right one has nothing to say. @param {Store} store */
export function tabs(store) {
  tabList(store, "left");
  tabList(store, "right");
  const panel = need("#predictions", HTMLElement);
  const next = need("#next-tab", HTMLElement);
  store.watch(["model", "models"], (state) => {
    const { state: now, predicts } = modelIn(state);
    if (now !== "ready") return; // what stands there is still of another
    panel.hidden = predicts === null;
    next.textContent = predicts === "fill" ? "Fill" : "Next token";
  });
}

/** @param {Store} store @param {"left" | "right"} side */
function tabList(store, side) {
  const list = need(`#${side}-tabs`, HTMLElement);
  const all = [...list.querySelectorAll("button")];

  /** @param {HTMLButtonElement} tab */
  const open = (tab) => store.update({ [side]: tab.dataset.tab });

  store.watch([side], (state) => {
    for (const tab of all) {
      const here = tab.dataset.tab === state[side];
      tab.setAttribute("aria-selected", String(here));
      tab.tabIndex = here ? 0 : -1; // one stop for the Tab key
      need(`#${tab.getAttribute("aria-controls")}`, HTMLElement).hidden = !here;
    }
  });
  for (const tab of all) tab.addEventListener("click", () => open(tab));
  list.addEventListener("keydown", (event) => {
    const here = all.findIndex((tab) => tab.tabIndex === 0);
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)] ?? 0;
    const next =
      { Home: 0, End: all.length - 1 }[event.key] ?? (here + step + all.length) % all.length;
    if (next === here) return;
    event.preventDefault(); // it would scroll the page
    open(all[next]);
    all[next].focus();
  });
}
