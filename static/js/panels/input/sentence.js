// The sentence boxes, each with a second segment or a target if the model takes one.

import { make, need } from "../../dom/dom.js";
import { aligned, modelIn } from "../../state/choice.js";
import { withoutText } from "../../state/painted/follow.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").Boot} Boot */
/** @typedef {import("../../types.d.ts").State} State */

/** The second box of a sentence: its key in the state, and its labels. */
const BESIDE = /** @type {const} */ ({
  pairs: { tag: "B", name: "Second segment", hint: "Type a second segment …", first: "A" },
  targets: {
    tag: "Target",
    name: "Target",
    hint: "What the decoder has written so far …",
    first: "Source",
  },
});
/** @typedef {keyof typeof BESIDE} Beside */

/** @param {Store} store @param {Boot} boot */
export function sentences(store, boot) {
  const list = need("#sentences", HTMLElement);
  const template = need("#sentence-template", HTMLTemplateElement);
  const add = need("#add-sentence", HTMLButtonElement);
  const addPair = need("#add-pair", HTMLButtonElement);

  /** @param {"texts" | Beside} key @param {number} place @param {string} text */
  const write = (key, place, text) => {
    const { texts, shown, query } = store.state;
    const boxes = aligned(store.state[key] ?? [], texts.length).with(place, text);
    store.update({ [key]: boxes, shown: place, query: shown === place ? kept(key, query) : null });
  };

  /** @param {number} place */
  const remove = (place) => {
    const { shown, masks } = store.state;
    const lists = lengthened(store.state, 0, (texts) => texts.toSpliced(place, 1));
    const left = { masks: withoutText(masks, place), query: null };
    store.update({ ...lists, ...left, shown: Math.min(shown, lists.texts.length - 1) });
    box(Math.min(place, lists.texts.length - 1)).focus();
  };

  /** @param {number} place @param {string} key */
  const box = (place, key = "texts") =>
    need(`textarea[data-key="${key}"]`, HTMLTextAreaElement, list.children[place]);

  const build = () => {
    const row = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const place = list.children.length;
    listen(need("textarea", HTMLTextAreaElement, row), "texts", place, `Sentence ${place + 1}`);
    const button = need("[data-remove]", HTMLButtonElement, row);
    button.setAttribute("aria-label", `Remove sentence ${place + 1}`);
    button.addEventListener("click", () => remove(place));
    list.append(row);
  };

  /** @param {HTMLTextAreaElement} area @param {"texts" | Beside} key @param {number} place @param {string} name */
  const listen = (area, key, place, name) => {
    area.dataset.key = key;
    area.setAttribute("aria-label", name);
    area.maxLength = boot.limits.characters;
    area.addEventListener("input", () => write(key, place, area.value));
  };

  /** Add or remove the second box of a sentence. @param {number} place @param {Beside | null} key */
  const put = (place, key) => {
    const sentence = list.children[place];
    const old = sentence.querySelector(".beside");
    const tag = need(".box-tag", HTMLElement, sentence);
    tag.hidden = key === null;
    tag.textContent = key && BESIDE[key].first;
    if (old instanceof HTMLElement && old.dataset.key === key) return;
    old?.remove();
    if (!key) return;
    const { tag: letter, name, hint } = BESIDE[key];
    const area = make("textarea");
    Object.assign(area, { rows: 1, spellcheck: false, autocomplete: "off", placeholder: hint });
    listen(area, key, place, `${name} of sentence ${place + 1}`);
    const row = make("div", { class: "beside" }, [
      make("span", { text: letter, class: "box-tag" }),
      area,
    ]);
    row.dataset.key = key;
    if (key === "pairs") row.append(closing());
    sentence.append(row);
  };

  /** Second segments are added and removed for all sentences at once: the model takes one for each, or none. */
  const closing = () => {
    const button = make("button", { text: "Remove", class: "quiet" });
    button.type = "button";
    button.setAttribute("aria-label", "Remove the second segments");
    button.addEventListener("click", () => {
      store.update({ pairs: null, segments: "all", query: null });
      addPair.focus();
    });
    return button;
  };

  store.watch(["texts", "targets", "pairs", "model", "models", "scratch"], (state) => {
    const { texts } = state;
    const { takes_targets, takes_pairs } = modelIn(state);
    const beside = takes_targets ? "targets" : takes_pairs && state.pairs ? "pairs" : null;
    while (list.children.length < texts.length) build();
    while (list.children.length > texts.length) list.lastElementChild?.remove();
    texts.forEach((text, place) => {
      put(place, beside);
      fill(box(place), text);
      if (beside) fill(box(place, beside), state[beside]?.[place] ?? "");
      need("[data-remove]", HTMLButtonElement, list.children[place]).hidden = texts.length === 1;
    });
    add.disabled = texts.length >= boot.limits.texts;
    addPair.hidden = !takes_pairs || state.pairs !== null;
  });

  add.addEventListener("click", () => {
    const lists = lengthened(store.state, 1, (texts) => texts);
    store.update({ ...lists, shown: lists.texts.length - 1, query: null });
    box(lists.texts.length - 1).focus();
  });
  addPair.addEventListener("click", () => {
    store.update({ pairs: aligned([], store.state.texts.length), query: null });
    box(store.state.shown, "pairs").focus();
  });
}

/** @param {HTMLTextAreaElement} area @param {string} text */
const fill = (area, text) => {
  if (area.value !== text) area.value = text; // setting it would move the cursor
};

/**
 * A new text moves the tokens, so the query is cleared; a new target does not move the tokens of the source.
 * @param {string} key
 * @param {number | null} query
 */
const kept = (key, query) => (key === "targets" ? query : null);

/**
 * Extend the lists of texts, targets and pairs, then change them in the same way.
 * @param {Readonly<State>} state
 * @param {number} by
 * @param {(texts: string[]) => string[]} change
 */
function lengthened({ texts, targets, pairs }, by, change) {
  const n = texts.length;
  return {
    texts: change(aligned(texts, n + by)),
    targets: change(aligned(targets, n + by)),
    pairs: pairs && change(aligned(pairs, n + by)),
  };
}
