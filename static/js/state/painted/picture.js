// The reader's picture of where a head should look: cells [query, key], and how a link writes them. Pure.

import { decode, encode } from "./cells.js";

/** @typedef {[query: number, key: number]} Place */

export const MAX_PICTURE = 3000; // cells

const EVERYWHERE = { text: null, layer: null, head: null, kind: null };
const PREFIX = "*.*.*_"; // of a list of painted cells; a picture is of no text, layer or head

/** "1.0_2-3.1": boxes of queries and keys; null for an empty picture. @param {readonly Place[]} cells */
export const pictureText = (cells) =>
  encode(cells.map(([query, key]) => ({ ...EVERYWHERE, query, key })))[0]?.slice(PREFIX.length) ??
  null;

/** @param {string | null} text @returns {Place[]} */
export const pictureOf = (text) =>
  decode(text === null ? [] : [PREFIX + text], MAX_PICTURE).flatMap(({ query, key }) =>
    query === null || key === null ? [] : [/** @type {Place} */ ([query, key])],
  );

/** Without repetitions, in the order of a link. @param {readonly Place[]} cells */
export const tidied = (cells) => pictureOf(pictureText(cells));

/** @param {readonly Place[]} cells @param {Place} place */
export const holds = (cells, [query, key]) => cells.some(([q, k]) => q === query && k === key);
