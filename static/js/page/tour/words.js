// What the tour says: a step is one thing to do, and how to do it with the keyboard.

/** @typedef {{text: string, keys: string}} Said */

/** @type {(word: string | null) => Said} */
export const type = (word) =>
  word === null
    ? { text: "Type a word at the end of the sentence.", keys: "/" }
    : { text: `Type “${word}” at the end of the sentence.`, keys: "/" };
/** @type {(token: string) => Said} */
export const row = (token) => ({
  text: `Choose “${token}”, to see what it looks at.`,
  keys: "Esc, then ]",
});
/** @type {(head: string | null) => Said} */
export const head = (head) =>
  head === null
    ? { text: "Choose another head: each one looks at something else.", keys: "↑ ↓ ← →" }
    : { text: `Choose ${head}: each head looks at something else.`, keys: "↑ ↓ ← →" };
/** @type {Said} */
export const MUTE = { text: "Mute this head, so that the model has to do without it.", keys: "m" };
/** @type {Said} */
export const WATCH = {
  text: "See how the prediction moved. Choose the token that gained the most.",
  keys: "Tab, Enter",
};
/** @type {Said} */
export const UNDO = { text: "Take it back: press “Mute” again.", keys: "Ctrl Z" };
/** @type {Said} */
export const END = {
  text: "That is all you need: type, choose a row and a head, change the model, and watch the prediction.",
  keys: "",
};

/** @param {{n: number, of: number}} step */
export const count = ({ n, of }) => `Step ${n} of ${of}`;
export const LABEL = "Tour";
export const KEYS = "or press";
export const SKIP = "Skip the tour (Esc)";
export const CLOSE = "Close";
export const LEARN = "Go on with the lessons";
/** @param {{layer: number, head: number}} head */
export const named = ({ layer, head }) => `layer ${layer}, head ${head}`;
