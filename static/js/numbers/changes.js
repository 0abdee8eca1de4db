// What changed compared with a reference: the outputs z of real tokens, and the patterns of the heads. Pure.

import { threeDigits } from "../words/format.js";
import { changeOfZ, movedAttention, orderInWords } from "../words/measures.js";
import { sites } from "./facts.js";

/** @import { Answer } from "../types.d.ts" */
/** @import { Facts, Measured } from "./measures.js" */

/** The largest change in any channel of z, over all real tokens and heads. @param {Facts} facts @returns {Measured | null} */
export function change({ now, reference, text }) {
  if (!reference) return null;
  const pairs = paired(now, reference, text);
  const difference = pairs && apart(now, reference, text, pairs);
  if (!difference) return null;
  const { most, usual } = difference;
  return {
    sentence: changeOfZ(most === 0 ? null : threeDigits(most), threeDigits(usual)),
    values: { most, usual },
  };
}

/**
 * How far each head's pattern is from the reference's: half the sum of the absolute differences of a row, averaged over rows.
 * 0: identical; 1: nothing in common.
 * @param {Facts} facts
 * @returns {Measured | null}
 */
export function heads({ now, reference, text }) {
  if (!reference) return null;
  const pairs = paired(now, reference, text);
  const [current, previous] = [sites(now, text), sites(reference, text)];
  if (!pairs || current.length !== previous.length || current[0].n_keys !== previous[0].n_keys)
    return null;
  const moved = current.map((site, index) => {
    const other = previous[index];
    const off = pairs.map(([query, was]) => {
      let sum = 0;
      for (let key = 0; key < site.n_keys; key += 1)
        sum += Math.abs(
          site.pattern[query * site.n_keys + key] - other.pattern[was * site.n_keys + key],
        );
      return sum / 2;
    });
    return off.reduce((sum, one) => sum + one, 0) / off.length;
  });
  const shares = moved.map((off, index) => ({
    head: current[index].head,
    share: threeDigits(off),
  }));
  return {
    sentence: movedAttention(moved.every((off) => off === 0) ? null : shares),
    values: Object.fromEntries(moved.map((off, index) => [`head_${current[index].head}`, off])),
  };
}

/**
 * The largest change of a word's z when the same words are in another order: each word is compared with itself.
 * @param {Facts} facts
 * @returns {Measured | null}
 */
export function order({ now, reference, text }) {
  if (!reference) return null;
  const before = wordsOf(reference, text);
  /** @type {[number, number][]} */
  const pairs = [];
  for (const { word, place } of wordsOf(now, text)) {
    const at = before.findIndex((one) => one.word === word);
    if (at < 0) return null; // not the same words
    pairs.push([place, before.splice(at, 1)[0].place]);
  }
  const difference = before.length === 0 ? apart(now, reference, text, pairs) : null;
  if (!difference) return null;
  const moved = pairs.filter(([place, was]) => place !== was).length;
  const { most, usual } = difference;
  const isNothing = most < 1e-5 * Math.max(1, usual); // summing in another order changes the last digits
  return {
    sentence: orderInWords({ moved, n: pairs.length, largest: threeDigits(most), isNothing }),
    values: { most, usual, moved },
  };
}

/** @param {Answer} answer @param {number} text */
function wordsOf({ trace }, text) {
  const tokens = (trace[trace.sites[0].query_tokens] ?? trace.tokens)[text] ?? [];
  return tokens.flatMap((token, index) =>
    token.padding ? [] : [{ word: token.text.trim().toLowerCase(), place: index }],
  );
}

/** Pairs of the same real token in both; null: the words differ. @param {Answer} now @param {Answer} reference @param {number} text */
function paired(now, reference, text) {
  const [current, previous] = [wordsOf(now, text), wordsOf(reference, text)];
  if (current.length !== previous.length) return null;
  if (current.some(({ word }, index) => word !== previous[index].word)) return null;
  return current.map(
    ({ place }, at) => /** @type {[number, number]} */ ([place, previous[at].place]),
  );
}

/**
 * The largest difference in a channel of z, and the root mean square of the channels.
 * @param {Answer} now
 * @param {Answer} reference
 * @param {number} text
 * @param {[number, number][]} pairs
 */
function apart(now, reference, text, pairs) {
  const [current, previous] = [sites(now, text), sites(reference, text)];
  if (current.length !== previous.length || current.length === 0) return null;
  let [most, squares, n] = [0, 0, 0];
  for (const [place, { z, d_head }] of current.entries()) {
    const other = previous[place];
    if (!z || !other.z || other.d_head !== d_head) return null;
    for (const [query, was] of pairs) {
      for (let channel = 0; channel < d_head; channel += 1) {
        const before = other.z[was * d_head + channel];
        most = Math.max(most, Math.abs(z[query * d_head + channel] - before));
        squares += before ** 2;
        n += 1;
      }
    }
  }
  return n > 0 ? { most, usual: Math.sqrt(squares / n) } : null;
}
