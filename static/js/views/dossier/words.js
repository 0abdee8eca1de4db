// What the view of a dossier says.

import { gettext, translated } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { minus, percent, quote, threeDigits } from "../../words/format.js";
import { headName, heads } from "../../words/heads.js";

/** @import { DossierNumber as Value, Kind } from "../../types.d.ts" */
/** @typedef {{kind: Kind, layer: number, head: number}} Place */
/** @typedef {{label: string, unit: string}} Axis */

export const LOADING = gettext("Reading what the heads do over many texts …");
export const NO_SERVER = gettext(
  "Only a Headlight server knows what heads do over many texts, and this model is in this page alone. Serve it as a checkpoint, and run `headlight dossier --model FOLDER`.",
);
export const OTHER_KIND = gettext("The dossier has no heads of this kind.");
export const ACROSS = gettext("across");
export const UP = gettext("up");
export const SCATTER = gettext("All heads. Arrow keys go from head to head.");
export const KEY = gettext("Shapes");
export const NO_LABEL = gettext("no label");

/** An axis that shows in which layer a head is. */
export const LAYER = {
  name: "layer",
  label: gettext("layer"),
  unit: "",
  definition: gettext("The number of its layer, from 0."),
  source: "",
};

/** The axes of a map of all numbers. @type {{name: string, label: (share: number) => string}[]} */
export const MAP_AXES = [
  {
    name: "doing_first",
    label: (share) => gettext("what heads do, 1st axis ({share})", { share: percent(share) }),
  },
  {
    name: "doing_second",
    label: (share) => gettext("what heads do, 2nd axis ({share})", { share: percent(share) }),
  },
];
export const MAP_DEFINITION = gettext(
  "Heads that lie near each other have like numbers: a principal component of all measures, each over its standard deviation, and of how far heads look. In brackets its share of the variance.",
);

/** @param {{n: number, texts: string}} dossier */
export const summary = ({ n, texts }) =>
  gettext("{heads} over {texts}.", { heads: heads(n), texts });

/** Units that a label says already, or that are too long for a column. @type {Record<string, string>} */
const UNITS = {
  "share of attention": gettext("share"),
  "0 to 1": gettext("share"),
  tokens: gettext("tokens"),
};

/** @param {Axis} axis */
export function axisTitle({ label, unit }) {
  const short = UNITS[unit] ?? translated(unit);
  return short ? `${translated(label)} (${short})` : translated(label);
}

/** A number with its interval: "0.64 (0.61 to 0.67)". @param {Value} number */
export function numberInWords({ value, low, high, reason }) {
  if (value === null)
    return reason ? gettext("none: {reason}", { reason: translated(reason) }) : gettext("none");
  if (low === null || high === null) return threeDigits(value);
  return gettext("{value} ({low} to {high})", {
    value: threeDigits(value),
    low: threeDigits(low),
    high: threeDigits(high),
  });
}

/** @param {Value} number */
export const valueInWords = ({ value, reason }) =>
  value === null
    ? gettext("none: {reason}", { reason: translated(reason ?? "") })
    : threeDigits(value);

/** @param {Value} number */
export const intervalInWords = ({ low, high }) =>
  low === null || high === null
    ? ""
    : gettext("{low} to {high}", { low: threeDigits(low), high: threeDigits(high) });

/**
 * What a point says: its head, its label and both numbers.
 * @param {{head: Place, label: string, across: Value, up: Value}} point
 * @param {{across: Axis, up: Axis}} axes
 */
export function pointInWords({ head, label, across, up }, axes) {
  const name = headName(head, head.head);
  const numbers = `${axes.across.label} ${numberInWords(across)}, ${axes.up.label} ${numberInWords(up)}`;
  return label ? `${name} (${label}): ${numbers}.` : `${name}: ${numbers}.`;
}

/** @param {{n: number, reason: string | null}} without */
export const withoutInWords = ({ n, reason }) =>
  reason
    ? gettext("Not shown: {heads} without one of these numbers ({reason}).", {
        heads: heads(n),
        reason,
      })
    : gettext("Not shown: {heads} without one of these numbers.", { heads: heads(n) });

export const COLUMNS = {
  measure: gettext("measure"),
  value: gettext("mean"),
  interval: gettext("95% interval"),
};
export const DISTANCES = gettext("How far it looks");
export const EXAMPLES = gettext("Its weights that stand out most: choose one to open its text");
export const ALIKE = gettext("Heads like it");
export const PLANE = gettext("Its queries and keys in one plane");
export const PLANE_TITLE = gettext("The tab Space, of 40 everyday sentences");
/** @param {string} model */
export const elsewhere = (model) => gettext("Heads like it in {model}", { model });
export const NO_DISTANCES = gettext(
  "Its queries and keys are of two texts, so there is no distance.",
);

/** A range of distances query − key. @param {{first: number, last: number}} bucket */
export function distanceName({ first, last }) {
  if (first === 0) return gettext("itself");
  const [near, far] = first > 0 ? [first, last] : [-last, -first];
  const range = near === far ? String(near) : `${near}–${far}`;
  return first > 0 ? gettext("{range} back", { range }) : gettext("{range} ahead", { range });
}

/** @param {{query: string, key: string, weight: number}} cell */
export const example = ({ query, key, weight }) =>
  `${quote(query)} → ${quote(key)} ${fixed(weight, 2)}`;

/** @param {{cell: string, text: string}} example */
export const openExample = ({ cell, text }) => gettext("Open {cell} in: {text}", { cell, text });

/** @param {{name: string, value: number}} head */
export const like = ({ name, value }) => `${name} ${minus(fixed(value, 2))}`;

/** @param {{n: number, replicates: number}} texts */
export const about = ({ n, replicates }) =>
  gettext(
    "Each number is a mean over the texts that give one, of {n}. The interval holds 95% of {replicates} resamplings of the texts. Muted: one head at a time, at places drawn at random.",
    { n, replicates },
  );

/** @param {{across: Axis, up: Axis}} axes */
export const pictureTitle = ({ across, up }) =>
  gettext("All heads: {y} by {x}", { y: up.label, x: across.label });
export const FILE = "dossier";
export const ONLY_JSON = gettext(
  "What heads do over many texts is a table, not tensors. Save it as JSON or CSV.",
);
export const CSV_COLUMNS = ["kind", "layer", "head", "label"];
/** @param {{label: string, shape: string}[]} kinds */
export const keyInWords = (kinds) =>
  kinds.map(({ label, shape }) => `${shape} ${label}`).join("   ");
/** @param {{model: string, texts: string}} dossier */
export const ofTexts = ({ model, texts }) => gettext("{model} over {texts}.", { model, texts });
