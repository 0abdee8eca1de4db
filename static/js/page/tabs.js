// Tab lists with one open panel each, stored in the state. Arrow keys, Home and End move between the tabs of the focused list.

import { need } from "../dom/dom.js";
import { modelIn } from "../state/choice.js";
import { FILL, NEXT_TOKEN } from "./words.js";

/** @typedef {import("../state/store.js").Store} Store */

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Both tab lists of the page; the right one is hidden for a model that predicts nothing. @param {Store} store */
export function tabs(store) {
  tabList(store, "left");
  tabList(store, "right");
  const panel = need("#predictions", HTMLElement);
  const next = need("#next-tab", HTMLElement);
  store.watch(["model", "models"], (state) => {
    const { state: now, predicts } = modelIn(state);
    if (now !== "ready") return; // the panel still shows another model
    panel.hidden = predicts === null;
    next.textContent = predicts === "fill" ? FILL : NEXT_TOKEN;
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
      const selected = tab.dataset.tab === state[side];
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1; // a single tab stop
      need(`#${tab.getAttribute("aria-controls")}`, HTMLElement).hidden = !selected;
    }
  });
  for (const tab of all) tab.addEventListener("click", () => open(tab));
  list.addEventListener("keydown", (event) => {
    const current = all.findIndex((tab) => tab.tabIndex === 0);
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)] ?? 0;
    const next =
      { Home: 0, End: all.length - 1 }[event.key] ?? (current + step + all.length) % all.length;
    if (next === current) return;
    event.preventDefault(); // do not scroll the page
    open(all[next]);
    all[next].focus();
  });
}
