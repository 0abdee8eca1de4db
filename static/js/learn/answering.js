// The ways in which a question is answered: by one of its options, with a number, or by putting parts in order.

import { button } from "../dom/dom.js";
import { moveDown, moveUp } from "./words.js";

/**
 * @typedef {object} Answering
 * @property {() => boolean} isGiven whether there is an answer to judge
 * @property {() => boolean} isRight
 * @property {() => string} reason why the answer that was given is not right; "": nothing is said about it
 * @property {(shown: boolean) => void} mark mark the right answer, or nothing
 */
/** @typedef {{answer: number | null, number: number | null, within: number}} Right what is right */

/** @param {HTMLElement} root one question @param {Right} right @returns {Answering} */
export function answering(root, right) {
  const parts = root.querySelector(".order");
  if (parts instanceof HTMLElement) return ordering(parts);
  if (right.number !== null) return typing(root, right.number, right.within);
  return choosing(root, right.answer ?? 0);
}

/** @param {HTMLElement} root @param {number} answer @returns {Answering} */
function choosing(root, answer) {
  const inputs = [...root.querySelectorAll("input")];
  const chosen = () => inputs.findIndex((input) => input.checked);
  return {
    isGiven: () => chosen() >= 0,
    isRight: () => chosen() === answer,
    reason: () => textOf(root.querySelector(`[data-wrong="${chosen()}"]`)),
    mark: (shown) =>
      inputs.forEach((input, at) => {
        input.closest("label")?.classList.toggle("right", shown && at === answer);
      }),
  };
}

/** A number as people type it: with a comma or a point. @param {string} typed */
export const numberIn = (typed) => {
  const text = typed
    .trim()
    .replace(/^[≈~]\s*|\.$/gu, "")
    .replace("−", "-")
    .replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
};

/** @param {HTMLElement} root @param {number} right @param {number} within how far off is still right @returns {Answering} */
function typing(root, right, within) {
  const field = /** @type {HTMLInputElement} */ (root.querySelector("input"));
  const isRight = () => Math.abs((numberIn(field.value) ?? Number.NaN) - right) <= within + 1e-9;
  return {
    isGiven: () => numberIn(field.value) !== null,
    isRight,
    reason: () => "",
    mark: (shown) => {
      field.classList.toggle("right", shown && isRight());
    },
  };
}

/** @param {HTMLElement} list @returns {Answering} */
function ordering(list) {
  let isMoved = false; // as it stands on the page it is nobody's answer
  const changed = () => {
    isMoved = true;
    list.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const items = () => /** @type {HTMLElement[]} */ ([...list.children]);
  /** @param {HTMLElement} item @param {number} by */
  const move = (item, by) => {
    const at = items().indexOf(item) + by;
    const other = items()[at];
    if (!other) return;
    if (by < 0) other.before(item);
    else other.after(item);
    changed();
  };
  /** @type {HTMLElement | null} */
  let held = null;
  for (const item of items()) {
    const name = item.querySelector(".step")?.textContent ?? "";
    const keys = [
      { text: "↑", name: moveUp(name), by: -1 },
      { text: "↓", name: moveDown(name), by: 1 },
    ].map(({ text, name: said, by }) => {
      const act = () => {
        move(item, by);
        key.focus();
      };
      const key = button(text, act, { class: "quiet" });
      key.setAttribute("aria-label", said);
      return key;
    });
    item.append(...keys);
    item.draggable = true;
    item.addEventListener("dragstart", ({ dataTransfer }) => {
      held = item;
      dataTransfer?.setData("text/plain", name); // Firefox drags nothing without
    });
    item.addEventListener("dragover", (event) => {
      if (!held) return;
      event.preventDefault();
      const { top, height } = item.getBoundingClientRect();
      if (held === item) return;
      if (event.clientY < top + height / 2) item.before(held);
      else item.after(held);
    });
    item.addEventListener("dragend", () => {
      held = null;
      changed();
    });
  }
  return {
    isGiven: () => isMoved,
    isRight: () => items().every(({ dataset }, at) => dataset.place === String(at)),
    reason: () => "",
    mark: (shown) => {
      for (const [at, item] of items().entries())
        item.classList.toggle("right", shown && item.dataset.place === String(at));
    },
  };
}

/** What a reason says, without the letter of its option. @param {Element | null} element */
const textOf = (element) =>
  element
    ? [...element.childNodes]
        .slice(1)
        .map((node) => node.textContent)
        .join("")
        .trim()
    : "";
