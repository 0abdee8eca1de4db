// What painting a mask and the menu of a token say.

import { grouped, quote } from "../words/format.js";
import { allHeads, headInText } from "../words/heads.js";

/** @import { Kind } from "../types.d.ts" */
/** @typedef {{kind: Kind, layer: number, head: number}} Selected */

/** @param {number} n */
const cells = (n) => (n === 1 ? "1 cell" : `${n} cells`);

/** The heads that a brush paints. @type {Record<"head" | "layer" | "all", (selected: Selected) => string>} */
const PAINTED_HEADS = {
  head: headInText,
  layer: ({ kind, layer }) =>
    kind === "self" ? `layer ${layer}, all heads` : `${kind} layer ${layer}, all heads`,
  all: ({ kind }) => allHeads(kind),
};

/**
 * What a stroke did.
 * @param {{blocks: boolean, n: number, brush: "head" | "layer" | "all", selected: Selected}} stroke
 */
export function strokeInWords({ blocks, n, brush, selected }) {
  const heads = PAINTED_HEADS[brush](selected);
  return blocks ? `blocked ${cells(n)} in ${heads}` : `freed ${cells(n)} in ${heads}`;
}

export const WAIT = "wait for the picture of this text before you paint";
export const TEXT_CHANGED = "the text changed during the stroke, so nothing was painted";
export const STROKE_CANCELLED = "the stroke was cancelled";

/** @param {number} max */
export const tooManyCells = (max) =>
  `not painted: a mask can have at most ${grouped(max)} painted cells; to block a whole token, use its menu`;

/** What a stroke did to the reader's picture. @param {{paints: boolean, n: number}} stroke */
export const pictureStroke = ({ paints, n }) =>
  paints ? `painted ${cells(n)} of your picture` : `removed ${cells(n)} from your picture`;
/** @param {number} max */
export const tooLargePicture = (max) =>
  `not painted: a picture can have at most ${grouped(max)} cells`;

/** @param {string} reason a sentence without its full stop */
export const cannotPaint = (reason) => `Masks cannot be painted on this model: ${reason}.`;
export const IN_WORDS =
  "The picture shows words; masks are painted on the model’s own tokens: switch “Words” off to paint.";
/** @param {string} matrix */
export const notOfOneHead = (matrix) =>
  `${matrix} covers all layers and heads. Choose a matrix of one head to paint on.`;

/** @param {number} n */
export const cleared = (n) => (n === 1 ? "cleared 1 painted place" : `cleared ${n} painted places`);
/** @param {number} n */
export const clearLabel = (n) => `Clear painted: ${n}`;
/** The button that clears. @param {number} n */
export const clearText = (n) => (n > 0 ? `painted: ${n} ✕` : "painted: 0");
/** @param {number} n */
export const unmuteText = (n) => `muted: ${n} ✕`;

/** @typedef {{place: number, token: string}} Named a token by its position and its text */

/** @param {Named} token */
export const menuLabel = ({ place, token }) => `Token ${place} ${token}`;

/**
 * Each way to block a token: the item of the menu that blocks it, the one that unblocks it, and what they report.
 * @typedef {object} Blocking
 * @property {string} block
 * @property {string} unblock
 * @property {(token: Named) => string} blocked
 * @property {(token: Named) => string} freed
 */

/** @type {Record<"key" | "keyInLayer" | "keyInHead" | "query", Blocking>} */
export const BLOCKING = {
  key: {
    block: "Block as a key everywhere",
    unblock: "Unblock as a key everywhere",
    blocked: ({ place, token }) => `blocked token ${place} ${quote(token)} as a key everywhere`,
    freed: ({ place, token }) => `freed token ${place} ${quote(token)} as a key everywhere`,
  },
  keyInLayer: {
    block: "Block as a key in this layer",
    unblock: "Unblock as a key in this layer",
    blocked: ({ place, token }) => `blocked token ${place} ${quote(token)} as a key in this layer`,
    freed: ({ place, token }) => `freed token ${place} ${quote(token)} as a key in this layer`,
  },
  keyInHead: {
    block: "Block as a key in this head",
    unblock: "Unblock as a key in this head",
    blocked: ({ place, token }) => `blocked token ${place} ${quote(token)} as a key in this head`,
    freed: ({ place, token }) => `freed token ${place} ${quote(token)} as a key in this head`,
  },
  query: {
    block: "Block as a query (its row is empty)",
    unblock: "Unblock as a query (its row is empty)",
    blocked: ({ place, token }) =>
      `blocked token ${place} ${quote(token)} as a query (its row is empty)`,
    freed: ({ place, token }) =>
      `freed token ${place} ${quote(token)} as a query (its row is empty)`,
  },
};

/** Why a token cannot be blocked. */
export const NEVER = {
  query: "In these heads, it is never a query.",
  key: "In these heads, it is never a key.",
};
export const BLOCKED_EVERYWHERE = "It is blocked everywhere.";
export const ONLY_A_KEY = "In these heads it is only a key.";
export const PIN = "Pin in Lines";
export const UNPIN = "Unpin in Lines";
export const READ_ROW = "Read its row";
