// What there is to say of a score that is taken apart: its largest entries in words. Pure.

import { quoteAt } from "../../words/format.js";
import { largest } from "./fold.js";
import * as words from "./words.js";

/** @import { CellTable } from "../../types.d.ts" */
/** @import { Entry } from "./fold.js" */
/** @typedef {{query: string, key: string}} Tokens */

const SMALL = 0.1; // an entry below this share of the largest is not named
const SHARES = { least: 0.02, most: 1.3 }; // of the score, that make sense to a reader

/** The parts of an entry in words. @param {CellTable} table @param {Tokens} tokens @param {Pick<Entry, "row" | "column">} entry */
export const meeting = ({ site, query_parts, key_parts }, { query, key }, { row, column }) => ({
  query: words.partInText(query_parts[row], site, "query", query),
  key: words.partInText(key_parts[column], site, "key", key),
});

/**
 * Two to four sentences.
 * @param {CellTable} table
 * @param {Tokens} tokens
 * @param {string} mask what blocks the cell; "": nothing
 * @returns {string[]}
 */
export function sentencesOf(table, tokens, mask) {
  const { score, pattern, key, values } = table;
  const first = mask
    ? words.SCORE.blocked({ ...tokens, score, mask })
    : words.SCORE.open({ ...tokens, score, weight: pattern[key] });
  const entries = largest(values);
  const [top] = entries;
  if (!top || top.value === 0) return [first];
  const named = (/** @type {Entry} */ entry) => ({
    ...meeting(table, tokens, entry),
    value: entry.value,
  });
  const isLarge = (/** @type {Entry | undefined} */ entry) =>
    entry !== undefined && Math.abs(entry.value) >= SMALL * Math.abs(top.value);
  const sign = Math.sign(score) || 1;
  const [most, next] = entries.filter(({ value }) => value * sign > 0);
  const against = entries.find(({ value }) => value * sign < 0);
  const said = [first];
  if (most) {
    const share = most.value / score;
    const tells = share >= SHARES.least && share <= SHARES.most;
    said.push(
      tells
        ? words.LARGEST.share({ ...named(most), share: words.shareInWords(share) })
        : words.LARGEST.alone(named(most)),
    );
  }
  if (next && isLarge(next)) said.push(words.LARGEST.next(named(next)));
  if (against && isLarge(against)) said.push(words.LARGEST.against(named(against)));
  return said;
}

/**
 * What switching off did.
 * @param {CellTable} table
 * @param {Tokens} tokens
 * @param {string[]} keys the labels of all keys
 * @param {number} n parts that are off
 */
export function switchedInWords({ switched, pattern, key }, tokens, keys, n) {
  if (!switched) return "";
  const best = switched.pattern.reduce((at, weight, k, all) => (weight > all[at] ? k : at), 0);
  const change = { ...tokens, before: pattern[key], after: switched.pattern[key], n };
  const said = [words.SWITCHED.moved(change)];
  if (best !== key)
    said.push(
      words.SWITCHED.most({
        query: tokens.query,
        key: quoteAt(keys, best, words.MAX),
        weight: switched.pattern[best],
      }),
    );
  return said.join(" ");
}
