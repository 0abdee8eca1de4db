// What a figure's switches do to its link. Pure: query strings in, query strings out.

import { patched } from "../state/against.js";

/** @typedef {import("../types.d.ts").FigureSwitch} Switch */

/** A comparison says what it holds by what differs: only the link's own words for it keep their meaning. */
const ALWAYS = ["against"];
const TYPED = ["text", "target", "pair"];

/** The keys of the link that an option of a switch says something about. @param {Switch} one */
export function keysOf({ options }) {
  const keys = options.flatMap(({ set }) => {
    const query = new URLSearchParams(set);
    const without = (query.get("without") ?? "").split(",").filter(Boolean);
    return [...[...query.keys()].filter((key) => key !== "without"), ...without];
  });
  return [...new Set(keys)];
}

/** Whether a switch sets what a reader can type. @param {Switch} one */
export const types = (one) => keysOf(one).some((key) => TYPED.includes(key));

/** Whether a switch sets one of these. @param {Switch[]} switches @param {string} key */
export const sets = (switches, key) => switches.some((one) => keysOf(one).includes(key));

/**
 * Whether both say the same words, in whatever order.
 * @param {{texts: string[], targets: string[]}} one
 * @param {{texts: string[], targets: string[]}} other
 */
export function sameWords(one, other) {
  const [a, b] = [one, other].map(({ texts, targets }) =>
    JSON.stringify([texts, targets].map((list) => list.map(wordsOf))),
  );
  return a === b;
}

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).sort();

/**
 * The link with the switches as they stand; what the reader chose beside them stays.
 * @param {string} now the figure's state as a link
 * @param {string} link as the lesson gives it
 * @param {Switch[]} switches
 * @param {number[]} chosen the option of each; −1: none, what the reader typed is in its place
 * @returns {string}
 */
export function turned(now, link, switches, chosen) {
  const own = new URLSearchParams(link);
  const query = new URLSearchParams(now);
  const turnedTo = switches.flatMap((one, place) => (chosen[place] < 0 ? [] : [one]));
  for (const key of new Set([...ALWAYS, ...turnedTo.flatMap(keysOf)])) {
    query.delete(key);
    for (const value of own.getAll(key)) query.append(key, value);
  }
  return switches.reduce(
    (search, { options }, place) => patched(search, options[chosen[place]]?.set ?? ""),
    `?${query}`,
  );
}
