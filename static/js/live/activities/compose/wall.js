// A wall and a board need only their question.

import { textField } from "./fields.js";

/** @param {string} usual what is asked if the teacher writes nothing else @returns {import("../types.d.ts").Row["compose"]} */
export const composeText = (usual) => (root) => {
  const text = textField(usual);
  root.replaceChildren(text.root);
  return { question: () => ({ text: text.read() }) };
};
