// What the panel "From scratch" says: its settings, the mistakes and the beliefs, and what each of them shows.

import { quote } from "../../words/format.js";

export const UNTRAINED =
  "Nobody trained these weights, so there are no predictions, no logit lens and no mute effects.";
/** What is said of a target that the reader did not type. @param {string} target */
export const defaultTarget = (target) =>
  `${quote(target)} was added as the second text. Its words ask, and the words of the first text answer.`;
/** @param {number} n */
export const modifiedCount = (n) => (n > 0 ? `modified: ${n}` : "");

export const NEW_SEED = { text: "New seed", title: "Draw new random weights" };
export const A_NUMBER = "a number";
/** @param {string} setting */
export const asNumber = (setting) => `${setting}, as a number`;
/** @param {string} value */
export const resetTitle = (value) => `Reset to ${value}`;
/** @param {{setting: string, value: string}} reset */
export const resetLabel = ({ setting, value }) => `Reset ${setting} to ${value}`;
/** The values that a setting may have. @param {{min: number, max: number, whole: boolean}} bounds */
export function boundsInWords({ min, max, whole }) {
  const [from, to] = [min, max].map((value) => value.toLocaleString("en"));
  return whole ? `From ${from} to ${to}, whole.` : `From ${from} to ${to}.`;
}
export const NONE = "none";
/** Why settings have no effect. @param {{settings: string, reason: string}} idle `settings`: a list */
export const noEffect = ({ settings, reason }) => `${settings}: ${reason}`;

const WEIGHTS_NOTE =
  "A link does not contain weights from a file; a view saved as a file does. The file can have embedding.weight (one row for each token id, padding first) and parameters by name, such as layers.0.attention.w_q.weight. Whatever it lacks is drawn from the seed.";
export const WEIGHTS = {
  label: "Weights as a safetensors file",
  choose: "Weights from a file …",
  remove: "Remove",
  removeLabel: "Remove the weights from the file",
  note: WEIGHTS_NOTE,
  /** @param {string} names of the tensors in the file */
  noteWith: (names) => `${names}. ${WEIGHTS_NOTE}`,
  aFile: "a file",
  /** @param {{name: string, size: number, max: number}} file sizes in kB */
  tooLarge: ({ name, size, max }) =>
    `${name} has ${size} kB, but a request can carry at most ${max} kB. Choose smaller sizes.`,
  /** @param {{n: number | null, file: string}} weights `n`: tensors; null: not known yet */
  refused: ({ n, file }) => {
    if (n === null) return `tensors of ${file}`;
    return n === 1 ? `1 tensor of ${file}` : `${n} tensors of ${file}`;
  },
  /** @param {{n: number | null, file: string}} weights */
  loaded: ({ n, file }) => {
    if (n === null) return `tensors of ${file}: in saved views, not in links`;
    return n === 1
      ? `1 tensor of ${file}: in saved views, not in links`
      : `${n} tensors of ${file}: in saved views, not in links`;
  },
};

/** @param {{rows: string, columns: string}} sums */
export const sumsLabel = ({ rows, columns }) => `Row sums ${rows}; column sums ${columns}.`;

/** @typedef {{name: string, sentence: string}} SwitchWords */

/** What goes wrong on purpose: each classic mistake. @satisfies {Record<string, SwitchWords>} */
export const MISTAKES = {
  axis: {
    name: "Softmax over queries",
    sentence:
      "The softmax runs down the columns, so the rows no longer sum to 1: some tokens receive too much, others too little.",
  },
  noScale: {
    name: "No scale",
    sentence:
      "Without 1/√d_head, wider heads have larger scores, and the softmax puts nearly all the weight on one key.",
  },
  wideScale: {
    name: "Scale from d_model instead of d_head",
    sentence:
      "Dividing by √d_model makes the scores √(d_model / d_head) times too small, which is √h if h heads share d_model. Every head becomes flatter.",
  },
  padding: {
    name: "Padding mask not applied",
    sentence: "The mask was built but never used, so real tokens give weight to padding.",
  },
  rightPadding: {
    name: "Right padding not masked, under a causal mask",
    sentence:
      "This looks like the same mistake, but it is harmless: padding on the right comes after every real token, and the causal mask blocks what comes after.",
  },
  maskAfter: {
    name: "Masks after the softmax",
    sentence:
      "Blocked cells are set to 0 after the softmax. The weight that they took is lost, and rows sum to less than 1.",
  },
  packing: {
    name: "Packing read in the wrong order",
    sentence:
      "One matrix holds q, k and v of all heads. Read in another order than they were packed, the same weights make entirely different heads.",
  },
  seesNext: {
    name: "Causal mask one too wide",
    sentence: "Each token also sees the next one, which is exactly the one that it should predict.",
  },
  hidesSelf: {
    name: "Causal mask one too narrow",
    sentence: "No token sees itself, and the first one sees nothing at all.",
  },
  blockedRow: {
    name: "Every key of a row blocked",
    sentence:
      "The selected row has nothing left to look at. The softmax of nothing would be NaN; here the row is 0, and the page says so.",
  },
};

/** Why a mistake or a belief means nothing here. */
export const UNAVAILABLE = {
  notCausal: "Cross-attention has no causal mask.",
  sameScales: "Here d_head equals d_model, so both scales are the same.",
  average: "In an average all scores are 0, so there is nothing to scale.",
  scaleCancels: "In linear attention a scale is divided out again.",
  scaleIsShared: "Without a softmax, a scale makes all weights larger or smaller together.",
  noSoftmax: "This mechanism has no softmax: its weights are q · k itself.",
  noScale: "This mechanism has no scale to begin with.",
  notPacked:
    "q, k and v do not come from one matrix here. Choose a mechanism with a single matrix.",
  twoTexts:
    "Here queries and keys come from two texts, so there is no reverse direction to compare with.",
  noOutput:
    "Norms need W_O, which this mechanism lacks. Choose one that has it, such as multi-head attention.",
  palindrome: "This text reads the same both ways. Type another.",
  oneHead: "There is only one head, so there is nothing to compare it with.",
  weightsByPlace:
    "The weights file has one vector for each token id, and ids follow the order of the words. Words in another order would get other vectors. Remove the file.",
  tooLong: "The text is too long to be measured here. Shorten it.",
};
/** While it is not known yet. */
export const WAITING = "…";

/**
 * What else turning a mistake on changes; "" for nothing.
 * @param {{shorter?: boolean, causal?: boolean, left?: boolean}} changes `shorter`: a shorter text is added; `left`: padding goes there
 */
export function alsoChanges({ shorter, causal, left }) {
  if (shorter && causal) return "Turning it on adds a shorter text and turns on the causal mask.";
  if (shorter && left) return "Turning it on adds a shorter text and puts padding on the left.";
  if (shorter) return "Turning it on adds a shorter text.";
  if (causal) return "Turning it on also turns on the causal mask.";
  return left ? "Turning it on puts padding on the left." : "";
}
export const SHOWS_NOTHING = "This text and mechanism cannot show this.";

/** What people believe of attention, and what shows that it is not so. @satisfies {Record<string, SwitchWords>} */
export const BELIEFS = {
  slices: {
    name: "“Heads split the sentence”",
    sentence:
      "They slice features, never tokens: each head sees every word, through channels of its own.",
  },
  transpose: {
    name: "“What i gives j, j gives i”",
    sentence:
      "Compare the pattern with its transpose. q and k are two roles, and each row is normalised on its own.",
  },
  firstColumn: {
    name: "“A hot first column means importance”",
    sentence:
      "Weight alone does not say how much is moved. The norms multiply it by the length of v W_O. Compare the two shares.",
  },
  order: {
    name: "“Attention knows the order of words”",
    sentence:
      "The same words in reverse, without positions and without a causal mask: every word gets exactly what it got before.",
  },
  cause: {
    name: "“The largest weight is the cause”",
    sentence:
      "The head with the largest weight in this row is muted. Compare what the layer loses with what other heads give.",
  },
};

/** What muting a head took. @param {{head: number, weight: string, length: string}} muted */
export const causeMuted = ({ head, weight, length }) =>
  `Head ${head} has the largest weight in this row, ${weight}. Without it, the token loses a z of length ${length}.`;
/** @param {{head: number, length: string}} next */
export const causeConfirmed = ({ head, length }) =>
  `Here it also gives the most; head ${head} comes next, with ${length}. Try another token.`;
/** @param {{head: number, weight: string, length: string}} stronger */
export const causeRefuted = ({ head, weight, length }) =>
  `Head ${head}, whose largest weight is ${weight}, gives more: ${length}.`;
