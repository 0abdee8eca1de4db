// What the switches of a figure do to its link. Pure: query strings in, query strings out.

import { patched } from "../state/address/links.js";
import { same } from "../state/store.js";

/** @import { FigureSwitch as Switch } from "../types.d.ts" */

/** Always as in the link of the lesson: A is described by what differs from B, which means something else once B has changed. */
const ALWAYS = ["against"];
const TEXTS = ["text", "target", "pair"];

/** The keys of the link that the options of a switch set or remove. @param {Switch} one */
export function keysOf({ options }) {
  const keys = options.flatMap(({ set }) => {
    const query = new URLSearchParams(set);
    const removed = (query.get("without") ?? "").split(",").filter(Boolean);
    return [...[...query.keys()].filter((key) => key !== "without"), ...removed];
  });
  return [...new Set(keys)];
}

/** Whether a switch sets a text, which the reader could also type. @param {Switch} one */
export const setsText = (one) => keysOf(one).some((key) => TEXTS.includes(key));

/** Whether any switch sets a key. @param {Switch[]} switches @param {string} key */
export const anySets = (switches, key) => switches.some((one) => keysOf(one).includes(key));

/**
 * Whether both have the same words, in any order.
 * @param {{texts: string[], targets: string[]}} a
 * @param {{texts: string[], targets: string[]}} b
 */
export const sameWords = (a, b) => same(wordsOf(a), wordsOf(b));

/** @param {{texts: string[], targets: string[]}} texts */
const wordsOf = ({ texts, targets }) =>
  [texts, targets].map((list) =>
    list.map((text) => text.toLowerCase().split(/\s+/).filter(Boolean).sort()),
  );

/**
 * A link with the options of the switches; what the reader chose besides stays.
 * @param {string} now the state of the figure as a link
 * @param {string} link as in the lesson
 * @param {Switch[]} switches
 * @param {number[]} chosen the option of each; −1: none, because the reader typed something else
 * @returns {string}
 */
export function withSwitches(now, link, switches, chosen) {
  const own = new URLSearchParams(link);
  const query = new URLSearchParams(now);
  const keys = switches.flatMap((one, index) => (chosen[index] < 0 ? [] : keysOf(one)));
  for (const key of new Set([...ALWAYS, ...keys])) {
    query.delete(key);
    for (const value of own.getAll(key)) query.append(key, value);
  }
  return switches.reduce(
    (search, { options }, index) => patched(search, options[chosen[index]]?.set ?? ""),
    `?${query}`,
  );
}
