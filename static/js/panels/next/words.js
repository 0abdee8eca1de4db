// What the page suggests to do next.

/** @typedef {{text: string, button: string}} Suggestion */

/** @type {Suggestion} */
export const MUTE = {
  text: "Next: mute this head, and watch the prediction.",
  button: "Mute this head",
};
/** @type {Suggestion} */
export const COMPARE = {
  text: "Next: see the head before and after your change.",
  button: "Compare",
};
/** @type {Suggestion} */
export const UNDO = { text: "Next: take your change back.", button: "Undo" };
/** @param {string} title of an example @returns {Suggestion} */
export const another = (title) => ({ text: "Next: try another example.", button: title });
