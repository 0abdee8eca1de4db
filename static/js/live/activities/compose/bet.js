// A bet on the head that the projector shows: the model decides.

import { make } from "../../../dom/dom.js";
import { muting } from "../measured.js";
import { textField } from "./fields.js";
import { projected, quizOf } from "./projected.js";
import * as words from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {import("../types.d.ts").ClassDocument} doc
 * @returns {import("../types.d.ts").Composer}
 */
export function composeBet(root, doc) {
  const text = textField();
  const about = make("p", { class: "hint", text: words.READING });
  about.setAttribute("role", "status");
  root.replaceChildren(text.root, about);
  const made = projected(doc.choice).then(async (selection) => {
    const { layer, head } = selection;
    const { token, before, after } = await muting(selection);
    text.input.value ||= words.betThis(token, layer, head);
    about.textContent = words.betAnswer(before, after);
    return { layer, head, token, before, truth: after, choice: quizOf(selection) };
  });
  made.catch((error) => {
    about.textContent = error.message;
  });
  return { question: async () => ({ ...(await made), text: text.read() }) };
}
