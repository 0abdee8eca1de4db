// How wide a text is, approximately and without a font: pictures are laid out where there is no DOM.

/** @param {string} text @param {number} size of the font, in pixels */
export function widthOf(text, size) {
  let ems = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    ems += point >= 0x1100 ? 1.05 : /[A-Zmw@%\d]/.test(character) ? 0.68 : 0.58; // East Asian and emoji are square
  }
  return ems * size;
}

/** A text, cut with an ellipsis if it does not fit. @param {string} text @param {number} size @param {number} width */
export function fitted(text, size, width) {
  if (widthOf(text, size) <= width + 0.01) return text; // the width may be the text's own, rounded
  let [taken, kept] = [widthOf("…", size), ""];
  for (const character of text) {
    taken += widthOf(character, size);
    if (kept && taken > width) break;
    kept += character;
  }
  return `${kept}…`;
}
