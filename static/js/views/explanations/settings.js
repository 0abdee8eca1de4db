// The switches above the table: how tokens are ranked, and which count.

import { make, radio, unique } from "../../dom/dom.js";
import * as words from "./words.js";

/** @param {import("../../state/store.js").Store} store */
export function settings(store) {
  return make("div", { class: "explanations-settings" }, [
    choice(store, "ranked", words.RANKED),
    choice(store, "counted", words.COUNTED),
  ]);
}

/**
 * @template {"ranked" | "counted"} K
 * @param {import("../../state/store.js").Store} store
 * @param {K} key
 * @param {{label: string, options: Record<string, string>, titles?: Record<string, string>}} row
 */
function choice(store, key, { label, options, titles }) {
  const group = unique(`explanations-${key}`);
  const radios = Object.entries(options).map(([value, text]) =>
    radio(group, value, text, titles?.[value]),
  );
  const field = make("fieldset", { class: "segments" }, radios);
  field.setAttribute("aria-label", label);
  field.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) store.update({ [key]: target.value });
  });
  store.watch([key], (state) => {
    for (const input of field.querySelectorAll("input")) {
      input.checked = input.value === state[key];
    }
  });
  return make("div", { class: "field" }, [make("span", { text: label }), field]);
}
