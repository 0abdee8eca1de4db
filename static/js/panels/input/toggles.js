// Masks as switches that are on or off, for readers who need no more.

import { make } from "../../dom/dom.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { modelIn, ownCausal } from "../../state/choice.js";
import { MASKS } from "../../state/masks.js";
import { hasPadding } from "./masks.js";
import * as words from "./words.js";

/**
 * In one column they stand below the picture, which shows at once what they change.
 * @param {HTMLElement} root
 * @param {HTMLElement} bar of the picture
 * @param {HTMLElement} next what they stand before elsewhere
 */
export function besidePicture(root, bar, next) {
  const column = matchMedia("(max-width: 899px)");
  const place = () => {
    if (column.matches) bar.append(root);
    else next.before(root);
  };
  column.addEventListener("change", place);
  place();
}

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
    const said = make("span", { text: toggle.label });
    const label = make("label", { class: "switch" }, [input, said]);
    root.append(label);
    return [{ name, toggle, input, label, said }];
  });
  store.watch([...MODEL_KEYS, "masks", "kind", "grid"], (state) => {
    for (const { name, toggle, input, label, said } of switches) {
      const isIdle = name === "padding" && state.grid !== null && !hasPadding(state.grid);
      said.textContent = isIdle ? words.idle(toggle.label) : toggle.label;
      label.title = isIdle ? words.NOTHING_TO_PAD : "";
      input.hidden = isIdle; // a switch that changes nothing is none
      const model = modelIn(state);
      const isKnown = model.state === "ready"; // until then it shows what the picture still has
      if (isKnown) input.checked = toggle.isOn(state.masks[name], ownCausal(state));
      input.disabled = !isKnown || Boolean(model.lacks);
    }
  });
}
