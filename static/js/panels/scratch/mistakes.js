// What goes wrong, on purpose: switches, and what each did.

import { make } from "../../dom/dom.js";
import { modelIn } from "../../state/choice.js";
import { list } from "./list.js";
import { measured, nowOf } from "./measuring.js";
import { Before, MISTAKES } from "./mistaken.js";

/** @typedef {import("../../state/store.js").Store} Store */

const NONE = "This is nothing that the text and the mechanism can show.";

/** @param {HTMLElement} root @param {Store} store */
export function mistakes(root, store) {
  const lines = make("ul", { class: "switches" });
  root.append(lines);
  const before = new Before();
  const shown = list(lines, MISTAKES, (mistake, on) => {
    const now = nowOf(store.state);
    const { id } = mistake;
    const { state } = store;
    store.update(
      on ? before.on(id, state, mistake.on(now)) : before.off(id, state, mistake.off(now)),
    );
  });
  store.watch(
    [
      "facts",
      "status",
      "reference",
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
    ],
    (state) => {
      const now = nowOf(state);
      if (!modelIn(state).mechanisms || now.model.state !== "ready") return;
      shown.show(({ is, why, brings, measures }) => {
        const on = is(now);
        return {
          ...{ on, why: why?.(now) ?? "", brings: brings?.(now) ?? "" },
          said: on ? (measured(state, measures) ?? NONE) : "",
        };
      });
    },
  );
}
