// What the panel "From scratch" says: its settings, the mistakes and the beliefs, and what each of them shows.

export const UNTRAINED =
  "Nobody trained these weights: there are no predictions, no lens and no mute effects.";
/** What is said of a target that the reader did not type. @param {string} target */
export const defaultTarget = (target) =>
  `“${target}” was put in as the second text: its words ask, those of the first are looked at.`;
/** @param {number} n */
export const modifiedCount = (n) => (n > 0 ? `modified: ${n}` : "");

export const NEW_SEED = { text: "New seed", title: "Draw other weights" };
export const A_NUMBER = "a number";
/** @param {string} setting */
export const asNumber = (setting) => `${setting}, as a number`;
/** @param {string} value */
export const resetTitle = (value) => `Back to ${value}`;
/** @param {{setting: string, value: string}} reset */
export const resetLabel = ({ setting, value }) => `${setting}: back to ${value}`;
/** The values that a setting may have. @param {{min: number, max: number, whole: boolean}} bounds */
export function boundsInWords({ min, max, whole }) {
  const [from, to] = [min, max].map((value) => value.toLocaleString("en"));
  return whole ? `From ${from} to ${to}, whole.` : `From ${from} to ${to}.`;
}
/** Why settings have no effect. @param {{settings: string, reason: string}} idle `settings`: a list */
export const noEffect = ({ settings, reason }) => `${settings}: ${reason}`;

const WEIGHTS_NOTE =
  "Weights from a file are in no link: a view saved as a file holds them. The file may hold embedding.weight (a row for each token id, padding first) and parameters by name, such as layers.0.attention.w_q.weight; what it lacks is drawn from the seed.";
export const WEIGHTS = {
  label: "Weights as a safetensors file",
  choose: "Weights from a file …",
  remove: "Remove",
  removeLabel: "Remove the weights of the file",
  note: WEIGHTS_NOTE,
  /** @param {string} names of the tensors in the file */
  noteWith: (names) => `${names}. ${WEIGHTS_NOTE}`,
  aFile: "a file",
  /** @param {{name: string, size: number, max: number}} file sizes in kB */
  tooLarge: ({ name, size, max }) =>
    `${name} has ${size} kB, and at most ${max} kB travel with a request. Choose smaller sizes.`,
  /** @param {{n: number | null, file: string}} weights `n`: tensors; null: not known yet */
  refused: ({ n, file }) => {
    if (n === null) return `tensors of ${file}`;
    return n === 1 ? `1 tensor of ${file}` : `${n} tensors of ${file}`;
  },
  /** @param {{n: number | null, file: string}} weights */
  loaded: ({ n, file }) => {
    if (n === null) return `tensors of ${file}; in no link, in a saved view`;
    return n === 1
      ? `1 tensor of ${file}; in no link, in a saved view`
      : `${n} tensors of ${file}; in no link, in a saved view`;
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
      "The softmax runs down the columns: a row is no longer a distribution, and what a token gets grows and shrinks.",
  },
  noScale: {
    name: "The scale forgotten",
    sentence:
      "Without 1/√d_head the scores spread with the width of a head, and the softmax puts nearly all the weight on one key.",
  },
  wideScale: {
    name: "The scale of d_model",
    sentence:
      "Divided by √d_model, the scores are √(d_model / d_head) times too small (√h with h heads that share d_model): every head is flattened.",
  },
  padding: {
    name: "The padding mask not applied",
    sentence:
      "The mask was built but never used: real tokens give weight to tokens that are not there.",
  },
  rightPadding: {
    name: "Right padding under a causal mask, not masked",
    sentence:
      "This looks like the same mistake but is harmless: padding on the right lies in the future of every real token.",
  },
  maskAfter: {
    name: "Masks after the softmax",
    sentence:
      "Blocked cells are set to 0 after the softmax: the weight that they took is lost, and rows sum to less than 1.",
  },
  packing: {
    name: "The packing misread",
    sentence:
      "One matrix holds q, k and v of all heads. Split in another order than it was packed, the same weights make entirely different heads.",
  },
  seesNext: {
    name: "The causal mask one too far",
    sentence: "Each token also sees the next one: exactly the one that it should predict.",
  },
  hidesSelf: {
    name: "The causal mask one too short",
    sentence: "A token does not see itself, and the first one sees nothing at all.",
  },
  blockedRow: {
    name: "Every key of a row blocked",
    sentence:
      "The selected row has nothing left to look at. Softmax of nothing would be NaN; here the row is 0, and is marked.",
  },
};

/** Why a mistake or a belief means nothing here. */
export const UNAVAILABLE = {
  notCausal: "Cross-attention has no causal mask.",
  sameScales: "Here d_head is d_model: both scales are one.",
  average: "An average has scores of 0: there is nothing to scale.",
  noScale: "This mechanism has no scale to begin with.",
  notPacked:
    "q, k and v do not come from one matrix here. Choose a mechanism with a single matrix.",
  twoTexts: "Queries and keys come from two texts here: there is no way back.",
  noOutput: "This mechanism has no W_O to weigh by. Choose one that has, such as multi-head.",
  palindrome: "This text reads the same both ways. Type another.",
  oneHead: "There is only one head: nothing to compare it with.",
  weightsByPlace:
    "The file of weights has a vector for each token id, and ids follow the order of the words: in another order they get other vectors. Remove the file.",
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
export const SHOWS_NOTHING = "Nothing in this text and mechanism can show it.";

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
      "The pattern beside its own transpose: q and k are two roles, and each row is normalised on its own.",
  },
  firstColumn: {
    name: "“A hot first column means importance”",
    sentence:
      "Weight alone does not say how much is moved: the norms weigh it by the length of v W_O. Compare the two shares.",
  },
  order: {
    name: "“Attention knows the order of words”",
    sentence:
      "The same words the other way round, without positions and causal mask: every word gets exactly what it got before.",
  },
  cause: {
    name: "“The largest weight is the cause”",
    sentence:
      "The head with the largest weight on this row is muted, and what the layer loses is compared with what others give.",
  },
};

/** What muting a head took. @param {{head: number, weight: string, length: string}} muted */
export const causeMuted = ({ head, weight, length }) =>
  `Head ${head} has the largest weight on this row, ${weight}; muted, the token loses a z of length ${length}.`;
/** @param {{head: number, length: string}} next */
export const causeConfirmed = ({ head, length }) =>
  `Here it is the longest, too; the next is head ${head} with ${length}. Try another token.`;
/** @param {{head: number, weight: string, length: string}} stronger */
export const causeRefuted = ({ head, weight, length }) =>
  `Head ${head}, whose largest weight is ${weight}, gives more: ${length}.`;
