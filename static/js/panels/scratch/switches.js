// A list of switches, for the mistakes and the beliefs: each with a sentence about it, and what it did in numbers.

import { make, write } from "../../dom/dom.js";

/** @typedef {{id: string, name: string, sentence: string}} Entry */
/**
 * The state of a switch.
 * @typedef {object} Shown
 * @property {boolean} on
 * @property {string} why why it cannot be turned on; "" if it can
 * @property {string} also what else turning it on changes; "" for nothing
 * @property {string} result what it did, in numbers
 */

/**
 * @template {Entry} E
 * @param {HTMLElement} root
 * @param {E[]} entries
 * @param {(entry: E, on: boolean) => void} toggle
 */
export function switches(root, entries, toggle) {
  const lines = entries.map((entry) => {
    const input = make("input");
    input.type = "checkbox";
    const line = { available: true };
    input.addEventListener("change", () => {
      const on = input.checked;
      input.checked = !on; // until the state says so
      if (line.available) toggle(entry, on);
    });
    const sentence = make("span", { text: entry.sentence, class: "hint" });
    const more = make("span", { class: "hint" });
    const result = make("p", { class: "consequence" });
    result.setAttribute("role", "status");
    [sentence, more].forEach((one, index) => {
      one.id = `${entry.id}-about-${index}`;
    });
    input.setAttribute("aria-describedby", `${sentence.id} ${more.id}`);
    const label = make("label", {}, [input, make("b", { text: entry.name })]);
    const item = make("li", {}, [label, sentence, document.createTextNode(" "), more, result]);
    item.dataset.entry = entry.id;
    root.append(item);
    return { entry, line, input, more, result, item };
  });
  return {
    /** @param {(entry: E) => Shown} stateOf */
    show: (stateOf) => {
      for (const { entry, line, input, more, result, item } of lines) {
        const { on, why, also, result: text } = stateOf(entry);
        input.checked = on;
        line.available = on || why === "";
        // disabling a control would take the focus from it
        input.disabled = !line.available && document.activeElement !== input;
        input.setAttribute("aria-disabled", String(!line.available));
        item.classList.toggle("on", on);
        more.textContent = on ? "" : why || also;
        write(result, text);
      }
    },
  };
}
