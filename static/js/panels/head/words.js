// What the panel of the selected head says: its title, the numbers under the pointer, the row and the colours.

import { gettext } from "../../language/gettext.js";
import { isolated, quote } from "../../words/format.js";
import { bold, boldToken, listed, parts } from "../../words/parts.js";

/** @import { Kind } from "../../types.d.ts" */
/** @import { Part } from "../../words/parts.js" */

export const POINT = gettext(
  "Point at a cell, or tap it, for its numbers and its row. Drag to zoom in, double-click to zoom out.",
);
/** @param {string} about one or more sentences */
export const pointAfter = (about) => gettext("{about} Point at a cell for its numbers.", { about });

/** A token by its position and its label. @typedef {{place: number, label: string}} Token */

/** @param {Token} token */
const nameOf = ({ place, label }) => boldToken(`${place} ${isolated(label)}`);

/** The numbers of a cell. @param {{query: Token, key: Token, numbers: Part[][]}} cell */
export const cell = ({ query, key, numbers }) =>
  parts("query {query} → key {key}: {numbers}", {
    query: nameOf(query),
    key: nameOf(key),
    numbers: listed(numbers),
  });

/** One number of a cell. */
export const NUMBERS = {
  waiting: ["…"],
  /** @param {{unit: string, value: string}} number @returns {Part[]} */
  value: ({ unit, value }) => parts("{unit} {value}", { unit, value: bold(value) }),
  /** @param {string} weight @returns {Part[]} */
  weight: (weight) => parts("weight {weight}", { weight: bold(weight) }),
  weightWaiting: [gettext("weight …")],
  /** @param {string} score @returns {Part[]} */
  score: (score) => parts("score {score}", { score: bold(score) }),
  /** @param {string} norm @returns {Part[]} */
  norm: (norm) => parts("norm {norm}", { norm: bold(norm) }),
  /** @param {{norm: string, weight: string, length: string}} factors @returns {Part[]} */
  normOf: ({ norm, weight, length }) =>
    parts("norm {norm} = {weight} × {length}, weight × length of v W_O", {
      norm: bold(norm),
      weight,
      length,
    }),
  /** Of a word that looks. @param {number} n pieces @returns {Part[]} */
  mean: (n) => [gettext("the mean of its {n} pieces", { n })],
  /** Of a word that is looked at. @param {number} n pieces @returns {Part[]} */
  sum: (n) => [gettext("the sum over {n} pieces", { n })],
  /** @param {string} reason @returns {Part[]} */
  blocked: (reason) => [bold(gettext("blocked by {reason}", { reason }))],
};

/** The number of a channel of q, k or v. @param {{vector: string, token: Token, channel: number, value: string}} at */
export const channel = ({ vector, token, channel: n, value }) =>
  parts("{vector} of {token}, channel {n}: {value}", {
    vector: bold(vector),
    token: nameOf(token),
    n: String(n),
    value: bold(value),
  });

/** The title of a matrix of all layers and heads. @type {Record<Kind, (matrix: string) => string>} */
export const ALL_LAYERS = {
  self: (matrix) => gettext("Attention {matrix} · all layers", { matrix }),
  encoder: (matrix) => gettext("Attention {matrix} · all encoder layers", { matrix }),
  decoder: (matrix) => gettext("Attention {matrix} · all decoder layers", { matrix }),
  cross: (matrix) => gettext("Attention {matrix} · all cross layers", { matrix }),
};
/** @param {string} relations */
export const onHeldOut = (relations) =>
  gettext("on held-out sentences: {relations}", { relations });
/** The button that mutes the head, and then unmutes it. */
export const MUTE = gettext("Mute");
export const UNMUTE = gettext("Unmute");
export const ON_PROBE = gettext("on the probe");
export const IN_SENTENCE = gettext("in this sentence");

/** The header of the table of a row. @param {{query: string, does: string}} row `does`: "looks at" or the like */
export const rowTitle = ({ query, does }) => `${quote(query)} ${does}`;
/** The same where there are several sentences. @param {{query: string, does: string, n: number}} row `n`: from 1 */
export const rowTitleIn = ({ query, does, n }) =>
  gettext("{query} in sentence {n} {does}", { query: quote(query), n, does });
/** The title of a head where there are several sentences. @param {{head: string, n: number}} title `n`: from 1 */
export const headIn = ({ head, n }) => gettext("{head} · sentence {n}", { head, n });
export const NO_DISTRIBUTION = gettext("Every key is blocked: this row has no distribution.");

/** How a range is spread over the scale. */
export const STEPS = {
  linear: gettext("linear"),
  root: gettext("square root"),
  log: gettext("logarithmic"),
};
export const STEP_NAMES = /** @type {(keyof typeof STEPS)[]} */ (Object.keys(STEPS));
