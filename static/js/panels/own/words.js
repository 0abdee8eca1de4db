// What the dialog for a reader's own tensors says.

import { gettext, ngettext } from "../../language/gettext.js";
import { pointed } from "../../language/language.js";
import { quote, threeDigits } from "../../words/format.js";

/** @param {string} file */
export const reading = (file) => gettext("Reading {file} …", { file });
/** @param {{file: string, format: string, n: number}} found */
export const found = ({ file, format, n }) =>
  ngettext(
    "{file} ({format}): {n} array. Check the guesses, then draw.",
    "{file} ({format}): {n} arrays. Check the guesses, then draw.",
    n,
    { file, format },
  );
/** @param {{file: string, model: string}} saved */
export const saved = ({ file, model }) =>
  gettext("{file} was saved by Headlight, from the model {model}. There is nothing to ask.", {
    file,
    model,
  });
/** @param {string} reason */
export const unforeseen = (reason) => gettext("The file could not be read: {reason}", { reason });
export const ANOTHER = gettext("Another file was opened.");
export const CLOSED = gettext("The file was closed.");
export const DRAWING = gettext("Checking the numbers …");
/** @param {string} name */
export const drawn = (name) =>
  gettext("The page now shows {name}. It stays in this browser.", { name });
/** @param {number} n further arrays */
export const more = (n) => gettext("and {n} more", { n });

export const ARRAYS = {
  name: gettext("Array"),
  shape: gettext("Shape"),
  dtype: gettext("Numbers"),
  use: gettext("Used"),
};
/** @param {boolean} used */
export const use = (used) => (used ? gettext("yes") : gettext("no"));

export const NAME = gettext("Name");
export const AXES = {
  pattern: gettext("Axes of the pattern"),
  vectors: gettext("Axes of q, k and v"),
};
/** @param {{place: number, size: number}} axis */
export const axis = ({ place, size }) => gettext("axis {place}, size {size}", { place, size });
/** @param {{n: number, of: number, two: boolean}} text `n`: from 1; `two`: whether queries have tokens of their own */
export function tokens({ n, of, two }) {
  if (two)
    return of > 1
      ? gettext("Tokens of the keys of text {n}", { n })
      : gettext("Tokens of the keys");
  return of > 1 ? gettext("Tokens of text {n}", { n }) : gettext("Tokens");
}
/** @param {{n: number, of: number}} text */
export const targets = ({ n, of }) =>
  of > 1 ? gettext("Tokens of the queries of text {n}", { n }) : gettext("Tokens of the queries");
export const TOKENS_HINT = gettext(
  "one per position: separated by spaces, one per line, or as a JSON list",
);
/** @param {{given: number, needed: number}} count */
export const tokenCount = ({ given, needed }) =>
  given === 0
    ? gettext("none: they are called 0 to {needed}", { needed: needed - 1 })
    : gettext("{given} of {needed}", { given, needed });
export const TWO = gettext("Queries and keys are two different sequences");
export const CAUSAL = gettext("Causal: a token attends only to itself and what came before");
export const SECOND = gettext("A second sequence begins at token");
export const SCALE = gettext("Scale of q·k");
/** @param {number} n */
export const FIRST = (n) => gettext("The page shows {n} texts of this batch, from text", { n });
/** @param {number} d_head */
export const usualScale = (d_head) =>
  `1/√${d_head} = ${pointed((1 / Math.sqrt(d_head)).toPrecision(4))}`;
export const DRAW = gettext("Draw");
export const DRAW_ANYWAY = gettext("Show it");

/** An attribution graph. */
export const GRAPH = {
  /** @param {string} file */
  found: (file) => gettext("{file} is an attribution graph.", { file }),
  /** @param {{prompt: string, model: string, nodes: {length: number}, links: {length: number}}} graph */
  about: ({ prompt, model, nodes, links }) =>
    model
      ? gettext("{prompt}, in {model}: {nodes} nodes and {links} links.", {
          prompt: quote(prompt),
          model,
          nodes: nodes.length,
          links: links.length,
        })
      : gettext("{prompt}: {nodes} nodes and {links} links.", {
          prompt: quote(prompt),
          nodes: nodes.length,
          links: links.length,
        }),
  /** @param {number} drawn @param {number} all */
  drawn: (drawn, all) =>
    drawn < all
      ? gettext("The {drawn} strongest links are drawn. Choose a node to see its own.", { drawn })
      : gettext("Choose a node to see its own links."),
  picture: gettext("The strongest links: tokens across, layers up"),
  /** @param {{label: string, token: string, layer: number, activation: number | null}} node */
  chosen: ({ label, token, layer, activation }) => {
    if (layer < 0)
      return gettext("{label}, at {token}: its strongest links.", { label, token: quote(token) });
    return activation === null
      ? gettext("{label}, at {token} in layer {layer}: its strongest links.", {
          label,
          token: quote(token),
          layer,
        })
      : gettext(
          "{label}, at {token} in layer {layer}, with an activation of {activation}: its strongest links.",
          { label, token: quote(token), layer, activation: threeDigits(activation) },
        );
  },
  all: gettext("All links"),
  columns: [gettext("from"), gettext("to"), gettext("weight")],
  /** @param {number} layer */
  layer: (layer) => (layer < 0 ? gettext("tokens") : `L${layer}`),
};
