// Tab lists with one open panel each, stored in the state. Arrow keys, Home and End move between the tabs of the focused list.

import { need } from "../dom/dom.js";
import { modelIn } from "../state/choice.js";
import { openPanel, PANELS, panelLabel, panelsOf } from "../state/panels.js";

/** @import { Store } from "../state/store.js" */

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Both tab lists of the page; of the panels on the right a model has those that its predictions allow. @param {Store} store */
export function tabs(store) {
  tabList(store, "left", ({ left }) => left);
  const panel = need("#predictions", HTMLElement);
  store.watch(["model", "models", "answer"], (state) => {
    const model = modelIn(state);
    if (model.state !== "ready") return; // the panel still shows another model
    const shown = panelsOf(model);
    panel.hidden = shown.length === 0;
    for (const row of PANELS) {
      const tab = need(`#${row.name}-tab`, HTMLElement);
      tab.hidden = !shown.includes(row);
      tab.textContent = panelLabel(row, model);
    }
  });
  tabList(store, "right", (state) => openPanel(state.right, modelIn(state)));
}

/**
 * @param {Store} store
 * @param {"left" | "right"} side
 * @param {(state: Readonly<import("../types.d.ts").State>) => string} openIn the name of the tab that is open
 */
function tabList(store, side, openIn) {
  const list = need(`#${side}-tabs`, HTMLElement);
  const all = [...list.querySelectorAll("button")];

  /** @param {HTMLButtonElement} tab */
  const open = (tab) => store.update({ [side]: tab.dataset.tab });

  store.watch([side, "model", "models", "answer"], (state) => {
    const name = openIn(state);
    need("#main", HTMLElement).dataset[side === "right" ? "panel" : "left"] = name; // for the style sheet
    for (const tab of all) {
      const selected = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1; // a single tab stop
      need(`#${tab.getAttribute("aria-controls")}`, HTMLElement).hidden = !selected;
    }
  });
  for (const tab of all) tab.addEventListener("click", () => open(tab));
  list.addEventListener("keydown", (event) => {
    const seen = all.filter(({ offsetParent }) => offsetParent !== null); // a quiz hides some
    const current = seen.findIndex((tab) => tab.tabIndex === 0);
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)] ?? 0;
    const next =
      { Home: 0, End: seen.length - 1 }[event.key] ?? (current + step + seen.length) % seen.length;
    if (next === current) return;
    event.preventDefault(); // do not scroll the page
    open(seen[next]);
    seen[next].focus();
  });
}
