// The panels on the right: one row each in static/js/facts/panels.json, in the order of their tabs, the default first. The code of a panel is in its folder
// (static/js/panels/panels.js lists them). `fills`, `classes` and `answers`: its label for a model that fills in tokens, for a classifier, and while something else is asked. `tells`: it says what
// heads do, or what was done to the model, so a quiz hides it. `predicts`: it is only for models that predict tokens; `silent`: only for those that do not. `filmed`: only where steps of its training are kept; `writes`: only for mechanisms from scratch that look back alone. `reads`: what it reads on the map of the model.

import PANEL_FACTS from "../facts/panels.json" with { type: "json" };
import { worded } from "../language/facts.js";
import { tellsClasses } from "./choice.js";

export const PANELS = worded(PANEL_FACTS, "panels");

/** @typedef {typeof PANELS[number]["name"]} PanelName */

export const PANEL_NAMES = PANELS.map(({ name }) => name);

/** What is known of a model: not whether it predicts, before it is loaded. @typedef {Pick<import("../types.d.ts").Model, "state" | "predicts" | "itself" | "lacks" | "mechanisms" | "recorded"> & Partial<Pick<import("../types.d.ts").Model, "film" | "step" | "causal" | "takes_targets">>} Traits */

/** The panels that a model has. @param {Traits} model */
export function panelsOf(model) {
  const { state, predicts, lacks, mechanisms, recorded, film, step } = model;
  const isSilent = state === "ready" && predicts === null;
  const isEditable = !lacks && !mechanisms && !recorded;
  const isFilmed = Boolean(film) || typeof step === "number";
  return PANELS.filter((panel) => {
    if ("filmed" in panel) return isFilmed;
    if ("writes" in panel) return Boolean(mechanisms) && writes(model);
    if ("silent" in panel) return isSilent && isEditable;
    return !isSilent || !("predicts" in panel);
  });
}

/** Whether tokens look back alone, within one text. @param {Traits} model */
const writes = ({ causal, takes_targets }) => Boolean(causal) && !takes_targets;

/** The panel that is open: the chosen one, or the first that the model has. @param {PanelName} right @param {Traits} model */
export function openPanel(right, model) {
  const names = panelsOf(model).map(({ name }) => name);
  return names.includes(right) ? right : (names[0] ?? right);
}

/** @param {typeof PANELS[number]} panel @param {Pick<Traits, "predicts" | "itself">} model @returns {string} */
export function panelLabel(panel, { predicts, itself }) {
  if (!("fills" in panel)) return panel.label;
  if (itself !== undefined) return panel.answers;
  if (predicts === "fill") return panel.fills;
  return tellsClasses({ predicts }) ? panel.classes : panel.label;
}
