// Fields of the forms that stand at the side of a page.

import { make } from "./dom.js";

/** @param {readonly (readonly [value: string, text: string])[]} options */
export function select(options) {
  const root = make("select");
  offer(root, options);
  return root;
}

/** Offer other choices; what was chosen stays, if it is among them. @param {HTMLSelectElement} root @param {readonly (readonly [value: string, text: string])[]} options */
export function offer(root, options) {
  const was = root.options.length > 0 ? root.value : null;
  root.replaceChildren(
    ...options.map(([value, text]) => {
      const option = make("option", { text });
      option.value = value;
      return option;
    }),
  );
  if (was !== null && options.some(([value]) => value === was)) root.value = was;
}

/** @param {string} text @param {HTMLElement} field @param {{title?: string, tall?: boolean}} [options] `tall`: the name above the field */
export function labelled(text, field, { title, tall = false } = {}) {
  const name = make("span", { text });
  return make("label", { class: tall ? "side-field tall" : "side-field", title }, [name, field]);
}
