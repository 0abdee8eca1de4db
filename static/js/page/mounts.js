// The elements of the views and of the panels of sources. A row of those tables that has no element in the template gets a new one,
// after the others.

import { make, need } from "../dom/dom.js";

/** @param {import("../state/views.js").ViewName} name */
export function viewElement(name) {
  const known = document.getElementById(`${name}-view`);
  if (known) return known;
  const element = make("div", { class: "view" });
  element.id = `${name}-view`;
  need("#heatmap-view", HTMLElement).after(element);
  return element;
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
