// A vote, ready or typed.

import { make } from "../../../dom/dom.js";
import { field, optionsOf, readyQuestions, select, textField } from "./fields.js";
import * as words from "./words.js";

const [MIN, MAX] = [2, 8];

/**
 * @param {HTMLElement} root
 * @param {import("../types.d.ts").ClassDocument} _doc
 * @param {import("../types.d.ts").DeskApi} api
 * @returns {import("../types.d.ts").Composer}
 */
export function composeVote(root, _doc, api) {
  const text = textField();
  const choices = make("textarea", { verbatim: true });
  choices.rows = 4;
  const correct = select([{ value: "", text: words.NO_CORRECT }]);
  /** What a ready question brings besides. @type {object} */
  let brings = {};
  const written = () =>
    choices.value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  const list = () => {
    const { value } = correct;
    correct.replaceChildren(
      ...optionsOf([
        { value: "", text: words.NO_CORRECT },
        ...written().map((text, index) => ({ value: String(index), text })),
      ]),
    );
    correct.value = Number(value) < written().length ? value : "";
  };
  choices.addEventListener("input", list);
  root.replaceChildren(text.root, field(words.CHOICES, choices), field(words.CORRECT, correct));
  readyQuestions(root, "vote", api, (question) => {
    text.input.value = question?.text ?? "";
    choices.value = (question?.choices ?? []).join("\n");
    const { choice, why, reveals } = question ?? {};
    brings = question ? { choice, why, reveals } : {};
    list();
    correct.value = String(question?.correct ?? "");
  });
  return {
    question: () => {
      const lines = written();
      if (lines.length < MIN || lines.length > MAX) throw new Error(words.howManyChoices(MIN, MAX));
      if (new Set(lines).size < lines.length) throw new Error(words.EQUAL_CHOICES);
      return {
        text: text.read(),
        choices: lines,
        correct: correct.value === "" ? null : Number(correct.value),
        ...brings,
      };
    },
  };
}
