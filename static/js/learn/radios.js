// A group of radio buttons: switches and choosers of a figure are made of these.

import { make } from "../dom/dom.js";

let groups = 0; // for a unique name: two groups may have the same legend

/**
 * @param {string} legend
 * @param {(place: number) => void} choose
 */
export function radios(legend, choose) {
  groups += 1;
  const name = `group-${groups}`;
  const root = make("fieldset", { class: "segments" });
  /** The labels, to rebuild the buttons only when they change. */
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
        inputs = labels.map((_, index) => {
          const input = make("input");
          Object.assign(input, { type: "radio", name, value: String(index) });
          return input;
        });
        root.replaceChildren(
          make("legend", { text: legend }),
          ...labels.map((text, index) =>
            make("label", {}, [inputs[index], make("span", { text })]),
          ),
        );
      }
      inputs.forEach((input, index) => {
        input.checked = index === chosen;
      });
    },
  };
}
