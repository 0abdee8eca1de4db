// The clean sentence, typed, and what is patched.

import { button, check, make, radio, unique } from "../../dom/dom.js";
import { composes } from "../../dom/keys.js";
import { modelIn } from "../../state/choice.js";
import { atOf, placesOf, textIn } from "./request.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

/** @param {Store} store */
export function cleanForm(store) {
  const field = make("textarea", { class: "patch-clean", verbatim: true });
  Object.assign(field, { rows: 1, spellcheck: false, name: "clean" });
  const go = make("button", { text: words.FORM.go });
  const swap = button(words.FORM.swap, () => exchange(), { title: words.FORM.swapTitle });
  const form = make("form", { class: "patch-form" }, [
    make("label", { class: "field tall" }, [make("span", { text: words.FORM.label }), field]),
    make("div", { class: "patch-acts" }, [go, swap]),
  ]);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    store.update({ clean: field.value });
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || composes(event)) return;
    event.preventDefault();
    form.requestSubmit();
  });

  function exchange() {
    const { state } = store;
    const shown = textIn(state);
    const texts = state.texts.map((text, index) => (index === shown ? field.value : text));
    store.update({ texts, clean: state.texts[shown] });
  }

  // until a sentence is compared, the field offers the text itself, to change a word of it
  let offered = "";
  store.watch(["clean", "texts", "shown"], (state) => {
    const text = state.texts[textIn(state)] ?? "";
    const untouched = field.value === offered;
    if (state.clean) field.value = state.clean;
    else if (untouched) field.value = text;
    offered = state.clean ? "" : text;
    swap.disabled = !state.clean;
  });
  store.watch(["patch"], ({ patch }) => {
    const wrong = patch?.problem?.field?.startsWith("analyse.patching.clean");
    field.setAttribute("aria-invalid", String(Boolean(wrong)));
  });
  return form;
}

/** What is patched, and what a cell is. @param {Store} store */
export function settings(store) {
  const place = make("select");
  const at = make("label", { class: "field" }, [make("span", { text: words.SETTINGS.at }), place]);
  const group = unique("patched-by");
  const by = make("fieldset", { class: "segments" }, [
    radio(group, "position", words.SETTINGS.position, words.SETTINGS.positionTitle),
    radio(group, "head", words.SETTINGS.head, words.SETTINGS.headTitle),
  ]);
  by.setAttribute("aria-label", words.SETTINGS.by);
  const kind = make("div", { class: "field" }, [make("span", { text: words.SETTINGS.by }), by]);

  place.addEventListener("change", () => {
    store.update({ patched_at: /** @type {State["patched_at"]} */ (place.value) });
  });
  by.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    store.update({ patched_by: target.value === "head" ? "head" : "position" });
  });
  store.watch(["patched_at", "patched_by", "model", "models", "answer"], (state) => {
    const model = modelIn(state);
    const places = placesOf(model);
    place.replaceChildren(
      ...places.map((name) => {
        const option = make("option", { text: words.SETTINGS.places[name] });
        option.value = name;
        return option;
      }),
    );
    const chosen = atOf(state, model);
    if (chosen) place.value = chosen;
    kind.hidden = chosen !== "head";
    check(group, state.patched_by, by);
  });
  return make("div", { class: "patch-settings" }, [at, kind]);
}
