// What the space of queries and keys says, in the panel and in saved files.

import { grouped, isolated, label, minus, percent, quote } from "../../words/format.js";
import { headInText } from "../../words/heads.js";

/** @import { SpaceOfHead, SpacePoint } from "../../types.d.ts" */

export const OF = "Of";
export const SETS = /** @type {const} */ ([
  { value: "text", text: "this text" },
  { value: "everyday", text: "40 sentences" },
]);
export const BY = "Colours";
export const COLOURS = /** @type {const} */ ([
  { value: "side", text: "query or key" },
  { value: "position", text: "position" },
  { value: "token", text: "same token" },
  { value: "role", text: "kind of token" },
]);
export const PLANE = "Plane";
export const PLANES = /** @type {const} */ ([
  { value: "pca", text: "main components" },
  { value: "tsne", text: "t-SNE" },
]);
/** @type {Record<typeof import("./plane.js").ROLES[number], string>} */
export const ROLES = {
  special: "special",
  begins: "begins a word",
  within: "within a word",
  number: "number",
  sign: "punctuation",
};
export const LEGEND = { query: "queries", key: "keys", from: "first token", to: "last" };
export const LOOKING = "Placing queries and keys …";
export const NOTHING_YET = "There is no plane yet.";
export const HINT =
  "A query lies near the keys that it looks for. Point at one; click to see its token in the picture.";
export const LABEL = "Queries and keys of the head in one plane";
export const TITLE =
  "Point at a query or a key. Arrow keys go from point to point, Enter shows it.";

/** How much of the truth the plane has. @param {SpaceOfHead} found */
export function honest({ shares, correlation, n_pairs }) {
  if (!shares) {
    return correlation === null
      ? "t-SNE keeps neighbours together; distances between clouds mean nothing."
      : `t-SNE keeps neighbours together; distances between clouds mean nothing. They order the scores of ${grouped(n_pairs)} pairs with a rank correlation of ${minus(correlation.toFixed(2))}: 1 would be the same order, 0 none.`;
  }
  const whole = percent(shares[0] + shares[1]);
  return correlation === null
    ? `The two axes have ${whole} of the variance; the rest is not in this picture.`
    : `The two axes have ${whole} of the variance; the rest is not in this picture. Distances order the scores of ${grouped(n_pairs)} pairs with a rank correlation of ${minus(correlation.toFixed(2))}: 1 would be the same order, 0 none.`;
}

/** @param {SpaceOfHead} found @param {SpacePoint} point */
export function inWords({ sentences }, { side, text, position, token }) {
  const where = sentences
    ? `in “${isolated(sentences[text])}”`
    : `token ${position} of text ${text + 1}`;
  const name = quote(label({ text: token }));
  return side === "query" ? `Query of ${name}, ${where}` : `Key of ${name}, ${where}`;
}

/** @param {Parameters<typeof headInText>[0]} head */
export const pictureTitle = (head) => `Queries and keys of ${headInText(head)}`;
export const PICTURE = "Rings are queries, dots are keys.";
export const CSV = ["side", "text", "position", "token", "special", "x", "y", "norm"];
