// The sentences of “Explain this”. Every number in them is one of the answer, or made of some of them.

import { gettext, ngettext } from "../../language/gettext.js";
import { enumerated, quote, shorten } from "../../words/format.js";

/** @import { Named } from "../../numbers/explain/row.js" */

const MAX = 24; // characters of a token or a word
const MAX_NAMED = 3; // words in a list

/** @param {string} text */
const quoted = (text) => quote(shorten(text, MAX));
/** A token; with its number if another one has the same label. @param {Named} token */
const name = ({ label, place, twin }) =>
  twin
    ? gettext("{label} (token {place})", { label: quote(shorten(label, MAX)), place })
    : quoted(label);

/** @param {string} number */
export const lessThan = (number) => gettext("less than {number}", { number });
/** @param {string} number */
export const moreThan = (number) => gettext("more than {number}", { number });
export const MILLION = gettext("more than a million");

export const WAITING = gettext("The exact numbers of this row are on their way.");

/** @typedef {{query: Named, key: Named, share: string}} Cell */

/** How much one token looks at another. */
export const ATTENTION = {
  /** @param {Cell} cell */
  gives: ({ query, key, share }) =>
    gettext("In this head, {query} gives {share} of its attention to {key}.", {
      query: name(query),
      share,
      key: name(key),
    }),
  /** @param {Omit<Cell, "key">} cell */
  toItself: ({ query, share }) =>
    gettext("In this head, {query} gives {share} of its attention to itself.", {
      query: name(query),
      share,
    }),
  /** The softmax runs over queries. @param {Cell} cell */
  receives: ({ query, key, share }) =>
    gettext(
      "In this head, the attention to {key} is shared out among the tokens that look at it: {query} has {share} of it.",
      { key: name(key), query: name(query), share },
    ),
  /** @param {Cell} cell */
  only: ({ query, key, share }) =>
    gettext("{query} can only look at {key}, which gets {share} of its attention.", {
      query: name(query),
      key: name(key),
      share,
    }),
  /** @param {Omit<Cell, "key">} cell */
  onlyItself: ({ query, share }) =>
    gettext("{query} can only look at itself, and gives itself {share} of its attention.", {
      query: name(query),
      share,
    }),
  /** @param {Cell & {n: number}} cell */
  spread: ({ query, n, key, share }) =>
    gettext(
      "In this head, {query} spreads its attention over {n} tokens; the strongest, {key}, gets {share}.",
      { query: name(query), n, key: name(key), share },
    ),
  /** @param {{query: Named, n: number, share: string}} row */
  even: ({ query, n, share }) =>
    gettext(
      "In this head, {query} gives each of the {n} tokens that it can see the same weight, {share}.",
      { query: name(query), n, share },
    ),
  /** @param {{query: Named}} row */
  none: ({ query }) =>
    gettext(
      "Everything is hidden from {query}, so it gives no attention and takes nothing from this head.",
      { query: name(query) },
    ),
  /** @param {{query: Named, key: Named, masks: string}} cell */
  hidden: ({ query, key, masks }) =>
    gettext("{query} cannot look at {key}, which is hidden by {masks}.", {
      query: name(query),
      key: name(key),
      masks,
    }),
  /** @param {{key: Named, share: string}} strongest */
  most: ({ key, share }) =>
    gettext("It looks most at {key}, with {share}.", { key: name(key), share }),
};

/** @typedef {{score: string, next: Named, gap: string, factor: string}} Lead */

/** Why: the scores, and what the softmax makes of them. */
export const SCORE = {
  size: gettext("There is no softmax here: a share is the size of a weight, whatever its sign."),
  /** @param {Lead} lead */
  beats: ({ score, next, gap, factor }) =>
    gettext(
      "The score, {score}, beats the next, {next}, by {gap}, and softmax turns that into {factor} times the weight.",
      { score, next: name(next), gap, factor },
    ),
  /** @param {Pick<Lead, "score" | "next">} lead */
  close: ({ score, next }) =>
    gettext(
      "The score, {score}, is hardly higher than that of {next}, so the two get about the same weight.",
      { score, next: name(next) },
    ),
};

/** @param {{n: number, later: boolean, mask: string}} hidden */
export function hidden({ n, later, mask }) {
  if (later) {
    return ngettext(
      "{n} later token is hidden by {mask}.",
      "{n} later tokens are hidden by {mask}.",
      n,
      { mask },
    );
  }
  return ngettext("{n} token is hidden by {mask}.", "{n} tokens are hidden by {mask}.", n, {
    mask,
  });
}

/** Where the picture shows words. */
export const PIECES = gettext(
  "The picture shows whole words; this tells of the model’s own pieces.",
);

/** What a heatmap leaves out. @param {{share: string, isScaled: boolean}} hidden `share`: of the row */
export const HIDDEN = ({ share, isScaled }) =>
  isScaled
    ? gettext(
        "Special tokens, which get {share} of this row, are hidden; the rest of it is scaled to sum to 1.",
        { share },
      )
    : gettext("Special tokens, which get {share} of this row, are hidden.", { share });

/** What else there is to know of a row. */
export const ROW = {
  /** @param {{share: string}} sink */
  sink: ({ share }) =>
    gettext("{share} of its attention goes to the sink, which is not a token.", { share }),
  /** @param {{share: string}} lost */
  lost: ({ share }) =>
    gettext("The masks come after the softmax here, so {share} of its attention is lost.", {
      share,
    }),
  /** @param {{query: Named}} row */
  padding: ({ query }) =>
    gettext("{query} is padding: it only makes the texts equally long.", { query: name(query) }),
};

/** Matrices other than the pattern and the scores. */
export const MATRIX = {
  /** @param {{unit: string, value: string}} cell */
  cell: ({ unit, value }) => gettext("The picture shows {unit} {value} here.", { unit, value }),
  /** Of all layers and heads. @param {{query: Named, does: string, key: Named, unit: string, value: string}} cell */
  all: ({ query, does, key, unit, value }) =>
    gettext("Over all layers and heads, {query} {does} {key}: {unit} {value}.", {
      query: name(query),
      does,
      key: name(key),
      unit,
      value,
    }),
};

/** @typedef {{token: string, from: string, to: string}} Move */

/** What muting the head does to the prediction. */
export const MUTING = {
  isMuted: gettext("This head is muted: whatever it looks at, it adds nothing."),
  /** @param {Move} move */
  moves: ({ token, from, to }) =>
    gettext("Muting this head moves {token} from {from} to {to}.", {
      token: quoted(token),
      from,
      to,
    }),
  /** @param {Omit<Move, "from">} move */
  leaves: ({ token, to }) =>
    gettext("Muting this head leaves {token} at {to}.", { token: quoted(token), to }),
  /** @param {Move} move */
  movesBack: ({ token, from, to }) =>
    gettext("Unmuting this head moves {token} from {from} to {to}.", {
      token: quoted(token),
      from,
      to,
    }),
  /** @param {Omit<Move, "from">} move */
  leavesBack: ({ token, to }) =>
    gettext("Unmuting this head leaves {token} at {to}.", { token: quoted(token), to }),
  /** @param {{head: string, token: string, to: string}} other */
  others: ({ head, token, to }) =>
    gettext("Other heads matter, too: without {head}, {token} is at {to}.", {
      head,
      token: quoted(token),
      to,
    }),
  /** @param {{token: string}} watched */
  first: ({ token }) =>
    gettext("No other single head helps {token} more.", { token: quoted(token) }),
  /** The others are only estimated. @param {{token: string, n: number, all: number}} watched */
  firstOf: ({ token, n, all }) =>
    gettext("Of the {n} heads, of {all}, that were tried, none helps {token} more.", {
      n,
      all,
      token: quoted(token),
    }),
};

/** What the reader's masks, paint and mutes did. */
export const EDITED = {
  /** @param {Move} move */
  moved: ({ token, from, to }) =>
    gettext("Your changes moved {token} from {from} to {to}.", { token: quoted(token), from, to }),
  /** @param {Omit<Move, "from">} move */
  left: ({ token, to }) =>
    gettext("Your changes left {token} at {to}.", { token: quoted(token), to }),
};

/** @typedef {{query: Named, token: string, probability: string}} Predicted */

/** What a row predicts. */
export const PREDICTS = {
  /** @param {Predicted} row */
  next: ({ query, token, probability }) =>
    gettext("This row predicts what follows {query}: {token}, {probability}.", {
      query: name(query),
      token: quoted(token),
      probability,
    }),
  /** @param {Predicted} row */
  fill: ({ query, token, probability }) =>
    gettext("This row predicts the token at {query}: {token}, {probability}.", {
      query: name(query),
      token: quoted(token),
      probability,
    }),
  /** @param {Predicted} row */
  class: ({ query, token, probability }) =>
    gettext("The class of the text is read at {query}: {token}, {probability}.", {
      query: name(query),
      token: quoted(token),
      probability,
    }),
  /** @param {Predicted} row */
  tag: ({ query, token, probability }) =>
    gettext("The class of {query}: {token}, {probability}.", {
      query: name(query),
      token: quoted(token),
      probability,
    }),
};

/** What is read in the place of what the model predicts. */
export const ANSWERED = {
  /** @param {Predicted} row */
  similarity: ({ token, probability }) =>
    gettext(
      "The text is most like {token}: {probability} among the sentences that it is compared with.",
      { token: quoted(token), probability },
    ),
  /** @param {Predicted} row */
  entropy: ({ query, token, probability }) =>
    gettext("How sure the model is at {query}: {token}, {probability}.", {
      query: name(query),
      token: quoted(token),
      probability,
    }),
  /** @param {Predicted} row */
  loss: ({ token, probability }) =>
    gettext("How likely the text is, token by token: {token}, {probability}.", {
      token: quoted(token),
      probability,
    }),
  /** @param {Predicted} row */
  probe: ({ query, token, probability }) =>
    gettext("The probe reads {token} at {query}: {probability}.", {
      token: quoted(token),
      query: name(query),
      probability,
    }),
};

/** Words, of which only the first few are named. @param {string[]} words */
function some(words) {
  const more = words.length - MAX_NAMED;
  const rest = ngettext("{n} more word", "{n} more words", more);
  return enumerated([...words.slice(0, MAX_NAMED).map(quoted), ...(more > 0 ? [rest] : [])]);
}

/** @typedef {{words: string[], pieces: number}} Spelled `pieces`: of the first word */

/** What a single word is split into. @param {Spelled} spelled */
const into = ({ words, pieces }) =>
  words.length === 1 ? ngettext("{n} piece", "{n} pieces", pieces) : gettext("pieces");

/** Words that the model does not have. */
export const SPELLED = {
  /** @param {Spelled} spelled */
  pieces: (spelled) =>
    gettext("The model splits {some} into {into}.", {
      some: some(spelled.words),
      into: into(spelled),
    }),
  /** @param {Spelled & {trainedOn: string}} spelled */
  trained: ({ trainedOn, ...spelled }) =>
    gettext("This model was trained on {trainedOn}; it splits {some} into {into}.", {
      trainedOn,
      some: some(spelled.words),
      into: into(spelled),
    }),
  /** @param {{words: string[]}} unknown */
  unknown: ({ words }) =>
    ngettext(
      "The model does not know {some}: it reads its token for unknown words instead.",
      "The model does not know {some}: for each it reads its token for unknown words instead.",
      words.length,
      { some: some(words) },
    ),
};

export const WHY = gettext("Why?");
export const WHY_TITLE = gettext("Show the arithmetic of this cell");
export const DRAWER = {
  label: gettext("How this cell comes about"),
  /** @param {{query: string, key: string}} cell */
  title: ({ query, key }) =>
    gettext("How {query} comes to look at {key}", { query: quoted(query), key: quoted(key) }),
  beside: gettext("Beside the next key"),
  numbers: /** @type {const} */ ([
    ["dot", "q·k"],
    ["score", gettext("score")],
    ["weight", gettext("weight")],
  ]),
  all: gettext("All keys"),
  allTitle: gettext("The whole row, step by step"),
  close: gettext("Close"),
  closeTitle: gettext("Close (Esc)"),
};
export const ASK = gettext("Ask");
export const APART = gettext("Take this score apart");
export const APART_TITLE = gettext(
  "Show which parts of the query and of the key this score comes from, and switch them off",
);
export const WHICH = gettext("Which heads matter most?");
export const WHICH_TITLE = gettext(
  "Mute every head in turn, and rank them by what the prediction loses",
);
/** @param {{query: Named}} row */
export const predictedBy = ({ query }) => gettext("What predicts {query}?", { query: name(query) });
export const PREDICTED_TITLE = gettext("Go to the row before, which predicts this token");
