// What goes wrong on purpose: a switch for each mistake, and what it did.

import { make } from "../../dom/dom.js";
import { SIDE_KEYS } from "../../state/against.js";
import { modelIn } from "../../state/choice.js";
import { BesideCorrect } from "./beside.js";
import { measuresInWords, nowOf } from "./measures.js";
import { MISTAKES } from "./mistakes.js";
import { Restorer } from "./restore.js";
import { switches } from "./switches.js";
import { SHOWS_NOTHING } from "./words.js";

/** @import { Store } from "../../state/store.js" */

const KEYS = /** @type {const} */ ([
  "facts",
  "reference",
  "status",
  "scratch",
  "masks",
  "texts",
  "kind",
  "model",
  "models",
  "query",
  "shown",
  "layer",
  "head",
]);

/** @param {HTMLElement} root @param {Store} store */
export function mistakeSwitches(root, store) {
  const list = make("ul", { class: "switches" });
  root.append(list);
  const restorer = new Restorer();
  const beside = new BesideCorrect();
  const shown = switches(list, MISTAKES, ({ id, on, off }, turnOn) => {
    const { state } = store;
    const now = nowOf(state);
    const changes = turnOn ? restorer.on(id, state, on(now)) : restorer.off(id, state, off(now));
    const next = { ...state, ...changes };
    store.update({ ...changes, ...(turnOn ? beside.open(next) : beside.follow(next)) });
  });
  store.watch([...SIDE_KEYS, "against", "view", "models"], (state) => {
    if (modelIn(state).state === "ready") store.update(beside.follow(state));
  });
  store.watch(KEYS, (state) => {
    const now = nowOf(state);
    if (!modelIn(state).mechanisms || now.model.state !== "ready") return;
    shown.show(({ is, why, also, measures }) => {
      const on = is(now);
      return {
        on,
        why: why?.(now) ?? "",
        also: also?.(now) ?? "",
        result: on ? (measuresInWords(state, measures) ?? SHOWS_NOTHING) : "",
      };
    });
  });
}
