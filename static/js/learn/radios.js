// One of a few, as a group of radio buttons: what a figure's switches and choosers are made of.

import { make } from "../dom/dom.js";

let groups = 0; // a name of its own for each: two groups may have one legend

/**
 * @param {string} legend what is chosen
 * @param {(place: number) => void} choose
 */
export function radios(legend, choose) {
  groups += 1;
  const name = `group-${groups}`;
  const root = make("fieldset", { class: "segments" });
  /** @type {string} */
  let shown = "";
  /** @type {HTMLInputElement[]} */
  let inputs = [];
  root.addEventListener("change", ({ target }) => {
    const place = inputs.indexOf(/** @type {HTMLInputElement} */ (target));
    if (place >= 0) choose(place);
  });
  return {
    root,
    /** @param {string[]} labels @param {number} chosen −1: none */
    show: (labels, chosen) => {
      if (labels.join("\n") !== shown) {
        shown = labels.join("\n");
        inputs = labels.map((_, place) => {
          const input = make("input");
          Object.assign(input, { type: "radio", name, value: String(place) });
          return input;
        });
        root.replaceChildren(
          make("legend", { text: legend }),
          ...labels.map((text, place) =>
            make("label", {}, [inputs[place], make("span", { text })]),
          ),
        );
      }
      inputs.forEach((input, place) => {
        input.checked = place === chosen;
      });
    },
  };
}
