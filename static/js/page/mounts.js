// The elements of the views, of the panels on the right and of the panels of sources. A row of those tables that has no element in
// the template gets a new one, after the others.

import { button, make, need } from "../dom/dom.js";
import { PANELS } from "../state/panels.js";

/** @param {import("../state/views.js").ViewName} name */
export function viewElement(name) {
  const known = document.getElementById(`${name}-view`);
  if (known) return known;
  const element = make("div", { class: "view" });
  element.id = `${name}-view`;
  need("#heatmap-view", HTMLElement).after(element);
  return element;
}

/** The panel of a tab on the right. @param {import("../state/panels.js").PanelName} name */
export function panelElement(name) {
  const row = PANELS.find((one) => one.name === name);
  const known = document.getElementById(`${name}-panel`);
  if (known || !row) return need(`#${name}-panel`, HTMLElement);
  const tab = button(row.label, null);
  tab.id = `${name}-tab`;
  tab.hidden = "silent" in row; // until a model is loaded that has it
  Object.assign(tab.dataset, { tab: name, ...("tells" in row ? { tells: "" } : {}) });
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", `${name}-panel`);
  need("#right-tabs", HTMLElement).append(tab);
  const panel = make("div");
  Object.assign(panel, { id: `${name}-panel`, tabIndex: 0, hidden: true });
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", tab.id);
  need("#predictions", HTMLElement).append(panel);
  return panel;
}

/** @param {import("../sources/sources.js").SourceName} name */
export function sourceElement(name) {
  const panels = document.querySelectorAll("details.source");
  const known = [...panels].find(({ id }) => id === name);
  if (known instanceof HTMLDetailsElement) return known;
  const element = make("details", { class: "source" });
  Object.assign(element, { id: name, open: true, hidden: true });
  element.dataset.tells = ""; // settings say what was done to the model
  panels[panels.length - 1].after(element);
  return element;
}
