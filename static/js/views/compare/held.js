// The buttons that choose side A of a comparison.

import { button, make } from "../../dom/dom.js";
import {
  beforeOf,
  comparing,
  heldOf,
  SIDE_KEYS,
  shows,
  swapped,
  transposeOf,
  uneditedOf,
} from "../../state/against.js";
import { TOOLS } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

/** The buttons: what each does, and when it is available. */
const CHOICES = [
  {
    words: TOOLS.hold,
    act: (/** @type {Readonly<State>} */ state) => comparing(heldOf(state)),
    has: (/** @type {Readonly<State>} */ state) => !holds(state, heldOf(state)),
  },
  {
    words: TOOLS.before,
    act: (/** @type {Readonly<State>} */ state) => withBefore(state),
    has: (/** @type {Readonly<State>} */ state) => beforeOf(state) !== null,
  },
  {
    words: TOOLS.unedited,
    act: (/** @type {Readonly<State>} */ state) => comparing(uneditedOf(state)),
    has: (/** @type {Readonly<State>} */ state) => !holds(state, uneditedOf(state)),
  },
  {
    words: TOOLS.transposed,
    act: (/** @type {Readonly<State>} */ state) => comparing(transposeOf(state)),
    has: (/** @type {Readonly<State>} */ state) =>
      state.kind !== "cross" && !holds(state, transposeOf(state)),
  },
  {
    words: TOOLS.swap,
    act: swapped,
    has: (/** @type {Readonly<State>} */ state) => state.against !== null,
  },
  {
    words: TOOLS.drop,
    act: () => ({ against: null }),
    has: (/** @type {Readonly<State>} */ state) => state.against !== null,
  },
];

/** @param {Store} store @returns {HTMLElement} */
export function holdingTools(store) {
  const bar = make("div", { class: "compare-tools" });
  bar.dataset.only = "full start";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", TOOLS.label);
  const buttons = CHOICES.map(({ words: [name, about], act }) => {
    const choose = () => {
      if (element.getAttribute("aria-disabled") !== "true") store.update(act(store.state));
    };
    const element = button(name, choose, { title: about });
    bar.append(element);
    return element;
  });
  store.watch(["view", "against", "past", "models", ...SIDE_KEYS], (state) => {
    // not really disabled, so that keyboard users keep their focus
    buttons.forEach((button, index) => {
      button.setAttribute("aria-disabled", String(!CHOICES[index].has(state)));
    });
  });
  return bar;
}

/** Compare with the state before the last change, if there is one. @param {Readonly<State>} state */
function withBefore(state) {
  const before = beforeOf(state);
  return before ? comparing(before) : {};
}

/** Whether this A is held already. @param {Readonly<State>} state @param {import("../../types.d.ts").Against} against */
const holds = (state, against) => shows({ ...state, view: "compare" }, against);
