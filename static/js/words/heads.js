// What layers and heads are called, and why heads may not be muted.

import { sourceOf } from "../sources/sources.js";
import { grouped, quote } from "./format.js";

/** @import { Kind } from "../types.d.ts" */

/**
 * The names of each kind of sites: in the switch between kinds ("" for a model with a single kind), in a title, within a
 * sentence, and all of them together.
 * @type {Record<Kind, {kind: string, title: string, inText: string, all: string}>}
 */
const NAMES = {
  self: { kind: "", title: "Layer", inText: "layer", all: "all layers and heads" },
  encoder: {
    kind: "Encoder",
    title: "Encoder layer",
    inText: "encoder layer",
    all: "all encoder layers and heads",
  },
  decoder: {
    kind: "Decoder",
    title: "Decoder layer",
    inText: "decoder layer",
    all: "all decoder layers and heads",
  },
  cross: {
    kind: "Cross",
    title: "Cross layer",
    inText: "cross layer",
    all: "all cross layers and heads",
  },
};

/** @param {Kind} kind */
export const kindName = (kind) => NAMES[kind].kind;

/** "Encoder layer 2". @param {{kind: Kind, layer: number}} site */
export const layerName = ({ kind, layer }) => `${NAMES[kind].title} ${layer}`;

/** The same in a sentence: "encoder layer 2". @param {{kind: Kind, layer: number}} site */
export const layerInText = ({ kind, layer }) => `${NAMES[kind].inText} ${layer}`;

/** A head in a title: "Encoder layer 2 · head 5". @param {{kind: Kind, layer: number}} site @param {number} head */
export const headName = ({ kind, layer }, head) => `${NAMES[kind].title} ${layer} · head ${head}`;

/** A head in a sentence: "encoder layer 2 head 5". @param {{kind: Kind, layer: number, head: number}} place */
export const headInText = ({ kind, layer, head }) => `${NAMES[kind].inText} ${layer} head ${head}`;

/** The same by what it does: "“reflexive” in layer 2". @param {{label: string, kind: Kind, layer: number, head: number}} place `label`: "" if it has none */
export const calledInText = ({ label, kind, layer, head }) =>
  label ? `${quote(label)} in ${NAMES[kind].inText} ${layer}` : headInText({ kind, layer, head });

/** The same where several heads of a layer may have that label. @param {{label: string, kind: Kind, layer: number, head: number}} place */
export const placedInText = ({ label, ...place }) =>
  label ? `${headInText(place)} (${quote(label)})` : headInText(place);

/** A head in little room: "L2 · H5". @param {{layer: number, head: number}} place */
export const shortName = ({ layer, head }) => `L${layer} · H${head}`;

/** The same for an overlaid head. @param {readonly [layer: number, head: number]} head */
export const shortHeadName = ([layer, head]) => shortName({ layer, head });

/** "all encoder layers and heads". @param {Kind} kind */
export const allHeads = (kind) => NAMES[kind].all;

/** "4 encoder layers of 8 heads". @param {{kind: Kind, n_layers: number, n_heads: number}} size */
export function layersInText({ kind, n_layers, n_heads }) {
  const name = NAMES[kind].inText;
  return n_layers === 1
    ? `1 ${name} of ${heads(n_heads)}`
    : `${n_layers} ${name}s of ${heads(n_heads)}`;
}

const SHIPPED = "shipped"; // the name of the model that every server has
const SISTER = "sister"; // and of the one whose film shows how such a model learns

/** What the list of models calls one. @param {string} name */
export function modelLabel(name) {
  const [, base, step] = /^(.+)@(\d+)$/.exec(name) ?? [];
  const model = plainLabel(base ?? name);
  return base ? stepLabel({ model, step: Number(step) }) : model;
}

/** @param {string} name */
function plainLabel(name) {
  if (name === SHIPPED) return "Headlight small";
  return name === SISTER ? "Headlight’s sister" : (sourceOf(name)?.label ?? name);
}

/** A model at a step of its training. @param {{model: string, step: number}} at */
const stepLabel = ({ model, step }) => `${model}, step ${grouped(step)}`;

/** What to expect of a model's predictions, or what it is. @param {{name: string, description?: string | null}} model */
export const knowsInText = ({ name, description }) =>
  name === SHIPPED
    ? "This model has 1.4 M parameters and learned a toy grammar: it knows simple stories, not facts."
    : (description ?? "");

/** A model in a sentence. @param {string} name */
export const modelInText = (name) =>
  name === SHIPPED ? "the model that comes with Headlight" : `the model ${modelLabel(name)}`;

/** "1 head", "3 heads". @param {number} n */
export const heads = (n) => (n === 1 ? "1 head" : `${n} heads`);

/** The buttons of a list of heads. */
export const HEAD_LIST = {
  add: "+ this head",
  /** @param {string} head */
  remove: (head) => `Remove ${head}`,
};

/** The label of a head that no metric describes. */
export const NO_PATTERN = "no strong pattern";

/** @param {string} reason a sentence without its full stop */
export const cannotMute = (reason) => `The heads of this model cannot be muted: ${reason}.`;
