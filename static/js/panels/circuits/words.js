// What the panel Circuits says, and its saved files.

import { gettext } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { minus, percent, quote, signedBriefly } from "../../words/format.js";
import { headInText } from "../../words/heads.js";

/** @import { Circuits, Kind } from "../../types.d.ts" */
/** @typedef {{score: number, share: number}} Copying */

export const READING = gettext("Reading this head over the whole vocabulary …");
export const NO_SERVER = gettext(
  "Only a Headlight server reads a head over the vocabulary, and this model is in this page alone. Open this page from a Headlight server.",
);

/** @param {string} lacks why it is not the model itself */
export const noModel = (lacks) =>
  gettext("Circuits need the weights of the model: {lacks}.", { lacks });

export const CROSS = gettext(
  "A cross-attention head reads queries from the decoder, and keys and values from the encoder, so it has no circuits over one vocabulary. Choose a head of the encoder or the decoder.",
);

/** @param {number} value */
const two = (value) => minus(fixed(value, 2));

/** @param {Copying} numbers */
export const copies = ({ score, share }) =>
  gettext(
    "This head copies: {share} of all tokens raise themselves when it looks at them. Copying score {two}, where 1 is pure copying.",
    { share: percent(share), two: two(score) },
  );
/** @param {Copying} numbers */
export const suppresses = ({ score, share }) =>
  gettext(
    "This head suppresses what it looks at: only {share} of all tokens raise themselves then. Copying score {two}, where −1 is pure suppression.",
    { share: percent(share), two: two(score) },
  );
/** @param {Copying} numbers */
export const neither = ({ score, share }) =>
  gettext(
    "This head does not copy as a rule: {share} of all tokens raise themselves when it looks at them. Copying score {two}, between −1 and 1.",
    { share: percent(share), two: two(score) },
  );
/** @param {string} reason */
export const noOutputs = (reason) => gettext("What it raises is not known: {reason}.", { reason });

/** @param {{token: string, key: string}} names */
export const looksFor = ({ token, key }) =>
  gettext("{token} looks for {key} most.", { token: quote(token), key: quote(key) });
/** @param {string} token */
export const raisesItself = (token) =>
  gettext("When {token} is looked at, it raises {token} most: the head copies it.", {
    token: quote(token),
  });
/** @param {{token: string, output: string, place: number}} names `place`: of the token itself among those that it raises */
export const raisesBoth = ({ token, output, place }) =>
  gettext("When {token} is looked at, it raises {output} most, and itself as number {place}.", {
    token: quote(token),
    output: quote(output),
    place,
  });
/** @param {{token: string, output: string}} names */
export const raisesOther = ({ token, output }) =>
  gettext("When {token} is looked at, it raises {output} most.", {
    token: quote(token),
    output: quote(output),
  });

export const CHOOSE = {
  label: gettext("A token of the vocabulary"),
  title: gettext("One token"),
  list: gettext("of the text:"),
  none: gettext("choose …"),
  typed: gettext("Any other token"),
  placeholder: gettext("or any other"),
  show: gettext("Show"),
  looking: gettext("Looking for this token …"),
  hint: gettext(
    "Choose a token to read its row of both circuits: what it looks for and who looks for it, what it raises and lowers. A row below leads to its token.",
  ),
  /** @param {number} id */
  unnamed: (id) => gettext("token {id}", { id }),
};

export const ALL = gettext("The strongest pairs of the vocabulary");
export const LISTS = {
  qk: gettext("QK: who looks for what"),
  ov: gettext("OV: what raises what"),
  /** @param {string} token */
  as_query: (token) => gettext("{token} looks for", { token: quote(token) }),
  /** @param {string} token */
  as_key: (token) => gettext("Who looks for {token}", { token: quote(token) }),
  /** @param {string} token */
  raises: (token) => gettext("{token} raises", { token: quote(token) }),
  /** @param {string} token */
  lowers: (token) => gettext("{token} lowers", { token: quote(token) }),
};

/** A row of two tokens. @param {{one: string, other: string}} row */
export const pairName = ({ one, other }) => `${one} → ${other}`;

/** @param {number} value */
export const number = (value) => signedBriefly(value) || "0";

/** A row for a screen reader. @param {{one: string, other: string, value: number, to: string}} row */
export const rowLabel = ({ one, other, value, to }) =>
  gettext("{one} and {other}: {number}. Show {to}.", {
    one: quote(one),
    other: quote(other),
    number: number(value),
    to: quote(to),
  });

/** How a token is read. @type {Record<Circuits["reads"], (n: number) => string>} */
export const READS = {
  embedding: (n) =>
    gettext("From weights alone, over {n} tokens. A token is read by its embedding.", { n }),
  "effective embedding": (n) =>
    gettext(
      "From weights alone, over {n} tokens. A token is read by its embedding and what the first feed-forward network makes of it.",
      { n },
    ),
};

export const HOW = {
  title: gettext("How this is computed"),
  paragraphs: [
    gettext(
      "QK: the score of a query and a key, each alone at one position, above the query’s mean over all keys of the vocabulary. OV: what the head writes when it looks at a token, as it raises or lowers each output, above the mean over all outputs (Elhage et al. 2021).",
    ),
    gettext(
      "The copying score is Σ Re λ / Σ |λ| over the eigenvalues λ of the OV circuit. From 0.5 on we say that the head copies.",
    ),
    gettext(
      "Left out: positions, the bias of the values, and the scale of the last norm. So OV numbers compare with each other, and are not logits. What heads before this one wrote is not counted. Masks, mutes and interventions change nothing here.",
    ),
  ],
};

/** @param {{model: string, kind: Kind, layer: number, head: number}} head */
export const pictureTitle = (head) =>
  gettext("{model}: {head} over the vocabulary", { model: head.model, head: headInText(head) });
export const PICTURE_COLUMNS = { name: gettext("tokens"), value: gettext("value") };
/** @param {{list: string, value: number}} row */
export const pictureValue = ({ list, value }) => `${number(value)}  ${list}`;
export const BARS = gettext("In each list the longest bar is its largest value.");
export const CSV = ["list", "first token", "first id", "second token", "second id", "value"];
