// The interventions of the run beside the masks, each with a button that takes it back.

import { button, make } from "../../dom/dom.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */

/** @param {HTMLElement} list @param {Store} store @param {() => void} whenEmpty moves the focus when the last one is gone */
export function interventionChips(list, store, whenEmpty) {
  store.watch(["interventions"], ({ interventions }) => {
    list.hidden = interventions.length === 0;
    list.replaceChildren(
      ...interventions.map((one, index) => {
        const text = words.chip(one);
        const act = button(`${text} ✕`, () => {
          const left = store.state.interventions.filter((_, at) => at !== index);
          store.update({ interventions: left });
          const next = list.querySelectorAll("button")[Math.min(index, left.length - 1)];
          if (next instanceof HTMLElement) next.focus();
          else whenEmpty();
        });
        act.classList.add("count");
        act.setAttribute("aria-label", words.remove(text));
        return make("li", {}, [act]);
      }),
    );
  });
}
