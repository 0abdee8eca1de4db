// Mask detective: a mechanism from scratch with one mistake, which the class has to name.

import { make } from "../../../dom/dom.js";
import { correct, MISTAKES } from "../../../panels/scratch/mistakes.js";
import { modelIn } from "../../../state/choice.js";
import { fromQuery } from "../../../state/url.js";
import { field, optionsOf, readyQuestions, select, textField } from "./fields.js";
import { projected, quizOf } from "./projected.js";
import * as words from "./words.js";

/** @import { Selection } from "../measured.js" */

const BASE = "model=scratch&text=the+cat+sat+on+the+mat&layer=0&head=0";
const MAX = 8; // options
const TELLING = ["axis", "no-scale", "padding", "mask-after", "sees-next", "hides-self"]; // those that a picture shows

/**
 * The suspects of a mechanism.
 * @param {Selection} selection
 */
export function suspectsIn(selection) {
  const model = modelIn(selection);
  const choice = correct({ choice: selection, model, row: 1 }); // one mistake at a time
  const now = { choice, model, row: 1 };
  return MISTAKES.filter(({ id, why }) => TELLING.includes(id) && !why?.(now))
    .slice(0, MAX)
    .map(({ name, on }) => ({ name, made: () => ({ ...selection, ...choice, ...on(now) }) }));
}

/**
 * @param {HTMLElement} root
 * @param {import("../types.d.ts").ClassDocument} doc
 * @param {import("../types.d.ts").DeskApi} api
 * @returns {import("../types.d.ts").Composer}
 */
export function composeDetective(root, doc, api) {
  const text = textField(words.WHICH_MISTAKE);
  const about = make("p", { class: "hint" });
  about.setAttribute("role", "status");
  const mistake = select([]);
  root.replaceChildren(text.root, field(words.MISTAKE, mistake), about);
  /** @type {any} */
  let ready = null;
  const made = projected(BASE).then((base) => {
    if (base.model !== "scratch") throw new Error(words.NO_SCRATCH);
    const shown = fromQuery(`?${doc.choice}`, base.models, base, base.texts.length);
    const selection = shown.model === "scratch" ? { ...shown, models: base.models } : base;
    const suspects = suspectsIn(selection);
    mistake.replaceChildren(
      ...optionsOf(suspects.map(({ name }, index) => ({ value: String(index), text: name }))),
    );
    return suspects;
  });
  made.catch((error) => {
    about.textContent = error.message;
  });
  readyQuestions(root, "detective", api, (question) => {
    ready = question;
    text.input.value = question?.text ?? words.WHICH_MISTAKE;
    mistake.disabled = question !== null;
  });
  return {
    question: async () => {
      if (ready) return { ...ready, text: text.read() };
      const suspects = await made;
      const place = Number(mistake.value);
      return {
        text: text.read(),
        options: suspects.map(({ name }) => name),
        correct: place,
        choice: quizOf(suspects[place].made()),
      };
    },
  };
}
