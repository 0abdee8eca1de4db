// What the path map says.

import { commas, gettext, ngettext, sentences } from "../../language/gettext.js";
import { capitalised, label, nearly, quote, quoteAt } from "../../words/format.js";

/** @import { PathEdge, PathNode, Token } from "../../types.d.ts" */

export const NAMES = {
  tokens: gettext("tokens"),
  answer: gettext("logit"),
  /** @param {number} layer */
  attention: (layer) => gettext("layer {layer} heads", { layer }),
  /** @param {number} layer */
  cross: (layer) => gettext("layer {layer} cross heads", { layer }),
  /** @param {number} layer */
  feed: (layer) => gettext("layer {layer} feed-forward", { layer }),
};

/** What stands in a box. @param {PathNode} node */
export function nodeLabel({ part }) {
  if (part === null) return gettext("logit");
  if (part.kind === "head") return `H${part.head}`;
  return part.kind === "mlp" ? "FF" : part.kind;
}

export const THROUGH = {
  q: { short: "Q", name: gettext("query") },
  k: { short: "K", name: gettext("key") },
  v: { short: "V", name: gettext("value") },
  mlp: { short: "FF", name: gettext("feed-forward") },
  logit: { short: gettext("logit"), name: gettext("logit") },
};

/** @type {readonly (readonly ["q" | "k" | "v" | "mlp" | "denied", string])[]} */
export const LEGEND = [
  ["q", gettext("Q: a head’s query is made of it")],
  ["k", gettext("K: a head’s key is made of it")],
  ["v", gettext("V: a head moves it")],
  ["mlp", gettext("read by a feed-forward network, or by the logit")],
  ["denied", gettext("×: attribution promised it, and the cut denies it")],
];
export const WIDTH = gettext("Width: by how much the logit moves when just this edge is cut.");
export const ABOUT = gettext(
  "Routes are followed from the logit back to the tokens, with norms frozen (Elhage et al. 2021); edges through Q, K and feed-forward networks are estimated (attribution patching, Kramár et al. 2024). Every edge is then cut alone in a run of its own. Routes end where a cut denies them. Where the model is very sure, the estimates are too small, and some routes may be missed.",
);

export const TOOLS = {
  weakest: gettext("Edges from"),
  of: gettext("of the strongest"),
  rival: gettext("Of the token’s"),
  none: gettext("logit"),
  second: gettext("lead over another"),
  noneTitle: gettext("What adds to the logit of the watched token"),
  secondTitle: gettext(
    "What adds to the difference of its logit and that of the token chosen under Attribution, or else of the next likeliest",
  ),
};
export const TABLE = {
  caption: gettext("The edges that are drawn, the largest effect first"),
  columns: [
    gettext("from"),
    gettext("to"),
    gettext("through"),
    gettext("promised"),
    gettext("when cut"),
    gettext("verdict"),
  ],
};
export const VERDICTS = {
  confirmed: "",
  stronger: gettext("more than promised"),
  weaker: gettext("less than promised"),
  denied: gettext("denied"),
};
export const COMPUTING = gettext(
  "Following the routes, and cutting each edge in a run of its own …",
);
export const HINT = gettext("Point at an edge, or choose a row below, to read what it does.");
export const SIDEWAYS = gettext(
  "The map is wider than its place: scroll it sideways to see the rest, on the left.",
);
export const NO_EDGES = gettext("No edge is strong enough. Draw weaker ones.");
export const ONLY_USED = gettext("Tokens without a route are left out.");
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

/** A number of logits. @param {number} value */
export const logits = nearly;

/** @param {Token[]} tokens @param {number} position */
const named = (tokens, position) => quoteAt(tokens.map(label), position);

/** A node in a sentence. @param {PathNode} node @param {Token[]} tokens */
export function nodeInText({ part, position }, tokens) {
  const at = named(tokens, position);
  if (part === null) return gettext("the logit");
  if (part.kind === "head")
    return gettext("layer {layer} head {head} at {at}", {
      layer: part.layer ?? 0,
      head: part.head ?? 0,
      at,
    });
  if (part.kind === "mlp")
    return gettext("the feed-forward network of layer {layer} at {at}", {
      layer: part.layer ?? 0,
      at,
    });
  if (part.kind === "position") return gettext("the position of {at}", { at });
  return gettext("the embedding of {at}", { at });
}

/** A node in a table. @param {PathNode} node @param {Token[]} tokens */
export function nodeInBrief({ part, position }, tokens) {
  const at = named(tokens, position);
  if (part === null) return NAMES.answer;
  if (part.kind === "head")
    return gettext("L{layer} · H{head} at {at}", {
      layer: part.layer ?? 0,
      head: part.head ?? 0,
      at,
    });
  if (part.kind === "mlp") return gettext("L{layer} · FF at {at}", { layer: part.layer ?? 0, at });
  return part.kind === "position" ? gettext("the position of {at}", { at }) : at;
}

/** What a node wrote, in a sentence. @param {PathNode} node @param {Token[]} tokens */
function written(node, tokens) {
  const name = nodeInText(node, tokens);
  const made = node.part?.kind === "head" || node.part?.kind === "mlp";
  return made ? gettext("what {name} wrote", { name }) : name;
}

/** What an edge is, what it promised, and what cutting it did. @param {PathEdge} edge @param {Token[]} tokens @param {string} answer */
export function edgeSentence(edge, tokens, answer) {
  const { sender, receiver, through, promised, moved, verdict } = edge;
  const from = written(sender, tokens);
  const to = capitalised(nodeInText(receiver, tokens));
  const is = {
    q: gettext("{to} makes its query of {from}.", { to, from }),
    k: gettext("{to} finds {from} by its key.", { to, from }),
    v: gettext("{to} moves {from}.", { to, from }),
    mlp: gettext("{to} reads {from}.", { to, from }),
    logit: gettext("{from} adds to the logit directly.", { from: capitalised(from) }),
  }[through];
  const size = logits(Math.abs(moved));
  const did =
    moved < 0
      ? gettext(
          "Attribution promised {logits}; cutting just this edge raises {answer} by {size}.",
          { logits: logits(promised), answer, size },
        )
      : gettext(
          "Attribution promised {logits}; cutting just this edge lowers {answer} by {size}.",
          { logits: logits(promised), answer, size },
        );
  const verdictIs = {
    confirmed: "",
    stronger: gettext("That is much more than promised."),
    weaker: gettext("That is much less than promised."),
    denied: gettext("The cut denies the promise."),
  }[verdict];
  return sentences([is, did, verdictIs]);
}

/** What the map is of. @param {{token: string, against: string | null, read: string, fills: boolean, logit: number}} answer */
export function title({ token, against, read, fills, logit }) {
  const where = fills ? gettext("at {read}", { read }) : gettext("after {read}", { read });
  return against === null
    ? gettext("Where the logit of {token} {where} comes from: {logits}", {
        token: quote(token),
        where,
        logits: logits(logit),
      })
    : gettext("Where the lead of {token} over {against} {where} comes from: {logits} logits", {
        token: quote(token),
        against: quote(against),
        where,
        logits: logits(logit),
      });
}

/** The answer within a sentence. @param {{token: string, against: string | null}} answer */
export const answerInText = ({ token, against }) =>
  against === null
    ? gettext("the logit of {token}", { token: quote(token) })
    : gettext("the lead of {token} over {against}", {
        token: quote(token),
        against: quote(against),
      });

/** @param {number} n @param {number} denied @param {number} left */
export function countSentence(n, denied, left) {
  const edges = ngettext("{n} edge is drawn", "{n} edges are drawn", n);
  const found =
    denied === 0 ? `${edges}.` : gettext("{edges}; cuts deny {denied} of them.", { edges, denied });
  return left === 0
    ? found
    : gettext("{found} {left} more were found, but not cut.", { found, left });
}

/** @param {string[]} names */
export const opaqueSentence = (names) =>
  gettext("No route was followed through the feed-forward network of {names}.", {
    names: commas(names),
  });

/** A head in the picture, for a screen reader. @param {PathNode} node @param {Token[]} tokens */
export const headLabel = (node, tokens) =>
  gettext("{node}: look at this head", { node: capitalised(nodeInText(node, tokens)) });

/** @param {string} token @param {number} n */
export const pictureLabel = (token, n) =>
  gettext("Routes to {token}: {n} edges, which the table below lists", { token: quote(token), n });

export const COMPOSED = {
  title: gettext("Composition: which earlier head each head reads"),
  axes: gettext("earlier head ↓  later head →"),
  hint: gettext(
    "Point at a cell to read it, or choose one of the strongest below to look at the later head.",
  ),
  onMap: gettext("On the map"),
  onMapTitle: gettext("Draw the strongest as arcs between the heads of the map"),
  none: {
    q: gettext(
      "No head reads an earlier one through its queries here. A token that can look only at itself has nothing to choose between.",
    ),
    k: gettext(
      "No head reads an earlier one through its keys here. A token that can look only at itself has nothing to choose between.",
    ),
    v: gettext("No head moves what an earlier one wrote here."),
  },
  noneByWeights: gettext("No earlier head fits a later one better than chance."),
  /** @param {number} rows @param {number} columns */
  label: (rows, columns) =>
    gettext(
      "A matrix of {rows} earlier heads by {columns} later heads; the strongest are listed below",
      { rows, columns },
    ),
};
