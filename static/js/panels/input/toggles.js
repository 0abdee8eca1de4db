// Masks as switches that are on or off, for readers who need no more.

import { make } from "../../dom/dom.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { modelIn, ownCausal } from "../../state/choice.js";
import { MASKS } from "../../state/masks.js";

/** @param {HTMLElement} root @param {import("../../state/store.js").Store} store */
export function toggles(root, store) {
  const switches = MASKS.flatMap(({ name, toggle }) => {
    if (!toggle) return [];
    const input = make("input");
    Object.assign(input, { type: "checkbox", name: `toggle-${name}` });
    input.setAttribute("role", "switch");
    input.addEventListener("change", () => {
      const { masks } = store.state;
      const value = toggle.value(input.checked, ownCausal(store.state));
      store.update({ masks: { ...masks, [name]: value } });
    });
    root.append(make("label", { class: "switch" }, [input, make("span", { text: toggle.label })]));
    return [{ name, toggle, input }];
  });
  store.watch([...MODEL_KEYS, "masks", "kind"], (state) => {
    for (const { name, toggle, input } of switches) {
      input.checked = toggle.isOn(state.masks[name], ownCausal(state));
      input.disabled = Boolean(modelIn(state).lacks);
    }
  });
}
