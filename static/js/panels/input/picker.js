// The choice of a model, its loading progress, and its size.

import { make, need } from "../../dom/dom.js";
import { NAME as SCRATCH } from "../../sources/scratch/settings.js";
import { modelIn, sitesOf } from "../../state/choice.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").Model} Model */
/** @typedef {import("../../types.d.ts").State} State */

const UNBOUNDED = 100_000; // tokens: a model without a context limit reports some huge number

/** @param {Store} store */
export function modelPicker(store) {
  const select = need("#model", HTMLSelectElement);
  const how = need("#model-state", HTMLElement);
  const size = need("#model-size", HTMLElement);
  const options = store.state.models.map(() => make("option"));
  select.append(...options);

  store.watch(["model", "models"], ({ model, models }) => {
    models.forEach(({ name, state, description }, place) => {
      options[place].value = name;
      const called = name === SCRATCH ? "From scratch" : name;
      options[place].textContent = state === "failed" ? `${called} (failed)` : called;
      options[place].title = description ?? "";
    });
    select.value = model;
  });
  store.watch(["model", "models", "status"], (state) => {
    how.textContent = progressOf(modelIn(state), state.status);
  });
  store.watch(["model", "models", "kind", "detail"], (state) => {
    size.textContent = sizeOf(state);
  });
  select.addEventListener("change", () => {
    // another model has other heads and tokens: start at its first head, with nothing muted or painted
    const masks = { ...store.state.masks, blocked: [], allowed: [] };
    store.update({
      ...{ model: select.value, layer: 0, head: 0, masks, muted: [], query: null },
      ...{ probe: null, effects: null, lacks: {} }, // these belong to the other model
    });
  });
}

/** @param {Model} model @param {State["status"]} status */
function progressOf({ state, progress }, status) {
  switch (state) {
    case "queued":
      return "queued: another model loads first …";
    case "loading":
      return `loading ${Math.round(100 * progress)} % …`;
    case "not_loaded":
      return status === "loading" ? "requesting it …" : "not loaded";
    default:
      return ""; // a model that failed is marked in the list, and the message says why
  }
}

/** @param {number} n @param {string} what */
const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** @param {Readonly<State>} state */
function sizeOf(state) {
  const model = modelIn(state);
  if (model.state !== "ready") return "";
  const sites = sitesOf(model, state.kind);
  const heads = Math.max(...sites.map(({ n_heads }) => n_heads));
  if (model.mechanisms) {
    const ran = state.detail?.trace.scratch; // as drawn: the server may have refused the latest settings
    if (!ran) return "";
    const [layers, all] = [counted(ran.n_layers, "layer"), counted(ran.n_heads, "head")];
    return `${layers} × ${all} of ${counted(ran.d_head, "channel")}`; // the number of its parameters depends on the settings
  }
  const { n_parameters: n, trained_tokens: trained } = model;
  const parameters = n < 1e5 ? n.toLocaleString("en") : `${(n / 1e6).toFixed(1)} M`;
  const size = `${sites.length} layers × ${heads} heads, ${parameters} parameters`;
  return trained < UNBOUNDED ? `${size}, trained context ${trained}` : size;
}
