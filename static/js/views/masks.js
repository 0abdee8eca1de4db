// The masks that the reader may toggle, and a word on what to expect of them.

import { isPadding } from "./detail.js";
import { check, need } from "./dom.js";

/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Masks} Masks */

const CAUSAL = /** @type {const} */ ({ own: null, on: true, off: false });

/** @param {Store} store @param {(name: string) => Model} modelOf */
export function masks(store, modelOf) {
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
    const open = slider.value === slider.max; // the far end of the slider is no window
    set({ window: open ? null : Number(slider.value) });
  });

  store.watch(["masks", "model", "grid"], ({ masks: chosen, model, grid }) => {
    const { causal, padding, padding_side, window } = chosen;
    const n = grid?.trace.tokens[0]?.length ?? 2;
    check("causal", causal === null ? "own" : causal ? "on" : "off", form);
    check("padding", padding ? "on" : "off", form);
    check("padding_side", padding_side, form);
    const known = modelOf(model).causal; // null until the model is loaded
    own.textContent = known === null ? "" : known ? " (on)" : " (off)";
    slider.max = String(Math.max(n, (window ?? 0) + 1, 2));
    slider.value = window === null ? slider.max : String(window);
    output.textContent =
      window === null ? "off" : window === 1 ? "itself only" : `${window} tokens`;
    hint.textContent = advice(chosen, causal ?? known ?? false, padded(grid));
  });
}

/** @param {import("../types.d.ts").Answer | null} grid */
function padded(grid) {
  if (!grid) return false;
  return grid.trace.tokens.some((row) => row.some((token) => isPadding(grid.trace, token)));
}

/**
 * @param {Masks} chosen
 * @param {boolean} causal in force
 * @param {boolean} hasPadding
 */
function advice({ padding_side }, causal, hasPadding) {
  if (!hasPadding)
    return "Padding appears when a second sentence is longer or shorter than the first.";
  if (causal && padding_side === "right") {
    return "Padding on the right lies in the future of every real token: while the causal mask is on, masking it changes nothing for them.";
  }
  return "";
}
