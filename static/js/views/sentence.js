// The sentence boxes and the model picker: what goes in.

import { make, need } from "./dom.js";

/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("../types.d.ts").Boot} Boot */

/** @param {Store} store @param {Boot} boot */
export function sentences(store, boot) {
  const list = need("#sentences", HTMLElement);
  const template = need("#sentence-template", HTMLTemplateElement);
  const add = need("#add-sentence", HTMLButtonElement);

  /** @param {number} place @param {string} text */
  const write = (place, text) => {
    const texts = store.state.texts.with(place, text);
    store.update({ texts, shown: place, query: null });
  };

  /** @param {number} place */
  const remove = (place) => {
    const texts = store.state.texts.toSpliced(place, 1);
    store.update({ texts, shown: Math.min(store.state.shown, texts.length - 1), query: null });
    box(Math.min(place, texts.length - 1)).focus();
  };

  /** @param {number} place */
  const box = (place) => need("textarea", HTMLTextAreaElement, list.children[place]);

  const build = () => {
    const row = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const area = need("textarea", HTMLTextAreaElement, row);
    const button = need("[data-remove]", HTMLButtonElement, row);
    const place = list.children.length;
    area.setAttribute("aria-label", `Sentence ${place + 1}`);
    area.maxLength = boot.limits.characters;
    area.addEventListener("input", () => write(place, area.value));
    button.setAttribute("aria-label", `Remove sentence ${place + 1}`);
    button.addEventListener("click", () => remove(place));
    list.append(row);
  };

  store.watch(["texts"], ({ texts }) => {
    while (list.children.length < texts.length) build();
    while (list.children.length > texts.length) list.lastElementChild?.remove();
    texts.forEach((text, place) => {
      if (box(place).value !== text) box(place).value = text;
      need("[data-remove]", HTMLButtonElement, list.children[place]).hidden = texts.length === 1;
    });
    add.disabled = texts.length >= boot.limits.texts;
  });

  add.addEventListener("click", () => {
    const texts = [...store.state.texts, ""];
    store.update({ texts, shown: texts.length - 1, query: null });
    box(texts.length - 1).focus();
  });
}

/** @param {Store} store @param {Boot} boot */
export function modelPicker(store, boot) {
  const select = need("#model", HTMLSelectElement);
  for (const { name, description } of boot.models) {
    select.append(make("option", { text: name, title: description }));
  }
  store.watch(["model"], ({ model }) => {
    select.value = model;
  });
  select.addEventListener("change", () => {
    // another model has other heads: begin at its first, with nothing muted
    store.update({
      ...{ model: select.value, layer: 0, head: 0, muted: [], query: null },
      ...{ probe: null, effects: null, lacks: {} }, // these were of the other
    });
  });
}
