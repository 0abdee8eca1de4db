// What the path map says.

import { capitalised, label, nearly, quote, quoteAt } from "../../words/format.js";

/** @import { PathEdge, PathNode, Token } from "../../types.d.ts" */

export const NAMES = {
  tokens: "tokens",
  answer: "logit",
  /** @param {number} layer */
  attention: (layer) => `layer ${layer} heads`,
  /** @param {number} layer */
  cross: (layer) => `layer ${layer} cross heads`,
  /** @param {number} layer */
  feed: (layer) => `layer ${layer} feed-forward`,
};

/** What stands in a box. @param {PathNode} node */
export function nodeLabel({ part }) {
  if (part === null) return "logit";
  if (part.kind === "head") return `H${part.head}`;
  return part.kind === "mlp" ? "FF" : part.kind;
}

export const THROUGH = {
  q: { short: "Q", name: "query" },
  k: { short: "K", name: "key" },
  v: { short: "V", name: "value" },
  mlp: { short: "FF", name: "feed-forward" },
  logit: { short: "logit", name: "logit" },
};

/** @type {readonly (readonly ["q" | "k" | "v" | "mlp" | "denied", string])[]} */
export const LEGEND = [
  ["q", "Q: a head’s query is made of it"],
  ["k", "K: a head’s key is made of it"],
  ["v", "V: a head moves it"],
  ["mlp", "read by a feed-forward network, or by the logit"],
  ["denied", "×: attribution promised it, and the cut denies it"],
];
export const WIDTH = "Width: by how much the logit moves when just this edge is cut.";
export const ABOUT =
  "Routes are followed from the logit back to the tokens, with norms frozen (Elhage et al. 2021); edges through Q, K and feed-forward networks are estimated (attribution patching, Kramár et al. 2024). Every edge is then cut alone in a run of its own. Routes end where a cut denies them. Where the model is very sure, the estimates are too small, and some routes may be missed.";

export const TOOLS = {
  weakest: "Edges from",
  of: "of the strongest",
  rival: "Of the token’s",
  none: "logit",
  second: "lead over another",
  noneTitle: "What adds to the logit of the watched token",
  secondTitle:
    "What adds to the difference of its logit and that of the token chosen under Attribution, or else of the next likeliest",
};
export const TABLE = {
  caption: "The edges that are drawn, the largest effect first",
  columns: ["from", "to", "through", "promised", "when cut", "verdict"],
};
export const VERDICTS = {
  confirmed: "",
  stronger: "more than promised",
  weaker: "less than promised",
  denied: "denied",
};
export const COMPUTING = "Following the routes, and cutting each edge in a run of its own…";
export const PREDICTS_NOTHING = "This model makes no predictions, so there is no logit to follow.";
export const HINT = "Point at an edge, or choose a row below, to read what it does.";
export const SIDEWAYS =
  "The map is wider than its place: scroll it sideways to see the rest, on the left.";
export const NO_EDGES = "No edge is strong enough. Draw weaker ones.";
export const ONLY_USED = "Tokens without a route are left out.";
export const COLUMNS = [
  "from part",
  "from layer",
  "from head",
  "from position",
  "from id",
  "from token",
  "from piece",
  "to part",
  "to layer",
  "to head",
  "to position",
  "to id",
  "to token",
  "to piece",
  "through",
  "promised",
  "moved",
  "verdict",
];

/** @param {string} model */
export const noRoutes = (model) => `${model} shows its patterns only, so its routes are not known.`;

/** A number of logits. @param {number} value */
export const logits = nearly;

/** @param {Token[]} tokens @param {number} position */
const named = (tokens, position) => quoteAt(tokens.map(label), position);

/** A node in a sentence. @param {PathNode} node @param {Token[]} tokens */
export function nodeInText({ part, position }, tokens) {
  const at = named(tokens, position);
  if (part === null) return "the logit";
  if (part.kind === "head") return `layer ${part.layer} head ${part.head} at ${at}`;
  if (part.kind === "mlp") return `the feed-forward network of layer ${part.layer} at ${at}`;
  if (part.kind === "position") return `the position of ${at}`;
  return `the embedding of ${at}`;
}

/** A node in a table. @param {PathNode} node @param {Token[]} tokens */
export function nodeInBrief({ part, position }, tokens) {
  const at = named(tokens, position);
  if (part === null) return NAMES.answer;
  if (part.kind === "head") return `L${part.layer} · H${part.head} at ${at}`;
  if (part.kind === "mlp") return `L${part.layer} · FF at ${at}`;
  return part.kind === "position" ? `the position of ${at}` : at;
}

/** What a node wrote, in a sentence. @param {PathNode} node @param {Token[]} tokens */
function written(node, tokens) {
  const name = nodeInText(node, tokens);
  const made = node.part?.kind === "head" || node.part?.kind === "mlp";
  return made ? `what ${name} wrote` : name;
}

/** What an edge is, what it promised, and what cutting it did. @param {PathEdge} edge @param {Token[]} tokens @param {string} answer */
export function edgeSentence(edge, tokens, answer) {
  const { sender, receiver, through, promised, moved, verdict } = edge;
  const from = written(sender, tokens);
  const to = capitalised(nodeInText(receiver, tokens));
  const is = {
    q: `${to} makes its query of ${from}.`,
    k: `${to} finds ${from} by its key.`,
    v: `${to} moves ${from}.`,
    mlp: `${to} reads ${from}.`,
    logit: `${capitalised(from)} adds to the logit directly.`,
  }[through];
  const size = logits(Math.abs(moved));
  const did =
    moved < 0
      ? `Attribution promised ${logits(promised)}; cutting just this edge raises ${answer} by ${size}.`
      : `Attribution promised ${logits(promised)}; cutting just this edge lowers ${answer} by ${size}.`;
  const verdictIs = {
    confirmed: "",
    stronger: "That is much more than promised.",
    weaker: "That is much less than promised.",
    denied: "The cut denies the promise.",
  }[verdict];
  return [is, did, verdictIs].filter(Boolean).join(" ");
}

/** What the map is of. @param {{token: string, against: string | null, read: string, fills: boolean, logit: number}} answer */
export function title({ token, against, read, fills, logit }) {
  const where = fills ? `at ${read}` : `after ${read}`;
  return against === null
    ? `Where the logit of ${quote(token)} ${where} comes from: ${logits(logit)}`
    : `Where the lead of ${quote(token)} over ${quote(against)} ${where} comes from: ${logits(logit)} logits`;
}

/** The answer within a sentence. @param {{token: string, against: string | null}} answer */
export const answerInText = ({ token, against }) =>
  against === null
    ? `the logit of ${quote(token)}`
    : `the lead of ${quote(token)} over ${quote(against)}`;

/** @param {number} n @param {number} denied @param {number} left */
export function countSentence(n, denied, left) {
  const edges = n === 1 ? "1 edge is drawn" : `${n} edges are drawn`;
  const found = denied === 0 ? `${edges}.` : `${edges}; cuts deny ${denied} of them.`;
  return left === 0 ? found : `${found} ${left} more were found, but not cut.`;
}

/** @param {string[]} names */
export const opaqueSentence = (names) =>
  `No route was followed through the feed-forward network of ${names.join(", ")}.`;

/** A head in the picture, for a screen reader. @param {PathNode} node @param {Token[]} tokens */
export const headLabel = (node, tokens) =>
  `${capitalised(nodeInText(node, tokens))}: look at this head`;

/** @param {string} token @param {number} n */
export const pictureLabel = (token, n) =>
  `Routes to ${quote(token)}: ${n} edges, which the table below lists`;

export const COMPOSED = {
  title: "Composition: which earlier head each head reads",
  axes: "earlier head ↓  later head →",
  hint: "Point at a cell to read it, or choose one of the strongest below to look at the later head.",
  onMap: "On the map",
  onMapTitle: "Draw the strongest as arcs between the heads of the map",
  none: {
    q: "No head reads an earlier one through its queries here. A token that can look only at itself has nothing to choose between.",
    k: "No head reads an earlier one through its keys here. A token that can look only at itself has nothing to choose between.",
    v: "No head moves what an earlier one wrote here.",
  },
  noneByWeights: "No earlier head fits a later one better than chance.",
  /** @param {number} rows @param {number} columns */
  label: (rows, columns) =>
    `A matrix of ${rows} earlier heads by ${columns} later heads; the strongest are listed below`,
};
