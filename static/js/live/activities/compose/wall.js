// A wall needs only its question.

import { textField } from "./fields.js";
import * as words from "./words.js";

/**
 * @param {HTMLElement} root
 * @returns {import("../types.d.ts").Composer}
 */
export function composeWall(root) {
  const text = textField(words.WALL);
  root.replaceChildren(text.root);
  return { question: () => ({ text: text.read() }) };
}
