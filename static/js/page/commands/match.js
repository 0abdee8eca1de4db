// How well a command answers what is typed. Pure.

/** @typedef {{name: string, about: string, group: string}} Named `group`: what its kind is called; "": too many are of it */

const [WORD, WITHIN, SPREAD, ABOUT] = [8, 4, 2, 1]; // what a term is worth, by where it was found

/**
 * Each term has to be somewhere: at the start of a word of the name or of its kind, within one, spread over it in order, or in what is said of it.
 * @param {string} typed
 * @param {Named} command
 * @returns {number} 0: it does not answer
 */
export function matched(typed, { name, about, group }) {
  const [title, more] = [name, about].map((text) => text.toLowerCase());
  let sum = 0;
  for (const term of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const ofKind = term.length > 2 && group.startsWith(term) ? WORD : 0;
    const worth = Math.max(ofKind, worthOf(term, title)) || (more.includes(term) ? ABOUT : 0);
    if (worth === 0) return 0;
    sum += worth;
  }
  return sum + 1 / (1 + name.length); // of two names, the shorter one is meant
}

/** @param {string} term @param {string} text */
function worthOf(term, text) {
  const at = text.indexOf(term);
  if (at === 0) return WORD + 1;
  if (at > 0) return /[^\p{L}\p{N}]/u.test(text[at - 1]) ? WORD : WITHIN;
  return term.length > 2 && isSpread(term, text) ? SPREAD : 0;
}

/** Whether its letters stand in the text in this order, the first at the start of a word. @param {string} term @param {string} text */
function isSpread(term, text) {
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  return starts.some((start) => {
    let at = start - 1;
    return [...term].every((letter, n) => {
      at = n === 0 ? (text[start] === letter ? start : -1) : text.indexOf(letter, at + 1);
      return at >= 0;
    });
  });
}

/**
 * The head that is named, as in L2H3, 2.3, "layer 2 head 3".
 * @param {string} typed
 * @returns {{layer: number, head: number} | null}
 */
export function headNamed(typed) {
  const found = typed
    .trim()
    .match(/^(?:l|layer)?\s*(\d{1,3})\s*[·.,h ]\s*(?:ead)?\s*h?(\d{1,3})$/i);
  return found && { layer: Number(found[1]), head: Number(found[2]) };
}
