// What the dialog for a reader's own tensors says.

import { grouped, quote, threeDigits } from "../../words/format.js";

/** @param {string} file */
export const reading = (file) => `Reading ${file} …`;
/** @param {{file: string, format: string, n: number}} found */
export const found = ({ file, format, n }) =>
  n === 1
    ? `${file} (${format}): 1 array. Check the guesses, then draw.`
    : `${file} (${format}): ${n} arrays. Check the guesses, then draw.`;
/** @param {{file: string, model: string}} saved */
export const saved = ({ file, model }) =>
  `${file} was saved by Headlight, from the model ${model}. There is nothing to ask.`;
/** @param {string} reason */
export const unforeseen = (reason) => `The file could not be read: ${reason}`;
export const ANOTHER = "Another file was opened.";
export const CLOSED = "The file was closed.";
export const DRAWING = "Checking the numbers …";
/** @param {string} name */
export const drawn = (name) => `The page now shows ${name}. It stays in this browser.`;
/** @param {number} n further arrays */
export const more = (n) => `and ${n} more`;

export const ARRAYS = { name: "Array", shape: "Shape", dtype: "Numbers", use: "Used" };
/** @param {boolean} used */
export const use = (used) => (used ? "yes" : "no");

export const NAME = "Name";
export const AXES = { pattern: "Axes of the pattern", vectors: "Axes of q, k and v" };
/** @param {{place: number, size: number}} axis */
export const axis = ({ place, size }) => `axis ${place}, size ${size}`;
/** @param {{n: number, of: number, two: boolean}} text `n`: from 1; `two`: whether queries have tokens of their own */
export function tokens({ n, of, two }) {
  if (two) return of > 1 ? `Tokens of the keys of text ${n}` : "Tokens of the keys";
  return of > 1 ? `Tokens of text ${n}` : "Tokens";
}
/** @param {{n: number, of: number}} text */
export const targets = ({ n, of }) =>
  of > 1 ? `Tokens of the queries of text ${n}` : "Tokens of the queries";
export const TOKENS_HINT = "one per position: separated by spaces, one per line, or as a JSON list";
/** @param {{given: number, needed: number}} count */
export const tokenCount = ({ given, needed }) =>
  given === 0 ? `none: they are called 0 to ${needed - 1}` : `${given} of ${needed}`;
export const TWO = "Queries and keys are two different sequences";
export const CAUSAL = "Causal: a token attends only to itself and what came before";
export const SECOND = "A second sequence begins at token";
export const SCALE = "Scale of q·k";
/** @param {number} n */
export const FIRST = (n) => `The page shows ${n} texts of this batch, from text`;
/** @param {number} d_head */
export const usualScale = (d_head) => `1/√${d_head} = ${(1 / Math.sqrt(d_head)).toPrecision(4)}`;
export const DRAW = "Draw";
export const DRAW_ANYWAY = "Show it";

/** An attribution graph. */
export const GRAPH = {
  /** @param {string} file */
  found: (file) => `${file} is an attribution graph.`,
  /** @param {{prompt: string, model: string, nodes: {length: number}, links: {length: number}}} graph */
  about: ({ prompt, model, nodes, links }) =>
    model
      ? `${quote(prompt)}, in ${model}: ${grouped(nodes.length)} nodes and ${grouped(links.length)} links.`
      : `${quote(prompt)}: ${grouped(nodes.length)} nodes and ${grouped(links.length)} links.`,
  /** @param {number} drawn @param {number} all */
  drawn: (drawn, all) =>
    drawn < all
      ? `The ${drawn} strongest links are drawn. Choose a node to see its own.`
      : "Choose a node to see its own links.",
  picture: "The strongest links: tokens across, layers up",
  /** @param {{label: string, token: string, layer: number, activation: number | null}} node */
  chosen: ({ label, token, layer, activation }) => {
    if (layer < 0) return `${label}, at ${quote(token)}: its strongest links.`;
    return activation === null
      ? `${label}, at ${quote(token)} in layer ${layer}: its strongest links.`
      : `${label}, at ${quote(token)} in layer ${layer}, with an activation of ${threeDigits(activation)}: its strongest links.`;
  },
  all: "All links",
  columns: ["from", "to", "weight"],
  /** @param {number} layer */
  layer: (layer) => (layer < 0 ? "tokens" : `L${layer}`),
};
