// What the space of queries and keys says, in the panel and in saved files.

import { gettext } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { isolated, label, minus, percent, quote } from "../../words/format.js";
import { headInText } from "../../words/heads.js";

/** @import { SpaceOfHead, SpacePoint } from "../../types.d.ts" */

export const OF = gettext("Of");
export const SETS = /** @type {const} */ ([
  { value: "text", text: gettext("this text") },
  { value: "everyday", text: gettext("40 sentences") },
]);
export const BY = gettext("Colours");
export const COLOURS = /** @type {const} */ ([
  { value: "side", text: gettext("query or key") },
  { value: "position", text: gettext("position") },
  { value: "token", text: gettext("same token") },
  { value: "role", text: gettext("kind of token") },
]);
export const PLANE = gettext("Plane");
export const PLANES = /** @type {const} */ ([
  { value: "pca", text: gettext("main components") },
  { value: "tsne", text: "t-SNE" },
]);
/** @type {Record<typeof import("./plane.js").ROLES[number], string>} */
export const ROLES = {
  special: gettext("special"),
  begins: gettext("begins a word"),
  within: gettext("within a word"),
  number: gettext("number"),
  sign: gettext("punctuation"),
};
export const LEGEND = {
  query: gettext("queries"),
  key: "keys",
  from: gettext("first token"),
  to: gettext("last"),
};
export const LOOKING = gettext("Placing queries and keys …");
export const NOTHING_YET = gettext("There is no plane yet.");
export const HINT = gettext(
  "A query lies near the keys that it looks for. Point at one; click to see its token in the picture.",
);
export const LABEL = gettext("Queries and keys of the head in one plane");
export const TITLE = gettext(
  "Point at a query or a key. Arrow keys go from point to point, Enter shows it.",
);

/** How much of the truth the plane has. @param {SpaceOfHead} found */
export function honest({ shares, correlation, n_pairs }) {
  if (!shares) {
    return correlation === null
      ? gettext("t-SNE keeps neighbours together; distances between clouds mean nothing.")
      : gettext(
          "t-SNE keeps neighbours together; distances between clouds mean nothing. They order the scores of {n_pairs} pairs with a rank correlation of {correlation}: 1 would be the same order, 0 none.",
          { n_pairs, correlation: minus(fixed(correlation, 2)) },
        );
  }
  const whole = percent(shares[0] + shares[1]);
  return correlation === null
    ? gettext("The two axes have {whole} of the variance; the rest is not in this picture.", {
        whole,
      })
    : gettext(
        "The two axes have {whole} of the variance; the rest is not in this picture. Distances order the scores of {n_pairs} pairs with a rank correlation of {correlation}: 1 would be the same order, 0 none.",
        { whole, n_pairs, correlation: minus(fixed(correlation, 2)) },
      );
}

/** @param {SpaceOfHead} found @param {SpacePoint} point */
export function inWords({ sentences }, { side, text, position, token }) {
  const where = sentences
    ? gettext("in “{sentence}”", { sentence: isolated(sentences[text]) })
    : gettext("token {position} of text {text}", { position, text: text + 1 });
  const name = quote(label({ text: token }));
  return side === "query"
    ? gettext("Query of {name}, {where}", { name, where })
    : gettext("Key of {name}, {where}", { name, where });
}

/** @param {Parameters<typeof headInText>[0]} head */
export const pictureTitle = (head) =>
  gettext("Queries and keys of {head}", { head: headInText(head) });
export const PICTURE = gettext("Rings are queries, dots are keys.");
export const CSV = ["side", "text", "position", "token", "special", "x", "y", "norm"];
