// Whether the model's own special tokens are added to the sentence, whether heatmaps leave them out, and whether pictures show words in place of
// pieces. Each is offered where there are some.

import { need } from "../../dom/dom.js";
import { hasPieces } from "../../numbers/units.js";
import { MODEL_KEYS, sourceOf } from "../../sources/sources.js";
import { modelIn } from "../../state/choice.js";
import { HIDE, SPECIAL, WORDS } from "./words.js";

/** @import { State } from "../../types.d.ts" */

/** @param {HTMLElement} label @param {import("../../state/store.js").Store} store */
export function specialTokens(label, store) {
  const input = need("input", HTMLInputElement, label);
  input.addEventListener("change", () => store.update({ special_tokens: input.checked }));
  store.watch([...MODEL_KEYS, "grid", "special_tokens"], (state) => {
    const { recorded, takes_targets } = modelIn(state);
    label.hidden = sourceOf(state.model) !== undefined || !areKnown(state);
    label.title = recorded ? SPECIAL.recorded : takes_targets ? SPECIAL.decodes : SPECIAL.added;
    input.checked = state.special_tokens !== false;
    input.disabled = Boolean(recorded);
  });
}

/** Lines have a switch of their own, with a third choice, which a heatmap keeps to. @param {HTMLElement} label @param {import("../../state/store.js").Store} store */
export function hiddenSpecial(label, store) {
  const input = need("input", HTMLInputElement, label);
  label.title = HIDE;
  input.addEventListener("change", () =>
    store.update({ specials: input.checked ? "hidden" : "shown", zoom: null }),
  );
  store.watch(["grid", "shown", "view", "specials"], ({ grid, shown, view, specials }) => {
    const row = grid?.trace.tokens[shown] ?? [];
    label.hidden = view !== "heatmap" || !row.some(({ special }) => special);
    input.checked = specials !== "shown";
  });
}

/** The views that draw words. @type {State["view"][]} */
const IN_WORDS = ["heatmap", "lines", "text", "compare"];

/** @param {HTMLElement} label @param {import("../../state/store.js").Store} store */
export function wordUnits(label, store) {
  const input = need("input", HTMLInputElement, label);
  label.title = WORDS;
  input.addEventListener("change", () =>
    store.update({ units: input.checked ? "words" : "pieces", zoom: null }),
  );
  store.watch(["grid", "shown", "view", "units"], ({ grid, shown, view, units }) => {
    const rows = grid?.trace.tokens ?? [];
    label.hidden = !IN_WORDS.includes(view) || !(rows[shown] && hasPieces(rows[shown]));
    input.checked = units === "words";
  });
}

/** Whether the model has special tokens of its own, as far as its answers tell. @param {Readonly<State>} state */
function areKnown({ grid, special_tokens }) {
  const rows = grid ? [...grid.trace.tokens, ...(grid.trace.target_tokens ?? [])] : [];
  return (
    special_tokens === false || rows.flat().some(({ special, padding }) => special && !padding)
  );
}
