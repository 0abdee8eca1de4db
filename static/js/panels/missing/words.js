// What the page says where a link asks for what this server does not have, and what a choice lost with another model.

import { gettext, ngettext, sentences } from "../../language/gettext.js";
import { kindsOf, sitesOf } from "../../state/choice.js";
import { MATRICES } from "../../state/matrices.js";
import { enumerated, quote } from "../../words/format.js";
import { headInText, heads, layersInText, modelInText, modelLabel } from "../../words/heads.js";

/** @import { Choice, Lost, Model } from "../../types.d.ts" */
/** @typedef {Pick<Choice, "kind" | "layer" | "head">} Place */

/** @typedef {{model: string, has: string[]}} ModelMissing `has`: the models that are there */
export const MODEL_MISSING = {
  /** @param {ModelMissing} link */
  server: ({ model, has }) =>
    gettext(
      "This link asks for the model {model}, which this server does not have. It has: {has}.",
      { model: quote(model), has: enumerated(has) },
    ),
  /** The page is a file. @param {ModelMissing} link */
  file: ({ model, has }) =>
    gettext("This link asks for the model {model}, which this file does not have. It has: {has}.", {
      model: quote(model),
      has: enumerated(has),
    }),
};
/** A button. @param {{model: string}} other */
export const openWith = ({ model }) => gettext("Open the sentence with {model}", { model });

/** @param {{asked: Place, model: Model}} link */
export function headMissing({ asked, model }) {
  const place = headInText(asked);
  const layers = sizeInWords(model, asked.kind);
  return gettext("This link asks for {place}, but {model} has {layers}, both counted from 0.", {
    place,
    model: modelLabel(model.name),
    layers,
  });
}
/** A button. @param {Place} place */
export const showHead = (place) => gettext("Show {place}", { place: headInText(place) });

/** @param {import("../../state/fitting/weights.js").OtherWeights} link */
export const weightsInWords = ({ model, linked, here }) =>
  gettext(
    "This link was made with other weights of {model} ({linked}; here they are {here}), so numbers may differ.",
    { model, linked, here },
  );

/** "4 layers of 8 heads", or "attention only in layers 1 and 4, with 8 heads each". @param {Model} model @param {Choice["kind"]} asked */
function sizeInWords(model, asked) {
  const kinds = kindsOf(model);
  const kind = kinds.includes(asked) ? asked : kinds[0];
  const sites = sitesOf(model, kind);
  const n_heads = Math.max(...sites.map((site) => site.n_heads));
  if (sites.some(({ layer }, index) => layer !== index)) {
    const layers = enumerated(sites.map(({ layer }) => String(layer)));
    return ngettext(
      "attention only in layer {layers}, with {heads}",
      "attention only in layers {layers}, with {heads} each",
      sites.length,
      { layers, heads: heads(n_heads) },
    );
  }
  return layersInText({ kind, n_layers: sites.length, n_heads });
}

/** The head that the model lacks, and the one that is shown. @param {{model: string, place: Place, now: Place}} lost */
function otherHead({ model, place, now }) {
  const [asked, shown] = [headInText(place), headInText(now)];
  return gettext("{model} has no {asked}, so {shown} is shown instead.", {
    model: modelLabel(model),
    asked,
    shown,
  });
}

/** @param {{model: string, mutes: number}} lost */
const lostMutes = ({ model, mutes }) =>
  ngettext(
    "{n} muted head does not exist in {model} and was dropped.",
    "{n} muted heads do not exist in {model} and were dropped.",
    mutes,
    { model: modelInText(model) },
  );
/** @param {{model: string, cells: number}} lost */
const lostCells = ({ model, cells }) =>
  ngettext(
    "{n} painted place does not exist in {model} and was dropped.",
    "{n} painted places do not exist in {model} and were dropped.",
    cells,
    { model: modelInText(model) },
  );
/** @param {{model: string, overlay: number}} lost */
const lostOverlay = ({ model, overlay }) =>
  ngettext(
    "{n} head of the set is not in {model} and was dropped.",
    "{n} heads of the set are not in {model} and were dropped.",
    overlay,
    { model: modelInText(model) },
  );
/** @param {{model: string}} lost */
const lostEdits = ({ model }) =>
  gettext("{model} supports neither masks nor mutes, so yours were dropped.", {
    model: modelLabel(model),
  });
/** @param {{model: string, label: string}} lost */
const lostMatrix = ({ model, label }) =>
  gettext("These heads of {model} have no matrix {label}, so the pattern is shown instead.", {
    model: modelLabel(model),
    label,
  });
/** @param {{model: string}} lost */
const lostSide = ({ model }) =>
  gettext(
    "The comparison was with the model {model}, which this server does not have. It was dropped.",
    { model: quote(model) },
  );
/** @param {{model: string, place: Place}} lost */
function lostOther({ model, place }) {
  const head = headInText(place);
  return gettext(
    "The comparison was with {head} of {model}, which has no such head. It was dropped.",
    { head, model: modelLabel(model) },
  );
}

/** @param {Lost} lost */
export function lostInWords({ model: { name: model, lacks }, now, place, against, ...lost }) {
  const { mutes, cells, rules, overlay, matrix, isKnown } = lost;
  const edits = lacks
    ? [(mutes > 0 || cells > 0 || rules) && lostEdits({ model })]
    : [mutes > 0 && lostMutes({ model, mutes }), cells > 0 && lostCells({ model, cells })];
  return sentences([
    place && otherHead({ model, place, now }),
    ...edits,
    overlay > 0 && lostOverlay({ model, overlay }),
    matrix && lostMatrix({ model, label: MATRICES[matrix].label }),
    against &&
      (isKnown
        ? lostOther({ model: against.model, place: against })
        : lostSide({ model: against.model })),
  ]);
}
