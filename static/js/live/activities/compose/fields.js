// The fields of the desk's forms for new questions.

import { make } from "../../../dom/dom.js";
import * as words from "./words.js";

const MAX_TEXT = 500;

/**
 * @template {HTMLElement} T
 * @param {string} name
 * @param {T} input
 */
export const field = (name, input) =>
  make("label", { class: "compose-field" }, [make("span", { text: name }), input]);

/** The question itself. @param {string} [text] */
export function textField(text = "") {
  const input = make("textarea", { verbatim: true });
  Object.assign(input, { maxLength: MAX_TEXT, rows: 2, value: text });
  return {
    input,
    root: field(words.TEXT, input),
    /** @throws {Error} if it is empty */
    read: () => {
      const written = input.value.trim();
      if (written === "") throw new Error(words.NO_TEXT);
      return written;
    },
  };
}

/** @param {{value: string, text: string}[]} options */
export function select(options) {
  const input = make("select");
  input.replaceChildren(...optionsOf(options));
  return input;
}

/** @param {{value: string, text: string}[]} options */
export const optionsOf = (options) =>
  options.map(({ value, text }) => {
    const option = make("option", { text });
    option.value = value;
    return option;
  });

/**
 * A chooser of the questions that the server has ready, if it has some of this kind.
 * @param {HTMLElement} root where it is put, at the front, once they have arrived
 * @param {string} kind
 * @param {import("../types.d.ts").DeskApi} api
 * @param {(question: any) => void} choose null: the teacher writes one
 */
export async function readyQuestions(root, kind, api, choose) {
  const all = (await api.ready?.()) ?? [];
  const known = all.filter((each) => each.kind === kind);
  if (known.length === 0) return;
  const input = select([
    { value: "", text: words.OWN },
    ...known.map(({ title }, index) => ({ value: String(index), text: title })),
  ]);
  input.addEventListener("change", () =>
    choose(input.value === "" ? null : known[Number(input.value)].question),
  );
  root.prepend(field(words.READY, input));
}
