// The scripts that have no blanks between words, so that each character counts as one.

import SPACELESS from "../../facts/spaceless.json" with { type: "json" };

/** @param {string} character */
export function isSpaceless(character) {
  const point = character.codePointAt(0) ?? 0;
  return SPACELESS.some(({ first, last }) => point >= first && point <= last);
}
