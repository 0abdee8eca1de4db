// Fields of the forms that stand at the side of a page.

import { button, make } from "./dom.js";

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

/** A button that opens a file, and the field behind it. @param {string} text @param {string} accept @param {(file: File) => unknown} take */
export function fileButton(text, accept, take) {
  const field = make("input");
  Object.assign(field, { type: "file", accept, hidden: true });
  field.setAttribute("aria-label", text);
  field.addEventListener("change", () => {
    const [chosen] = field.files ?? [];
    if (chosen) take(chosen);
    field.value = ""; // so that the same file can be chosen again
  });
  return [button(text, () => field.click(), { class: "quiet" }), field];
}
