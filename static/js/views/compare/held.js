// The buttons that choose side A of a comparison.

import { button, make } from "../../dom/dom.js";
import {
  beforeOf,
  comparing,
  heldOf,
  shows,
  swapped,
  transposeOf,
  uneditedOf,
} from "../../state/against.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */

const KEYS = /** @type {const} */ ([
  ...["view", "against", "past", "models", "model", "scratch", "texts", "targets", "pairs"],
  ...["masks", "muted", "kind", "layer", "head", "shown"],
]);

/** One button each: what A becomes, and when the button is available. */
const CHOICES = [
  {
    name: "Hold this as A",
    about: "The current view becomes A; B follows your changes",
    act: (/** @type {Readonly<State>} */ state) => comparing(heldOf(state)),
    has: (/** @type {Readonly<State>} */ state) => !holds(state, heldOf(state)),
  },
  {
    name: "Before the last change",
    about: "A is this head before the last change of masks, mutes or settings",
    act: (/** @type {Readonly<State>} */ state) => withBefore(state),
    has: (/** @type {Readonly<State>} */ state) => beforeOf(state) !== null,
  },
  {
    name: "Without masks and mutes",
    about: "A is this head without any of your edits",
    act: (/** @type {Readonly<State>} */ state) => comparing(uneditedOf(state)),
    has: (/** @type {Readonly<State>} */ state) => !holds(state, uneditedOf(state)),
  },
  {
    name: "Transposed",
    about: "A is this head with keys and queries exchanged: what j gives i, beside what i gives j",
    act: (/** @type {Readonly<State>} */ state) => comparing(transposeOf(state)),
    has: (/** @type {Readonly<State>} */ state) =>
      state.kind !== "cross" && !holds(state, transposeOf(state)),
  },
  {
    name: "Swap A and B",
    about: "Select A, and hold the current selection",
    act: swapped,
    has: (/** @type {Readonly<State>} */ state) => state.against !== null,
  },
  {
    name: "Let go",
    about: "Hold nothing",
    act: () => ({ against: null }),
    has: (/** @type {Readonly<State>} */ state) => state.against !== null,
  },
];

/** @param {Store} store @returns {HTMLElement} */
export function holdingTools(store) {
  const bar = make("div", { class: "compare-tools" });
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "What A is");
  const buttons = CHOICES.map(({ name, about, act }) => {
    const choose = () => {
      if (element.getAttribute("aria-disabled") !== "true") store.update(act(store.state));
    };
    const element = button(name, choose, { title: about });
    bar.append(element);
    return element;
  });
  store.watch([...KEYS], (state) => {
    // not really disabled, so that keyboard users keep their focus
    buttons.forEach((button, place) => {
      button.setAttribute("aria-disabled", String(!CHOICES[place].has(state)));
    });
  });
  return bar;
}

/** A comparison with the state before the last change, if there is one. @param {Readonly<State>} state */
function withBefore(state) {
  const before = beforeOf(state);
  return before ? comparing(before) : {};
}

/** Whether this A is held. @param {Readonly<State>} state @param {import("../../types.d.ts").Against} against */
const holds = (state, against) => shows({ ...state, view: "compare" }, against);
