// Which query and key, and what a click on a part switches.

import { button, make, radio, unique } from "../../dom/dom.js";
import * as words from "./words.js";

/**
 * @param {object} act
 * @param {(place: number) => void} act.query
 * @param {(place: number) => void} act.key
 * @param {() => void} act.on switches all parts on
 */
export function controls({ query, key, on }) {
  const queries = chooser(words.LABELS.query, query);
  const keys = chooser(words.LABELS.key, key);
  const name = unique("why-side");
  const here = radio(name, "side", words.LABELS.side);
  const both = radio(name, "both", words.LABELS.both);
  for (const input of here.querySelectorAll("input")) input.checked = true;
  const choice = make("div", { class: "segments" }, [here, both]);
  choice.setAttribute("role", "radiogroup");
  choice.setAttribute("aria-label", words.LABELS.how);
  const sides = make("div", { class: "why-sides" }, [
    make("span", { text: words.LABELS.how, class: "faint" }),
    choice,
  ]);
  const reset = button(words.LABELS.on, on);
  return {
    root: make("div", { class: "why-controls" }, [queries.root, keys.root, sides, reset]),
    /** Whether a click switches a part in queries and keys. */
    isBoth: () => both.querySelector("input")?.checked ?? false,
    /** @param {import("./reading.js").Breakdown} seen @param {boolean} isOff */
    show({ table, queries: asking, keys: asked }, isOff) {
      queries.show(asking, table.query);
      keys.show(asked, table.key);
      reset.hidden = !isOff;
    },
    reset,
  };
}

/** @param {string} text @param {(place: number) => void} choose */
function chooser(text, choose) {
  const select = make("select");
  select.addEventListener("change", () => choose(Number(select.value)));
  let shown = "";
  return {
    root: make("label", {}, [make("span", { text }), select]),
    /** @param {string[]} labels @param {number} place */
    show(labels, place) {
      const of = JSON.stringify(labels);
      if (of !== shown) {
        select.replaceChildren(
          ...labels.map((one, at) => {
            const option = make("option", { text: words.LABELS.token(at, one) });
            option.value = String(at);
            return option;
          }),
        );
        shown = of;
      }
      select.value = String(place);
    },
  };
}
