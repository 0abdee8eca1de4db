// A drawing of the head that the projector shows: the model gives the truth.

import { make } from "../../../dom/dom.js";
import { textField } from "./fields.js";
import { patternOf, projected } from "./projected.js";
import * as words from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {import("../types.d.ts").ClassDocument} doc
 * @returns {import("../types.d.ts").Composer}
 */
export function composeDrawing(root, doc) {
  const text = textField();
  const about = make("p", { class: "hint", text: words.READING });
  about.setAttribute("role", "status");
  root.replaceChildren(text.root, about);
  const made = projected(doc.choice).then(async (selection) => {
    const drawn = await patternOf(selection);
    text.input.value ||= words.drawThis(selection.layer, selection.head);
    about.textContent = words.tokensToDraw(drawn.tokens);
    return drawn;
  });
  made.catch((error) => {
    about.textContent = error.message;
  });
  return { question: async () => ({ ...(await made), text: text.read() }) };
}
