// What the page can be asked in the place of a prediction, and what it measures.

import { commas, gettext, ngettext } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { grouped, percent, quote, shorten } from "../../words/format.js";

/** @import { ChosenAnswer, Model, TraceJson } from "../../types.d.ts" */

const LONG = 40; // characters of a sentence

/** In the menu. @type {Record<ChosenAnswer["kind"], {label: string, title: string}>} */
export const ANSWERS = {
  entropy: {
    label: gettext("how sure it is"),
    title: gettext("The entropy of the prediction: how many tokens it hesitates between"),
  },
  loss: {
    label: gettext("the whole text"),
    title: gettext("The loss of the text: how likely its tokens are, one after another"),
  },
  similarity: {
    label: gettext("likeness to …"),
    title: gettext("The cosine of the vector of the text with those of other sentences"),
  },
  probe: {
    label: gettext("a probe …"),
    title: gettext("A linear probe of your own, read off the stream after a layer"),
  },
};

/** What a model predicts by itself. @type {Record<NonNullable<Model["predicts"]> | "nothing", string>} */
export const ITSELF = {
  next: gettext("next token"),
  fill: gettext("token in a gap"),
  class: "class of the text",
  tag: gettext("class of a token"),
  nothing: gettext("nothing"),
};

export const NO_SENTENCES = gettext("Type a sentence.");
export const NOT_TWICE = gettext("Each sentence may stand there once.");
/** @param {{most: number, given: number}} numbers */
export const tooMany = ({ most, given }) =>
  gettext("At most {most} sentences can be compared with; these are {given}.", { most, given });
export const NO_FILE = gettext("Choose a file with the weights of the probe.");
export const NO_LAYER = gettext("Type the number of a layer.");
export const CHOOSE = gettext("Choose a file …");
/** @param {{name: string, rows: number, width: number}} file */
export const chosen = ({ name, rows, width }) =>
  ngettext("{name}: {n} row of {width} numbers", "{name}: {n} rows of {width} numbers", rows, {
    name,
    width,
  });
/** @param {string} name */
export const notRead = (name) =>
  gettext(
    "{name} has no weights. Expected a safetensors file, or JSON, with weights of [class, d_model] or [d_model], and perhaps bias, layer and classes.",
    { name },
  );

/** What was measured of a text, as a sentence. @param {NonNullable<TraceJson["measured"]>[number]} measured @param {ChosenAnswer} answer */
export function measuredInWords({ quantity, values }, { texts = [] }) {
  const [first] = values;
  switch (quantity) {
    case "entropy": {
      const n = Math.exp(first);
      const tokens = n < 10 ? fixed(n, 1) : grouped(Math.round(n));
      return gettext("Entropy {entropy} nats: as unsure as among {tokens} equally likely tokens.", {
        entropy: fixed(first, 2),
        tokens,
      });
    }
    case "loss":
      return gettext(
        "Loss {loss} nats a token: their probabilities have a geometric mean of {probability}.",
        { loss: fixed(first, 2), probability: percent(Math.exp(-first)) },
      );
    case "cosine": {
      if (texts.length === 1)
        return gettext("Cosine {value}.", { value: fixed(values[values.length - 1], 3) });
      const each = texts.map((text, n) => `${quote(shorten(text, LONG))} ${fixed(values[n], 3)}`);
      return gettext("Cosines: {each}.", { each: commas(each) });
    }
    default:
      return gettext("Logits: {values}.", {
        values: commas(values.map((value) => fixed(value, 2))),
      });
  }
}
