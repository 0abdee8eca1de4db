// What the page can be asked in the place of a prediction, and what it measures.

import { grouped, percent, quote, shorten } from "../../words/format.js";

/** @import { ChosenAnswer, Model, TraceJson } from "../../types.d.ts" */

const LONG = 40; // characters of a sentence

/** In the menu. @type {Record<ChosenAnswer["kind"], {label: string, title: string}>} */
export const ANSWERS = {
  entropy: {
    label: "how sure it is",
    title: "The entropy of the prediction: how many tokens it hesitates between",
  },
  loss: {
    label: "the whole text",
    title: "The loss of the text: how likely its tokens are, one after another",
  },
  similarity: {
    label: "likeness to …",
    title: "The cosine of the vector of the text with those of other sentences",
  },
  probe: {
    label: "a probe …",
    title: "A linear probe of your own, read off the stream after a layer",
  },
};

/** What a model predicts by itself. @type {Record<NonNullable<Model["predicts"]> | "nothing", string>} */
export const ITSELF = {
  next: "next token",
  fill: "token in a gap",
  class: "class of the text",
  tag: "class of a token",
  nothing: "nothing",
};

export const NO_SENTENCES = "Type a sentence.";
export const NOT_TWICE = "Each sentence may stand there once.";
/** @param {{most: number, given: number}} numbers */
export const tooMany = ({ most, given }) =>
  `At most ${most} sentences can be compared with; these are ${given}.`;
export const NO_FILE = "Choose a file with the weights of the probe.";
export const NO_LAYER = "Type the number of a layer.";
export const CHOOSE = "Choose a file …";
/** @param {{name: string, rows: number, width: number}} file */
export const chosen = ({ name, rows, width }) =>
  rows === 1 ? `${name}: 1 row of ${width} numbers` : `${name}: ${rows} rows of ${width} numbers`;
/** @param {string} name */
export const notRead = (name) =>
  `${name} has no weights. Expected a safetensors file, or JSON, with weights of [class, d_model] or [d_model], and perhaps bias, layer and classes.`;

/** What was measured of a text, as a sentence. @param {NonNullable<TraceJson["measured"]>[number]} measured @param {ChosenAnswer} answer */
export function measuredInWords({ quantity, values }, { texts = [] }) {
  const [first] = values;
  switch (quantity) {
    case "entropy": {
      const n = Math.exp(first);
      const tokens = n < 10 ? n.toFixed(1) : grouped(Math.round(n));
      return `Entropy ${first.toFixed(2)} nats: as unsure as among ${tokens} equally likely tokens.`;
    }
    case "loss":
      return `Loss ${first.toFixed(2)} nats a token: their probabilities have a geometric mean of ${percent(Math.exp(-first))}.`;
    case "cosine": {
      if (texts.length === 1) return `Cosine ${values[values.length - 1].toFixed(3)}.`;
      const each = texts.map((text, n) => `${quote(shorten(text, LONG))} ${values[n].toFixed(3)}`);
      return `Cosines: ${each.join(", ")}.`;
    }
    default:
      return `Logits: ${values.map((value) => value.toFixed(2)).join(", ")}.`;
  }
}
