// How the words and numbers of an address are read: what is not valid gives the default. Pure.

import KINDS from "../../facts/kinds.json" with { type: "json" };
import LIMITS from "../../facts/limits.json" with { type: "json" };

/** @import { Choice, Mute } from "../../types.d.ts" */

/**
 * "1.3" is head 3 of layer 1, in every kind of attention; "1.3.cross" is the one of its cross-attention alone.
 * @param {string} text
 * @returns {Mute[]} empty if the text does not name a head
 */
export function muteOf(text) {
  const [layer, head, named, ...rest] = text.split(".");
  const [l, h] = [integer(layer), integer(head)];
  const kind = KINDS.find((name) => name === named);
  if (l === null || h === null || rest.length > 0 || kind !== named) return [];
  return [kind ? [l, h, kind] : [l, h]];
}

/**
 * @template {string} T
 * @param {readonly T[]} known the default first
 * @param {string | null} text
 */
export function among(known, text) {
  return known.find((name) => name === text) ?? known[0];
}

/** A share from 0 to 1, rounded to two decimals; 0 for anything else. @param {string | null} text */
export function share(text) {
  const number = text !== null && /^(0(\.\d+)?|1)$/.test(text) ? Number(text) : 0;
  return Math.round(100 * number) / 100;
}

/** @param {string | null | undefined} text */
export function integer(text, min = 0, max = LIMITS.index) {
  if (text == null || !/^\d+$/.test(text)) return null;
  const number = Number(text);
  return number >= min && number <= max ? number : null;
}

/** Integers separated by commas; an empty list if one of them is invalid. @param {string | null} text */
export function integersIn(text) {
  const numbers = (text ?? "").split(",").map((part) => integer(part));
  return numbers.every((number) => number !== null) ? numbers : [];
}

/** @param {number[]} numbers @returns {Choice["zoom"]} */
export function zoomOf([top, bottom, left, right, ...rest]) {
  if (right === undefined || rest.length > 0 || top >= bottom || left >= right) return null;
  return [top, bottom, left, right];
}

/** @param {string | null} text @param {number} min @param {number} max */
export function between(text, min, max) {
  if (text === null || !/^\d{1,3}(\.\d{1,3})?$/.test(text)) return null;
  const number = Number(text);
  return number >= min && number <= max ? number : null;
}
