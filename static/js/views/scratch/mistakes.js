// What goes wrong, on purpose: switches, and what each did.

import { modelIn } from "../../choice.js";
import { MISTAKES } from "../../render/mistakes.js";
import { make } from "../dom.js";
import { list } from "./list.js";
import { measured, nowOf } from "./measuring.js";

/** @typedef {import("../../store.js").Store} Store */

const NONE = "This is nothing that the text and the mechanism can show.";

/** @param {HTMLElement} root @param {Store} store */
export function mistakes(root, store) {
  const lines = make("ul", { class: "switches" });
  root.append(lines);
  const shown = list(lines, MISTAKES, (mistake, on) => {
    const now = nowOf(store.state);
    store.update(on ? mistake.on(now) : mistake.off(now));
  });
  store.watch(
    [
      "facts",
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
          said: on ? measured(state, measures) || NONE : "",
        };
      });
    },
  );
}
