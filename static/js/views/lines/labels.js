// Lines: which tokens are labelled if there is no room for all of them. Pure.

import { sumAt } from "./strengths.js";

/** @import { Side } from "./scene.js" */

export const LABEL = 13; // pixels that a label needs
const LENS = 4; // if labels thin out: tokens on each side of the one under the pointer that keep theirs
const STRONGEST = 8; // how many of the tokens with the largest numbers keep their label

/**
 * Which tokens are labelled, and where: all of them if there is room; else every second, third, …, and also the token under the
 * pointer with its neighbours, the pinned tokens and the strongest.
 * @param {Side} side
 * @param {Float64Array} y of each token
 * @param {number} row height of a token
 * @param {number} [least] height that a label needs
 * @returns {{place: number, at: number, near: boolean}[]} `near`: around the pointer, where labels have their full distance
 */
export function labelled({ places, pointed, marked, read, values }, y, row, least = LABEL) {
  if (row >= least) return places.map((place) => ({ place, at: y[place], near: false }));
  /** @type {{place: number, at: number, near: boolean}[]} */
  const named = [];
  let [top, bottom] = [Number.NaN, Number.NaN]; // of the lens
  const middle = pointed === null ? -1 : places.indexOf(pointed);
  if (middle >= 0) {
    const first = Math.max(0, Math.min(middle - LENS, places.length - 2 * LENS - 1));
    const around = places.slice(first, first + 2 * LENS + 1);
    const [low, high] = [y[places[0]], y[/** @type {number} */ (places.at(-1))]];
    const tall = (around.length - 1) * LABEL;
    const start = Math.max(
      low,
      Math.min(y[places[middle]] - (middle - first) * LABEL, high - tall),
    );
    around.forEach((place, index) => {
      named.push({ place, at: start + index * LABEL, near: true });
    });
    [top, bottom] = [start - LABEL, start + tall + LABEL];
  }
  const taken = new Set(); // slots of the height of a label
  /** @param {number | null} place */
  const add = (place) => {
    const at = place === null ? Number.NaN : y[place];
    if (place === null || Number.isNaN(at) || (at > top && at < bottom)) return;
    const slot = Math.floor(at / LABEL);
    const clash = [slot - 1, slot, slot + 1].some((near) =>
      named.some((one) => taken.has(near) && Math.abs(one.at - at) < LABEL && !one.near),
    );
    if (clash) return;
    taken.add(slot);
    named.push({ place, at, near: false });
  };
  for (const place of marked) add(place);
  if (values) {
    const strong = [...places].sort((a, b) => sumAt(values, b) - sumAt(values, a));
    for (const place of strong.slice(0, STRONGEST)) if (sumAt(values, place) > 0) add(place);
  }
  add(read);
  const every = Math.ceil(LABEL / row);
  places.forEach((place, index) => {
    if (index % every === 0) add(place);
  });
  return named;
}

/** The box of the magnified labels. @param {ReturnType<typeof labelled>} named @returns {[number, number] | null} */
export function lensOf(named) {
  const near = named.filter((one) => one.near);
  if (near.length === 0) return null;
  return [near[0].at - LABEL / 2 - 1, near[near.length - 1].at + LABEL / 2 + 1];
}
