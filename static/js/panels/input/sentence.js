// The sentence boxes, each with a second segment or a target if the model takes one.

import { button, make, need } from "../../dom/dom.js";
import { onTyped } from "../../dom/keys.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { aligned, modelIn } from "../../state/choice.js";
import { withoutText } from "../../state/painted/follow.js";
import {
  BESIDE,
  besideLabel,
  REMOVE,
  REMOVE_SEGMENTS,
  removeLabel,
  TEXT_HINT,
  textLabel,
  textTag,
} from "../../words/sentence.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Beside } from "../../words/sentence.js" */
/** @typedef {Partial<Pick<State, "texts" | Beside>>} Typed the list of texts that changed */

/** The boxes in which an input method is composing: nothing else may write there. @type {WeakSet<HTMLTextAreaElement>} */
const composed = new WeakSet();

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {object} options
 * @param {{characters: number, texts: number}} options.limits
 * @param {HTMLButtonElement} [options.add] adds a sentence; without it no sentence can be added or removed
 * @param {HTMLButtonElement} [options.addPair] adds second segments; without it they cannot be added or removed
 * @param {boolean} [options.named] whether every box shows its name
 * @param {(typed: Typed) => void} [options.onType] instead of a change of the store
 */
export function sentences(root, store, { limits, add, addPair, named = false, onType }) {
  /** @param {"texts" | Beside} key @param {number} place @param {string} text */
  const write = (key, place, text) => {
    const { texts, shown, query } = store.state;
    const typed = { [key]: aligned(store.state[key] ?? [], texts.length).with(place, text) };
    if (onType) onType(typed);
    else {
      store.update({ ...typed, shown: place, query: shown === place ? kept(key, query) : null });
    }
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
    need(`textarea[data-key="${key}"]`, HTMLTextAreaElement, root.children[place]);

  /** @param {"texts" | Beside} key @param {number} place @param {{label: string, hint: string}} words */
  const textArea = (key, place, { label, hint }) => {
    const area = make("textarea", { verbatim: true });
    Object.assign(area, { rows: 1, spellcheck: false, autocomplete: "off", placeholder: hint });
    area.dataset.key = key;
    area.setAttribute("aria-label", label);
    area.maxLength = limits.characters;
    onTyped(area, () => write(key, place, area.value));
    area.addEventListener("keydown", (event) => {
      const { key, shiftKey, isComposing } = event;
      // who presses Enter wants an answer, which is there already; a line more takes Shift
      if (key === "Enter" && !shiftKey && !isComposing && store.state.depth === "start")
        event.preventDefault();
    });
    area.addEventListener("compositionstart", () => composed.add(area));
    area.addEventListener("compositionend", () => composed.delete(area));
    return area;
  };

  /** Add a sentence with one box. */
  const build = () => {
    const place = root.children.length;
    const words = { label: textLabel(place + 1), hint: TEXT_HINT };
    const row = make("div", { class: "box" }, [
      make("span", { class: "box-tag" }),
      textArea("texts", place, words),
    ]);
    if (add) {
      const close = button(REMOVE, () => remove(place), { class: "quiet" });
      close.dataset.remove = "";
      close.setAttribute("aria-label", removeLabel(place + 1));
      row.append(close);
    }
    root.append(make("div", { class: "sentence" }, [row]));
  };

  /** Add or remove the second box of a sentence. @param {number} place @param {Beside | null} key */
  const setBeside = (place, key) => {
    const sentence = root.children[place];
    const old = sentence.querySelector(".beside");
    const tag = need(".box-tag", HTMLElement, sentence);
    const single = store.state.texts.length === 1;
    tag.hidden = key === null && single && !named;
    tag.textContent = key ? BESIDE[key].first : textTag(place + 1, store.state.texts.length);
    if (old instanceof HTMLElement && old.dataset.key === key) return;
    old?.remove();
    if (!key) return;
    const row = make("div", { class: "beside" }, [
      make("span", { text: BESIDE[key].tag, class: "box-tag" }),
      textArea(key, place, { label: besideLabel(key, place + 1), hint: BESIDE[key].hint }),
    ]);
    row.dataset.key = key;
    if (key === "pairs" && addPair) row.append(removeSegments(addPair));
    sentence.append(row);
  };

  /** Second segments are added and removed for all sentences at once: the model takes one for each, or none. @param {HTMLElement} next what gets the focus */
  const removeSegments = (next) => {
    const act = () => {
      store.update({ pairs: null, segments: "all", query: null });
      next.focus();
    };
    const close = button(REMOVE, act, { class: "quiet" });
    close.setAttribute("aria-label", REMOVE_SEGMENTS);
    return close;
  };

  store.watch([...MODEL_KEYS, "texts", "targets", "pairs"], (state) => {
    const { texts } = state;
    const { takes_targets, takes_pairs, recorded } = modelIn(state);
    const beside = takes_targets ? "targets" : takes_pairs && state.pairs ? "pairs" : null;
    while (root.children.length < texts.length) build();
    while (root.children.length > texts.length) root.lastElementChild?.remove();
    texts.forEach((text, index) => {
      setBeside(index, beside);
      fill(box(index), text);
      if (beside) fill(box(index, beside), state[beside]?.[index] ?? "");
      if (add)
        need("[data-remove]", HTMLButtonElement, root.children[index]).hidden =
          texts.length === 1 || Boolean(recorded);
    });
    for (const area of root.querySelectorAll("textarea")) area.readOnly = Boolean(recorded);
    if (add) add.disabled = texts.length >= limits.texts || Boolean(recorded);
    if (addPair) addPair.hidden = !takes_pairs || state.pairs !== null || Boolean(recorded);
  });

  add?.addEventListener("click", () => {
    const lists = lengthened(store.state, 1, (texts) => texts);
    store.update({ ...lists, shown: lists.texts.length - 1, query: null });
    box(lists.texts.length - 1).focus();
  });
  addPair?.addEventListener("click", () => {
    store.update({ pairs: aligned([], store.state.texts.length), query: null });
    box(store.state.shown, "pairs").focus();
  });
}

/** @param {HTMLTextAreaElement} area @param {string} text */
const fill = (area, text) => {
  if (area.value !== text && !composed.has(area)) area.value = text; // setting it would move the cursor
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
