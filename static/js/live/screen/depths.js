// Which depth a participant's page has while it follows: the teacher's, unless that is made for a projector or for a wide screen.

const NARROW = 700; // px: the width of a phone or of half a laptop

/**
 * @param {string} query of the teacher's choice
 * @param {number} width of the window
 * @returns {{depth?: "start"}}
 */
export function depthFor(query, width) {
  const depth = new URLSearchParams(query).get("depth");
  return depth === "present" || width < NARROW ? { depth: "start" } : {};
}
