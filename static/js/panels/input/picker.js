// The choice of a model, its loading progress, and its size; below it, real models that this server could have, and the command that brings one.

import { make } from "../../dom/dom.js";
import MODEL_FACTS from "../../facts/models.json" with { type: "json" };
import { worded } from "../../language/facts.js";
import { translated } from "../../language/gettext.js";
import { sourceOf } from "../../sources/sources.js";
import { isFile } from "../../standalone/bar.js";
import { modelIn, sitesOf } from "../../state/choice.js";
import { modelLabel } from "../../words/heads.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Model, State } from "../../types.d.ts" */

const UNBOUNDED = 100_000; // tokens: a model without a context limit reports some huge number

/**
 * @param {{select: HTMLSelectElement, progress: HTMLElement, size: HTMLElement}} elements
 * @param {Store} store
 */
export function modelPicker({ select, progress, size }, store) {
  const others = make("optgroup");
  others.label = words.COULD_HAVE;
  const could = worded(MODEL_FACTS, "models").map((row) => {
    const option = make("option", { text: words.couldHave(row) });
    option.value = row.name;
    option.disabled = true; // it is not here
    return option;
  });
  others.append(...could);
  select.append(others);
  /** @type {HTMLOptionElement[]} */
  const own = [];
  store.watch(["model", "models"], ({ model, models: all }) => {
    const models = listed(all, model);
    while (own.length < models.length) own.push(make("option"));
    others.before(...own.filter((option) => !option.parentNode));
    const here = new Set(models.map(({ name }) => name));
    const missing = could.filter(({ value }) => !here.has(value)); // not every browser hides an option
    if (missing.length !== others.childElementCount) others.replaceChildren(...missing);
    others.hidden = isFile || missing.length === 0;
    for (const option of own.splice(models.length)) option.remove();
    models.forEach(({ name, state, description }, index) => {
      const option = own[index];
      option.value = name;
      const label = modelLabel(name);
      option.textContent = state === "failed" ? words.failed(label) : label;
      option.title = translated(description ?? "");
    });
    select.value = model;
  });
  store.watch(["model", "models", "status"], (state) => {
    progress.textContent = progressOf(modelIn(state), state.status);
  });
  store.watch(["model", "models", "kind", "detail"], (state) => {
    const { text, title } = sizeOf(state);
    size.textContent = text;
    size.title = title;
  });
  select.addEventListener("change", () => {
    // what fits the other model is kept (state/fitting), but it has tokens of its own
    store.update({ model: select.value, query: null, token: null, vocab: null });
  });
}

/** The models to choose from; of the steps of a film only the one on screen. @param {Model[]} models @param {string} chosen */
const listed = (models, chosen) =>
  models.filter(({ name, step }) => typeof step !== "number" || name === chosen);

/** @param {Model} model @param {State["status"]} status */
function progressOf({ state, progress }, status) {
  switch (state) {
    case "queued":
      return words.QUEUED;
    case "loading":
      return words.loading(Math.round(100 * progress));
    case "not_loaded":
      return status === "loading" ? words.REQUESTING : words.NOT_LOADED;
    default:
      return ""; // the list marks a model that failed, and a message says why
  }
}

/** @param {Readonly<State>} state */
function sizeOf(state) {
  const model = modelIn(state);
  if (model.state !== "ready") return { text: "", title: "" };
  const sites = sitesOf(model, state.kind);
  const n_heads = Math.max(...sites.map(({ n_heads }) => n_heads));
  const source = sourceOf(model.name);
  // as drawn: the server may have refused the latest settings
  if (source) return { text: state.detail ? source.size(state.detail.trace) : "", title: "" };
  const { n_parameters: parameters, trained_tokens: trained } = model;
  const context = trained < UNBOUNDED ? trained : null;
  const size = { n_layers: sites.length, n_heads, parameters, context };
  return { text: words.gridSize(size), title: words.modelSize(size) };
}
