// What layers and heads are called, and why heads may not be muted.

import { gettext, ngettext, translated } from "../language/gettext.js";
import { sourceOf } from "../sources/sources.js";
import { quote } from "./format.js";

/** @import { Kind } from "../types.d.ts" */

/**
 * What the sites of each kind are called. `kind`: in the switch between kinds, "" for a model with a single one; `layer`: in a title;
 * `inText`: within a sentence; `head`: a head within a sentence; `all`: all of them together; `layers`: so many.
 * @typedef {object} Names
 * @property {string} kind
 * @property {(layer: number) => string} layer
 * @property {(layer: number) => string} inText
 * @property {(place: {layer: number, head: number}) => string} head
 * @property {string} all
 * @property {(n: number, heads: string) => string} layers
 */

/** @type {Record<Kind, Names>} */
const NAMES = {
  self: {
    kind: "",
    layer: (layer) => gettext("Layer {layer}", { layer }),
    inText: (layer) => gettext("layer {layer}", { layer }),
    head: (place) => gettext("layer {layer} head {head}", place),
    all: gettext("all layers and heads"),
    layers: (n, heads) => ngettext("{n} layer of {heads}", "{n} layers of {heads}", n, { heads }),
  },
  encoder: {
    kind: gettext("Encoder"),
    layer: (layer) => gettext("Encoder layer {layer}", { layer }),
    inText: (layer) => gettext("encoder layer {layer}", { layer }),
    head: (place) => gettext("encoder layer {layer} head {head}", place),
    all: gettext("all encoder layers and heads"),
    layers: (n, heads) =>
      ngettext("{n} encoder layer of {heads}", "{n} encoder layers of {heads}", n, { heads }),
  },
  decoder: {
    kind: gettext("Decoder"),
    layer: (layer) => gettext("Decoder layer {layer}", { layer }),
    inText: (layer) => gettext("decoder layer {layer}", { layer }),
    head: (place) => gettext("decoder layer {layer} head {head}", place),
    all: gettext("all decoder layers and heads"),
    layers: (n, heads) =>
      ngettext("{n} decoder layer of {heads}", "{n} decoder layers of {heads}", n, { heads }),
  },
  cross: {
    kind: gettext("Cross"),
    layer: (layer) => gettext("Cross layer {layer}", { layer }),
    inText: (layer) => gettext("cross layer {layer}", { layer }),
    head: (place) => gettext("cross layer {layer} head {head}", place),
    all: gettext("all cross layers and heads"),
    layers: (n, heads) =>
      ngettext("{n} cross layer of {heads}", "{n} cross layers of {heads}", n, { heads }),
  },
};

/** @param {Kind} kind */
export const kindName = (kind) => NAMES[kind].kind;

/** "Encoder layer 2". @param {{kind: Kind, layer: number}} site */
export const layerName = ({ kind, layer }) => NAMES[kind].layer(layer);

/** The same in a sentence: "encoder layer 2". @param {{kind: Kind, layer: number}} site */
export const layerInText = ({ kind, layer }) => NAMES[kind].inText(layer);

/** A head in a title: "Encoder layer 2 · head 5". @param {{kind: Kind, layer: number}} site @param {number} head */
export const headName = ({ kind, layer }, head) =>
  gettext("{layer} · head {head}", { layer: NAMES[kind].layer(layer), head });

/** A head in a sentence: "encoder layer 2 head 5". @param {{kind: Kind, layer: number, head: number}} place */
export const headInText = ({ kind, layer, head }) => NAMES[kind].head({ layer, head });

/** The same by what it does: "“reflexive” in layer 2". @param {{label: string, kind: Kind, layer: number, head: number}} place `label`: "" if it has none */
export const calledInText = ({ label, kind, layer, head }) =>
  label
    ? gettext("{label} in {layer}", { label: quote(label), layer: NAMES[kind].inText(layer) })
    : headInText({ kind, layer, head });

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
export const layersInText = ({ kind, n_layers, n_heads }) =>
  NAMES[kind].layers(n_layers, heads(n_heads));

const SHIPPED = "shipped"; // the name of the model that every server has
const SISTER = "sister"; // and of the one whose film shows how such a model learns

/** The models of other languages. @type {Record<string, {label: string, knows: string} | undefined>} */
const OF_LANGUAGES = {
  german: {
    label: gettext("Headlight in German"),
    knows: gettext(
      "This model has 1.2 M parameters and learned a toy grammar of German: it knows how sentences are built, not facts.",
    ),
  },
  chinese: {
    label: gettext("Headlight in Chinese"),
    knows: gettext(
      "This model has 0.9 M parameters and learned a toy grammar of Chinese: it knows how sentences are built, not facts.",
    ),
  },
  characters: {
    label: gettext("Headlight in Chinese (by characters)"),
    knows: gettext(
      "This model has 0.8 M parameters and learned a toy grammar of Chinese character by character: it knows how sentences are built, not facts.",
    ),
  },
};

/** What the list of models calls one. @param {string} name */
export function modelLabel(name) {
  const [, base, step] = /^(.+)@(\d+)$/.exec(name) ?? [];
  const model = plainLabel(base ?? name);
  return base ? stepLabel({ model, step: Number(step) }) : model;
}

/** @param {string} name */
function plainLabel(name) {
  if (name === SHIPPED) return gettext("Headlight small");
  if (OF_LANGUAGES[name]) return OF_LANGUAGES[name].label;
  return name === SISTER ? gettext("Headlight’s sister") : (sourceOf(name)?.label ?? name);
}

/** A model at a step of its training. @param {{model: string, step: number}} at */
const stepLabel = ({ model, step }) => gettext("{model}, step {step}", { model, step });

/** What to expect of a model's predictions, or what it is. @param {{name: string, description?: string | null}} model */
export const knowsInText = ({ name, description }) =>
  name === SHIPPED
    ? gettext(
        "This model has 1.4 M parameters and learned a toy grammar: it knows simple stories, not facts.",
      )
    : (OF_LANGUAGES[name]?.knows ?? translated(description ?? ""));

/** A model in a sentence. @param {string} name */
export const modelInText = (name) =>
  name === SHIPPED
    ? gettext("the model that comes with Headlight")
    : gettext("the model {model}", { model: modelLabel(name) });

/** "1 head", "3 heads". @param {number} n */
export const heads = (n) => ngettext("{n} head", "{n} heads", n);

/** The buttons of a list of heads. */
export const HEAD_LIST = {
  add: gettext("+ this head"),
  /** @param {string} head */
  remove: (head) => gettext("Remove {head}", { head }),
};

/** The label of a head that no metric describes. */
export const NO_PATTERN = gettext("no strong pattern");

/** @param {string} reason a sentence without its full stop */
export const cannotMute = (reason) =>
  gettext("The heads of this model cannot be muted: {reason}.", { reason });
