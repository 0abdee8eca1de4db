// What painting a mask and the menu of a token say.

import { gettext, ngettext } from "../language/gettext.js";
import { quote } from "../words/format.js";
import { allHeads, headInText } from "../words/heads.js";

/** @import { Kind } from "../types.d.ts" */
/** @typedef {{kind: Kind, layer: number, head: number}} Selected */

/** @param {number} n */
const cells = (n) => ngettext("{n} cell", "{n} cells", n);

/** The heads that a brush paints. @type {Record<"head" | "layer" | "all", (selected: Selected) => string>} */
const PAINTED_HEADS = {
  head: headInText,
  layer: ({ kind, layer }) =>
    kind === "self"
      ? gettext("layer {layer}, all heads", { layer })
      : gettext("{kind} layer {layer}, all heads", { kind, layer }),
  all: ({ kind }) => allHeads(kind),
};

/**
 * What a stroke did.
 * @param {{blocks: boolean, n: number, brush: "head" | "layer" | "all", selected: Selected}} stroke
 */
export function strokeInWords({ blocks, n, brush, selected }) {
  const heads = PAINTED_HEADS[brush](selected);
  return blocks
    ? gettext("blocked {cells} in {heads}", { cells: cells(n), heads })
    : gettext("freed {cells} in {heads}", { cells: cells(n), heads });
}

export const WAIT = gettext("wait for the picture of this text before you paint");
export const TEXT_CHANGED = gettext("the text changed during the stroke, so nothing was painted");
export const STROKE_CANCELLED = gettext("the stroke was cancelled");

/** @param {number} max */
export const tooManyCells = (max) =>
  gettext(
    "not painted: a mask can have at most {max} painted cells; to block a whole token, use its menu",
    { max },
  );

/** What a stroke did to the reader's picture. @param {{paints: boolean, n: number}} stroke */
export const pictureStroke = ({ paints, n }) =>
  paints
    ? gettext("painted {cells} of your picture", { cells: cells(n) })
    : gettext("removed {cells} from your picture", { cells: cells(n) });
/** @param {number} max */
export const tooLargePicture = (max) =>
  gettext("not painted: a picture can have at most {max} cells", { max });

/** @param {string} reason a sentence without its full stop */
export const cannotPaint = (reason) =>
  gettext("Masks cannot be painted on this model: {reason}.", { reason });
export const IN_WORDS = gettext(
  "The picture shows words; masks are painted on the model’s own tokens: switch “Words” off to paint.",
);
/** @param {string} matrix */
export const notOfOneHead = (matrix) =>
  gettext("{matrix} covers all layers and heads. Choose a matrix of one head to paint on.", {
    matrix,
  });

/** @param {number} n */
export const cleared = (n) =>
  ngettext("cleared {n} painted place", "cleared {n} painted places", n);
/** @param {number} n */
export const clearLabel = (n) => gettext("Clear painted: {n}", { n });
/** The button that clears. @param {number} n */
export const clearText = (n) => (n > 0 ? gettext("painted: {n} ✕", { n }) : gettext("painted: 0"));
/** @param {number} n */
export const unmuteText = (n) => gettext("muted: {n} ✕", { n });

/** @typedef {{place: number, token: string}} Named a token by its position and its text */

/** @param {Named} token */
export const menuLabel = ({ place, token }) => gettext("Token {place} {token}", { place, token });

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
    block: gettext("Block as a key everywhere"),
    unblock: gettext("Unblock as a key everywhere"),
    blocked: ({ place, token }) =>
      gettext("blocked token {place} {token} as a key everywhere", { place, token: quote(token) }),
    freed: ({ place, token }) =>
      gettext("freed token {place} {token} as a key everywhere", { place, token: quote(token) }),
  },
  keyInLayer: {
    block: gettext("Block as a key in this layer"),
    unblock: gettext("Unblock as a key in this layer"),
    blocked: ({ place, token }) =>
      gettext("blocked token {place} {token} as a key in this layer", {
        place,
        token: quote(token),
      }),
    freed: ({ place, token }) =>
      gettext("freed token {place} {token} as a key in this layer", { place, token: quote(token) }),
  },
  keyInHead: {
    block: gettext("Block as a key in this head"),
    unblock: gettext("Unblock as a key in this head"),
    blocked: ({ place, token }) =>
      gettext("blocked token {place} {token} as a key in this head", {
        place,
        token: quote(token),
      }),
    freed: ({ place, token }) =>
      gettext("freed token {place} {token} as a key in this head", { place, token: quote(token) }),
  },
  query: {
    block: gettext("Block as a query (its row is empty)"),
    unblock: gettext("Unblock as a query (its row is empty)"),
    blocked: ({ place, token }) =>
      gettext("blocked token {place} {token} as a query (its row is empty)", {
        place,
        token: quote(token),
      }),
    freed: ({ place, token }) =>
      gettext("freed token {place} {token} as a query (its row is empty)", {
        place,
        token: quote(token),
      }),
  },
};

/** Why a token cannot be blocked. */
export const NEVER = {
  query: gettext("In these heads, it is never a query."),
  key: gettext("In these heads, it is never a key."),
};
export const BLOCKED_EVERYWHERE = gettext("It is blocked everywhere.");
export const ONLY_A_KEY = gettext("In these heads it is only a key.");
export const PIN = gettext("Pin in Lines");
export const UNPIN = gettext("Unpin in Lines");
export const READ_ROW = gettext("Read its row");
