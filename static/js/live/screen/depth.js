// The depth of a page in a class: that of a participant follows the teacher's, and the projector's present mode lasts from picture to picture. Pure.

export const NARROW = 700; // px: the width of a phone or of half a laptop

/** @param {string} choice as a link holds it @returns {string | null} null: the usual one of the page */
export const depthIn = (choice) => new URLSearchParams(choice).get("depth");

/** A choice in another depth. @param {string} choice @param {string | null} depth */
export const inDepth = (choice, depth) => {
  const others = choice.split("&").filter((one) => one && !one.startsWith("depth="));
  return (depth === null ? others : [...others, `depth=${depth}`]).join("&");
};

/** Whether two choices are of one picture, in whatever depth. @param {string} one @param {string} other */
export const isOnePicture = (one, other) => inDepth(one, null) === inDepth(other, null);

/**
 * Which depth a participant's page has while it follows: the teacher's, unless that is made for a projector or for a wide screen.
 * @param {string} query of the teacher's choice
 * @param {number} width of the window
 * @returns {{depth?: "start"}}
 */
export const depthFor = (query, width) =>
  depthIn(query) === "present" || width < NARROW ? { depth: "start" } : {};

/**
 * Which depth a projector has with another choice: a new picture leaves the present mode on; the same picture in another depth is the desk's switch.
 * @param {string} next
 * @param {string} shown by the projector now
 * @returns {{depth?: "present"}}
 */
export const depthOn = (next, shown) =>
  depthIn(shown) === "present" && !isOnePicture(next, shown) ? { depth: "present" } : {};
