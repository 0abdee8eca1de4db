// The sentences of “Explain this”. Every number in them is one of the answer, or made of some of them.

import { enumerated, quote, shorten } from "../../words/format.js";

/** @import { Named } from "../../numbers/explain/row.js" */

const MAX = 24; // characters of a token or a word
const MAX_NAMED = 3; // words in a list

/** @param {string} text */
const quoted = (text) => quote(shorten(text, MAX));
/** A token; with its number if another one has the same label. @param {Named} token */
const name = ({ label, place, twin }) =>
  twin ? `${quote(shorten(label, MAX))} (token ${place})` : quoted(label);

/** @param {string} number */
export const lessThan = (number) => `less than ${number}`;
/** @param {string} number */
export const moreThan = (number) => `more than ${number}`;
export const MILLION = "more than a million";

export const WAITING = "The exact numbers of this row are on their way.";

/** @typedef {{query: Named, key: Named, share: string}} Cell */

/** How much one token looks at another. */
export const ATTENTION = {
  /** @param {Cell} cell */
  gives: ({ query, key, share }) =>
    `In this head, ${name(query)} gives ${share} of its attention to ${name(key)}.`,
  /** @param {Omit<Cell, "key">} cell */
  toItself: ({ query, share }) =>
    `In this head, ${name(query)} gives ${share} of its attention to itself.`,
  /** The softmax runs over queries. @param {Cell} cell */
  receives: ({ query, key, share }) =>
    `In this head, the attention to ${name(key)} is shared out among the tokens that look at it: ${name(query)} has ${share} of it.`,
  /** @param {Cell} cell */
  only: ({ query, key, share }) =>
    `${name(query)} can only look at ${name(key)}, which gets ${share} of its attention.`,
  /** @param {Omit<Cell, "key">} cell */
  onlyItself: ({ query, share }) =>
    `${name(query)} can only look at itself, and gives itself ${share} of its attention.`,
  /** @param {Cell & {n: number}} cell */
  spread: ({ query, n, key, share }) =>
    `In this head, ${name(query)} spreads its attention over ${n} tokens; the strongest, ${name(key)}, gets ${share}.`,
  /** @param {{query: Named, n: number, share: string}} row */
  even: ({ query, n, share }) =>
    `In this head, ${name(query)} gives each of the ${n} tokens that it can see the same weight, ${share}.`,
  /** @param {{query: Named}} row */
  none: ({ query }) =>
    `Everything is hidden from ${name(query)}, so it gives no attention and takes nothing from this head.`,
  /** @param {{query: Named, key: Named, masks: string}} cell */
  hidden: ({ query, key, masks }) =>
    `${name(query)} cannot look at ${name(key)}, which is hidden by ${masks}.`,
  /** @param {{key: Named, share: string}} strongest */
  most: ({ key, share }) => `It looks most at ${name(key)}, with ${share}.`,
};

/** @typedef {{score: string, next: Named, gap: string, factor: string}} Lead */

/** Why: the scores, and what the softmax makes of them. */
export const SCORE = {
  size: "There is no softmax here: a share is the size of a weight, whatever its sign.",
  /** @param {Lead} lead */
  beats: ({ score, next, gap, factor }) =>
    `The score, ${score}, beats the next, ${name(next)}, by ${gap}, and softmax turns that into ${factor} times the weight.`,
  /** @param {Pick<Lead, "score" | "next">} lead */
  close: ({ score, next }) =>
    `The score, ${score}, is hardly higher than that of ${name(next)}, so the two get about the same weight.`,
};

/** @param {{n: number, later: boolean, mask: string}} hidden */
export function hidden({ n, later, mask }) {
  if (later) {
    return n === 1
      ? `1 later token is hidden by ${mask}.`
      : `${n} later tokens are hidden by ${mask}.`;
  }
  return n === 1 ? `1 token is hidden by ${mask}.` : `${n} tokens are hidden by ${mask}.`;
}

/** Where the picture shows words. */
export const PIECES = "The picture shows whole words; this tells of the model’s own pieces.";

/** What a heatmap leaves out. @param {{share: string, isScaled: boolean}} hidden `share`: of the row */
export const HIDDEN = ({ share, isScaled }) =>
  isScaled
    ? `Special tokens, which get ${share} of this row, are hidden; the rest of it is scaled to sum to 1.`
    : `Special tokens, which get ${share} of this row, are hidden.`;

/** What else there is to know of a row. */
export const ROW = {
  /** @param {{share: string}} sink */
  sink: ({ share }) => `${share} of its attention goes to the sink, which is not a token.`,
  /** @param {{share: string}} lost */
  lost: ({ share }) =>
    `The masks come after the softmax here, so ${share} of its attention is lost.`,
  /** @param {{query: Named}} row */
  padding: ({ query }) => `${name(query)} is padding: it only makes the texts equally long.`,
};

/** Matrices other than the pattern and the scores. */
export const MATRIX = {
  /** @param {{unit: string, value: string}} cell */
  cell: ({ unit, value }) => `The picture shows ${unit} ${value} here.`,
  /** Of all layers and heads. @param {{query: Named, does: string, key: Named, unit: string, value: string}} cell */
  all: ({ query, does, key, unit, value }) =>
    `Over all layers and heads, ${name(query)} ${does} ${name(key)}: ${unit} ${value}.`,
};

/** @typedef {{token: string, from: string, to: string}} Move */

/** What muting the head does to the prediction. */
export const MUTING = {
  isMuted: "This head is muted: whatever it looks at, it adds nothing.",
  /** @param {Move} move */
  moves: ({ token, from, to }) => `Muting this head moves ${quoted(token)} from ${from} to ${to}.`,
  /** @param {Omit<Move, "from">} move */
  leaves: ({ token, to }) => `Muting this head leaves ${quoted(token)} at ${to}.`,
  /** @param {Move} move */
  movesBack: ({ token, from, to }) =>
    `Unmuting this head moves ${quoted(token)} from ${from} to ${to}.`,
  /** @param {Omit<Move, "from">} move */
  leavesBack: ({ token, to }) => `Unmuting this head leaves ${quoted(token)} at ${to}.`,
  /** @param {{head: string, token: string, to: string}} other */
  others: ({ head, token, to }) =>
    `Other heads matter, too: without ${head}, ${quoted(token)} is at ${to}.`,
  /** @param {{token: string}} watched */
  first: ({ token }) => `No other single head helps ${quoted(token)} more.`,
  /** The others are only estimated. @param {{token: string, n: number, all: number}} watched */
  firstOf: ({ token, n, all }) =>
    `Of the ${n} heads, of ${all}, that were tried, none helps ${quoted(token)} more.`,
};

/** What the reader's masks, paint and mutes did. */
export const EDITED = {
  /** @param {Move} move */
  moved: ({ token, from, to }) => `Your changes moved ${quoted(token)} from ${from} to ${to}.`,
  /** @param {Omit<Move, "from">} move */
  left: ({ token, to }) => `Your changes left ${quoted(token)} at ${to}.`,
};

/** @typedef {{query: Named, token: string, probability: string}} Predicted */

/** What a row predicts. */
export const PREDICTS = {
  /** @param {Predicted} row */
  next: ({ query, token, probability }) =>
    `This row predicts what follows ${name(query)}: ${quoted(token)}, ${probability}.`,
  /** @param {Predicted} row */
  fill: ({ query, token, probability }) =>
    `This row predicts the token at ${name(query)}: ${quoted(token)}, ${probability}.`,
  /** @param {Predicted} row */
  class: ({ query, token, probability }) =>
    `The class of the text is read at ${name(query)}: ${quoted(token)}, ${probability}.`,
  /** @param {Predicted} row */
  tag: ({ query, token, probability }) =>
    `The class of ${name(query)}: ${quoted(token)}, ${probability}.`,
};

/** What is read in the place of what the model predicts. */
export const ANSWERED = {
  /** @param {Predicted} row */
  similarity: ({ token, probability }) =>
    `The text is most like ${quoted(token)}: ${probability} among the sentences that it is compared with.`,
  /** @param {Predicted} row */
  entropy: ({ query, token, probability }) =>
    `How sure the model is at ${name(query)}: ${quoted(token)}, ${probability}.`,
  /** @param {Predicted} row */
  loss: ({ token, probability }) =>
    `How likely the text is, token by token: ${quoted(token)}, ${probability}.`,
  /** @param {Predicted} row */
  probe: ({ query, token, probability }) =>
    `The probe reads ${quoted(token)} at ${name(query)}: ${probability}.`,
};

/** Words, of which only the first few are named. @param {string[]} words */
function some(words) {
  const more = words.length - MAX_NAMED;
  const rest = more === 1 ? "1 more word" : `${more} more words`;
  return enumerated([...words.slice(0, MAX_NAMED).map(quoted), ...(more > 0 ? [rest] : [])]);
}

/** @typedef {{words: string[], pieces: number}} Spelled `pieces`: of the first word */

/** What a single word is split into. @param {Spelled} spelled */
const into = ({ words, pieces }) => (words.length === 1 ? `${pieces} pieces` : "pieces");

/** Words that the model does not have. */
export const SPELLED = {
  /** @param {Spelled} spelled */
  pieces: (spelled) => `The model splits ${some(spelled.words)} into ${into(spelled)}.`,
  /** @param {Spelled & {trainedOn: string}} spelled */
  trained: ({ trainedOn, ...spelled }) =>
    `This model was trained on ${trainedOn}; it splits ${some(spelled.words)} into ${into(spelled)}.`,
  /** @param {{words: string[]}} unknown */
  unknown: ({ words }) =>
    words.length === 1
      ? `The model does not know ${some(words)}: it reads its token for unknown words instead.`
      : `The model does not know ${some(words)}: for each it reads its token for unknown words instead.`,
};

export const WHY = "Why?";
export const WHY_TITLE = "Show the arithmetic of this cell";
export const DRAWER = {
  label: "How this cell comes about",
  /** @param {{query: string, key: string}} cell */
  title: ({ query, key }) => `How ${quoted(query)} comes to look at ${quoted(key)}`,
  beside: "Beside the next key",
  numbers: /** @type {const} */ ([
    ["dot", "q·k"],
    ["score", "score"],
    ["weight", "weight"],
  ]),
  all: "All keys",
  allTitle: "The whole row, step by step",
  close: "Close",
  closeTitle: "Close (Esc)",
};
export const ASK = "Ask";
export const APART = "Take this score apart";
export const APART_TITLE =
  "Show which parts of the query and of the key this score comes from, and switch them off";
export const WHICH = "Which heads matter most?";
export const WHICH_TITLE = "Mute every head in turn, and rank them by what the prediction loses";
/** @param {{query: Named}} row */
export const predictedBy = ({ query }) => `What predicts ${name(query)}?`;
export const PREDICTED_TITLE = "Go to the row before, which predicts this token";
