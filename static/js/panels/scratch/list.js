// The list of what goes wrong on purpose, and that of what people believe: each a switch, a sentence, and what it did in
// numbers.

import { make } from "../../dom/dom.js";

/** @typedef {{id: string, name: string, sentence: string}} Entry */
/**
 * How an entry stands.
 * @typedef {object} Shown
 * @property {boolean} on
 * @property {string} why it cannot be had; "": it can
 * @property {string} brings what else turning it on changes
 * @property {string} said what it did, in numbers
 */

/**
 * @template {Entry} E
 * @param {HTMLElement} root
 * @param {E[]} entries
 * @param {(entry: E, on: boolean) => void} turn
 */
export function list(root, entries, turn) {
  const lines = entries.map((entry) => {
    const input = make("input");
    input.type = "checkbox";
    const line = { barred: false };
    input.addEventListener("change", () => {
      const wanted = input.checked;
      input.checked = !wanted; // until the state says so
      if (!line.barred) turn(entry, wanted);
    });
    const sentence = make("span", { text: entry.sentence, class: "hint" });
    const more = make("span", { class: "hint" });
    const said = make("p", { class: "consequence" });
    said.setAttribute("role", "status");
    [sentence, more].forEach((one, place) => {
      one.id = `${entry.id}-about-${place}`;
    });
    input.setAttribute("aria-describedby", `${sentence.id} ${more.id}`);
    const label = make("label", {}, [input, make("b", { text: entry.name })]);
    const item = make("li", {}, [label, sentence, document.createTextNode(" "), more, said]);
    item.dataset.entry = entry.id;
    root.append(item);
    return { entry, line, input, more, said, item };
  });
  return {
    /** @param {(entry: E) => Shown} of */
    show: (of) => {
      for (const { entry, line, input, more, said, item } of lines) {
        const { on, why, brings, said: words } = of(entry);
        input.checked = on;
        line.barred = why !== "" && !on;
        // the keyboard keeps its place: what is disabled loses the focus
        input.disabled = line.barred && document.activeElement !== input;
        input.setAttribute("aria-disabled", String(line.barred));
        item.classList.toggle("on", on);
        more.textContent = on ? "" : why || (brings && `Turning it on, ${brings}.`);
        if (said.textContent !== words) said.textContent = words;
      }
    },
  };
}
