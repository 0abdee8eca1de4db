// What the panel "From scratch" says: its settings, the mistakes and the beliefs, and what each of them shows.

import { gettext, ngettext } from "../../language/gettext.js";
import { quote } from "../../words/format.js";

export const UNTRAINED = gettext(
  "Nobody trained these weights, so there are no predictions, no logit lens and no mute effects.",
);
/** What is said of a target that the reader did not type. @param {string} target */
export const defaultTarget = (target) =>
  gettext(
    "{target} was added as the second text. Its words ask, and the words of the first text answer.",
    { target: quote(target) },
  );
/** @param {number} n */
export const modifiedCount = (n) => (n > 0 ? gettext("modified: {n}", { n }) : "");

export const NEW_SEED = { text: gettext("New seed"), title: gettext("Draw new random weights") };
export const A_NUMBER = gettext("a number");
/** @param {string} setting */
export const asNumber = (setting) => gettext("{setting}, as a number", { setting });
/** @param {string} value */
export const resetTitle = (value) => gettext("Reset to {value}", { value });
/** @param {{setting: string, value: string}} reset */
export const resetLabel = ({ setting, value }) =>
  gettext("Reset {setting} to {value}", { setting, value });
/** The values that a setting may have. @param {{min: number, max: number, whole: boolean}} bounds */
export function boundsInWords({ min, max, whole }) {
  const [from, to] = [min, max].map((value) => value.toLocaleString("en"));
  return whole
    ? gettext("From {from} to {to}, whole.", { from, to })
    : gettext("From {from} to {to}.", { from, to });
}
export const NONE = gettext("none");
/** Why settings have no effect. @param {{settings: string, reason: string}} idle `settings`: a list */
export const noEffect = ({ settings, reason }) => `${settings}: ${reason}`;

const WEIGHTS_NOTE = gettext(
  "A link does not contain weights from a file; a view saved as a file does. The file can have embedding.weight (one row for each token id, padding first) and parameters by name, such as layers.0.attention.w_q.weight. Whatever it lacks is drawn from the seed.",
);
export const WEIGHTS = {
  label: gettext("Weights as a safetensors file"),
  choose: gettext("Weights from a file …"),
  remove: gettext("Remove"),
  removeLabel: gettext("Remove the weights from the file"),
  note: WEIGHTS_NOTE,
  /** @param {string} names of the tensors in the file */
  noteWith: (names) => `${names}. ${WEIGHTS_NOTE}`,
  aFile: gettext("a file"),
  /** @param {{name: string, size: number, max: number}} file sizes in kB */
  tooLarge: ({ name, size, max }) =>
    gettext(
      "{name} has {size} kB, but a request can carry at most {max} kB. Choose smaller sizes.",
      { name, size, max },
    ),
  /** @param {{n: number | null, file: string}} weights `n`: tensors; null: not known yet */
  refused: ({ n, file }) => {
    if (n === null) return gettext("tensors of {file}", { file });
    return ngettext("{n} tensor of {file}", "{n} tensors of {file}", n, { file });
  },
  /** @param {{n: number | null, file: string}} weights */
  loaded: ({ n, file }) => {
    if (n === null) return gettext("tensors of {file}: in saved views, not in links", { file });
    return ngettext(
      "{n} tensor of {file}: in saved views, not in links",
      "{n} tensors of {file}: in saved views, not in links",
      n,
      { file },
    );
  },
};

/** @param {{rows: string, columns: string}} sums */
export const sumsLabel = ({ rows, columns }) =>
  gettext("Row sums {rows}; column sums {columns}.", { rows, columns });

/** @typedef {{name: string, sentence: string}} SwitchWords */

/** What goes wrong on purpose: each classic mistake. @satisfies {Record<string, SwitchWords>} */
export const MISTAKES = {
  axis: {
    name: gettext("Softmax over queries"),
    sentence: gettext(
      "The softmax runs down the columns, so the rows no longer sum to 1: some tokens receive too much, others too little.",
    ),
  },
  noScale: {
    name: gettext("No scale"),
    sentence: gettext(
      "Without 1/√d_head, wider heads have larger scores, and the softmax puts nearly all the weight on one key.",
    ),
  },
  wideScale: {
    name: gettext("Scale from d_model instead of d_head"),
    sentence: gettext(
      "Dividing by √d_model makes the scores √(d_model / d_head) times too small, which is √h if h heads share d_model. Every head becomes flatter.",
    ),
  },
  padding: {
    name: gettext("Padding mask not applied"),
    sentence: gettext("The mask was built but never used, so real tokens give weight to padding."),
  },
  rightPadding: {
    name: gettext("Right padding not masked, under a causal mask"),
    sentence: gettext(
      "This looks like the same mistake, but it is harmless: padding on the right comes after every real token, and the causal mask blocks what comes after.",
    ),
  },
  maskAfter: {
    name: gettext("Masks after the softmax"),
    sentence: gettext(
      "Blocked cells are set to 0 after the softmax. The weight that they took is lost, and rows sum to less than 1.",
    ),
  },
  packing: {
    name: gettext("Packing read in the wrong order"),
    sentence: gettext(
      "One matrix holds q, k and v of all heads. Read in another order than they were packed, the same weights make entirely different heads.",
    ),
  },
  seesNext: {
    name: gettext("Causal mask one too wide"),
    sentence: gettext(
      "Each token also sees the next one, which is exactly the one that it should predict.",
    ),
  },
  hidesSelf: {
    name: gettext("Causal mask one too narrow"),
    sentence: gettext("No token sees itself, and the first one sees nothing at all."),
  },
  blockedRow: {
    name: gettext("Every key of a row blocked"),
    sentence: gettext(
      "The selected row has nothing left to look at. The softmax of nothing would be NaN; here the row is 0, and the page says so.",
    ),
  },
};

/** Why a mistake or a belief means nothing here. */
export const UNAVAILABLE = {
  notCausal: gettext("Cross-attention has no causal mask."),
  sameScales: gettext("Here d_head equals d_model, so both scales are the same."),
  average: gettext("In an average all scores are 0, so there is nothing to scale."),
  scaleCancels: gettext("In linear attention a scale is divided out again."),
  scaleIsShared: gettext(
    "Without a softmax, a scale makes all weights larger or smaller together.",
  ),
  noSoftmax: gettext("This mechanism has no softmax: its weights are q · k itself."),
  noScale: gettext("This mechanism has no scale to begin with."),
  notPacked: gettext(
    "q, k and v do not come from one matrix here. Choose a mechanism with a single matrix.",
  ),
  twoTexts: gettext(
    "Here queries and keys come from two texts, so there is no reverse direction to compare with.",
  ),
  noOutput: gettext(
    "Norms need W_O, which this mechanism lacks. Choose one that has it, such as multi-head attention.",
  ),
  palindrome: gettext("This text reads the same both ways. Type another."),
  oneHead: gettext("There is only one head, so there is nothing to compare it with."),
  weightsByPlace: gettext(
    "The weights file has one vector for each token id, and ids follow the order of the words. Words in another order would get other vectors. Remove the file.",
  ),
  tooLong: gettext("The text is too long to be measured here. Shorten it."),
};
/** While it is not known yet. */
export const WAITING = "…";

/**
 * What else turning a mistake on changes; "" for nothing.
 * @param {{shorter?: boolean, causal?: boolean, left?: boolean}} changes `shorter`: a shorter text is added; `left`: padding goes there
 */
export function alsoChanges({ shorter, causal, left }) {
  if (shorter && causal)
    return gettext("Turning it on adds a shorter text and turns on the causal mask.");
  if (shorter && left)
    return gettext("Turning it on adds a shorter text and puts padding on the left.");
  if (shorter) return gettext("Turning it on adds a shorter text.");
  if (causal) return gettext("Turning it on also turns on the causal mask.");
  return left ? gettext("Turning it on puts padding on the left.") : "";
}
export const SHOWS_NOTHING = gettext("This text and mechanism cannot show this.");

/** What people believe of attention, and what shows that it is not so. @satisfies {Record<string, SwitchWords>} */
export const BELIEFS = {
  slices: {
    name: gettext("“Heads split the sentence”"),
    sentence: gettext(
      "They slice features, never tokens: each head sees every word, through channels of its own.",
    ),
  },
  transpose: {
    name: gettext("“What i gives j, j gives i”"),
    sentence: gettext(
      "Compare the pattern with its transpose. q and k are two roles, and each row is normalised on its own.",
    ),
  },
  firstColumn: {
    name: gettext("“A hot first column means importance”"),
    sentence: gettext(
      "Weight alone does not say how much is moved. The norms multiply it by the length of v W_O. Compare the two shares.",
    ),
  },
  order: {
    name: gettext("“Attention knows the order of words”"),
    sentence: gettext(
      "The same words in reverse, without positions and without a causal mask: every word gets exactly what it got before.",
    ),
  },
  cause: {
    name: gettext("“The largest weight is the cause”"),
    sentence: gettext(
      "The head with the largest weight in this row is muted. Compare what the layer loses with what other heads give.",
    ),
  },
};

/** What muting a head took. @param {{head: number, weight: string, length: string}} muted */
export const causeMuted = ({ head, weight, length }) =>
  gettext(
    "Head {head} has the largest weight in this row, {weight}. Without it, the token loses a z of length {length}.",
    { head, weight, length },
  );
/** @param {{head: number, length: string}} next */
export const causeConfirmed = ({ head, length }) =>
  gettext(
    "Here it also gives the most; head {head} comes next, with {length}. Try another token.",
    { head, length },
  );
/** @param {{head: number, weight: string, length: string}} stronger */
export const causeRefuted = ({ head, weight, length }) =>
  gettext("Head {head}, whose largest weight is {weight}, gives more: {length}.", {
    head,
    weight,
    length,
  });
