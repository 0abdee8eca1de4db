// One suggestion of what to do next, with a button that does it.

import { edited } from "../../asking/requests.js";
import { button, make } from "../../dom/dom.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { beforeOf, comparing } from "../../state/against.js";
import { modelIn, toggleMute } from "../../state/choice.js";
import { undoEdit } from "../../state/history.js";
import * as words from "./words.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {{title: string, show: () => void}} Following the next example */

/**
 * @typedef {object} Step
 * @property {(state: Readonly<State>) => boolean} fits whether it makes sense now
 * @property {(following: Following | null) => import("./words.js").Suggestion} words
 * @property {(state: Readonly<State>, following: Following | null) => Partial<State> | null | void} act
 */

/** The first that fits is suggested: from muting a head through what it changed to the next example. @type {readonly Step[]} */
const STEPS = [
  {
    fits: (state) => edited(state) && state.view !== "compare" && beforeOf(state) !== null,
    words: () => words.COMPARE,
    act: (state) => {
      const before = beforeOf(state);
      return before && comparing(before);
    },
  },
  {
    fits: (state) => edited(state) && undoEdit(state) !== null,
    words: () => words.UNDO,
    act: (state) => ({ ...undoEdit(state), view: "heatmap" }),
  },
  {
    fits: (state) => canMute(state) && !edited(state) && state.future.length === 0,
    words: () => words.MUTE,
    act: toggleMute,
  },
];
/** When none of them fits. @type {Omit<Step, "fits">} */
const ANOTHER = {
  words: (following) => words.another(following?.title ?? ""),
  act: (_, following) => following?.show(),
};

/** Whether muting changes a prediction. @param {Readonly<State>} state */
function canMute(state) {
  const { lacks, predicts } = modelIn(state);
  return !lacks && predicts !== null;
}

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {() => Following | null} following
 */
export function nextStep(root, store, following) {
  /** @type {Omit<Step, "fits">} */
  let step = ANOTHER;
  const said = make("span");
  const act = button("", () => store.update(step.act(store.state, following()) ?? {}));
  root.append(said, act);
  store.watch([...MODEL_KEYS, "masks", "muted", "view", "past", "future", "texts"], (state) => {
    const example = following();
    step = STEPS.find(({ fits }) => fits(state)) ?? ANOTHER;
    root.hidden = step === ANOTHER && !example;
    const suggestion = step.words(example);
    said.textContent = suggestion.text;
    act.textContent = suggestion.button;
  });
}
