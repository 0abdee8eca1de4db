// The masks that the reader may toggle, and a word on what to expect of them.

import { check, need } from "../../dom/dom.js";
import { modelIn, ownCausal } from "../../state/choice.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../types.d.ts").Masks} Masks */

const CAUSAL = /** @type {const} */ ({ own: null, on: true, off: false });

/** @param {Store} store */
export function masks(store) {
  const form = need("#masks", HTMLFormElement);
  const slider = need("#window", HTMLInputElement);
  const output = need("#window-value", HTMLOutputElement);
  const own = need("#own-causal", HTMLElement);
  const hint = need("#mask-hint", HTMLElement);

  /** @param {Partial<Masks>} changes */
  const set = (changes) => store.update({ masks: { ...store.state.masks, ...changes } });

  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "causal") {
      set({ causal: CAUSAL[/** @type {keyof typeof CAUSAL} */ (target.value)] });
    }
    if (target.name === "padding") set({ padding: target.value === "on" });
    if (target.name === "padding_side") {
      set({ padding_side: target.value === "left" ? "left" : "right" });
    }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  slider.addEventListener("input", () => {
    const open = slider.value === slider.max; // the far end of the slider means no window
    set({ window: open ? null : Number(slider.value) });
  });

  store.watch(["masks", "model", "models", "scratch", "kind", "grid"], (state) => {
    const { grid, masks: chosen } = state;
    const { causal, padding, padding_side, window } = chosen;
    const { lacks } = modelIn(state);
    const n = grid?.trace.tokens[0]?.length ?? 2;
    for (const name of ["causal", "padding"]) {
      need(`fieldset:has([name="${name}"])`, HTMLFieldSetElement, form).disabled = Boolean(lacks);
    }
    slider.disabled = Boolean(lacks);
    check("causal", causal === null ? "own" : causal ? "on" : "off", form);
    check("padding", padding ? "on" : "off", form);
    check("padding_side", padding_side, form);
    const known = ownCausal(state);
    own.textContent = known === null ? "" : known ? " (on)" : " (off)";
    slider.max = String(Math.max(n, (window ?? 0) + 1, 2));
    slider.value = window === null ? slider.max : String(window);
    output.textContent =
      window === null ? "off" : window === 1 ? "itself only" : `${window} tokens`;
    hint.classList.toggle("wide", Boolean(lacks));
    hint.textContent = lacks
      ? `This model shows its patterns only, and takes no masks and no mutes: ${lacks}.`
      : advice(state, causal ?? known ?? false);
  });
}

/** @param {import("../../types.d.ts").Answer | null} grid */
function padded(grid) {
  if (!grid) return false;
  const { tokens, target_tokens } = grid.trace;
  return [...tokens, ...(target_tokens ?? [])].some((row) => row.some(({ padding }) => padding));
}

/**
 * @param {Readonly<State>} state
 * @param {boolean} causal in force
 */
function advice({ masks, kind, grid }, causal) {
  if (kind === "cross") {
    return "Cross-attention itself has no causal mask and no window: those are of the other sites.";
  }
  if (!padded(grid)) return "Padding needs a second sentence of another length.";
  if (causal && masks.padding_side === "right") {
    return "Padding on the right lies in the future of every real token: while the causal mask is on, masking it changes nothing for them.";
  }
  return "";
}
