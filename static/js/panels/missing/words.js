// What the page says where a link asks for what this server does not have, and what a choice lost with another model.

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
    `This link asks for the model ${quote(model)}, which this server does not have. It has: ${enumerated(has)}.`,
  /** The page is a file. @param {ModelMissing} link */
  file: ({ model, has }) =>
    `This link asks for the model ${quote(model)}, which this file does not have. It has: ${enumerated(has)}.`,
};
/** A button. @param {{model: string}} other */
export const openWith = ({ model }) => `Open the sentence with ${model}`;

/** @param {{asked: Place, model: Model}} link */
export function headMissing({ asked, model }) {
  const place = headInText(asked);
  const layers = sizeInWords(model, asked.kind);
  return `This link asks for ${place}, but ${modelLabel(model.name)} has ${layers}, both counted from 0.`;
}
/** A button. @param {Place} place */
export const showHead = (place) => `Show ${headInText(place)}`;

/** @param {import("../../state/fitting/weights.js").OtherWeights} link */
export const weightsInWords = ({ model, linked, here }) =>
  `This link was made with other weights of ${model} (${linked}; here they are ${here}), so numbers may differ.`;

/** "4 layers of 8 heads", or "attention only in layers 1 and 4, with 8 heads each". @param {Model} model @param {Choice["kind"]} asked */
function sizeInWords(model, asked) {
  const kinds = kindsOf(model);
  const kind = kinds.includes(asked) ? asked : kinds[0];
  const sites = sitesOf(model, kind);
  const n_heads = Math.max(...sites.map((site) => site.n_heads));
  if (sites.some(({ layer }, index) => layer !== index)) {
    const layers = enumerated(sites.map(({ layer }) => String(layer)));
    return sites.length === 1
      ? `attention only in layer ${layers}, with ${heads(n_heads)}`
      : `attention only in layers ${layers}, with ${heads(n_heads)} each`;
  }
  return layersInText({ kind, n_layers: sites.length, n_heads });
}

/** The head that the model lacks, and the one that is shown. @param {{model: string, place: Place, now: Place}} lost */
function otherHead({ model, place, now }) {
  const [asked, shown] = [headInText(place), headInText(now)];
  return `${modelLabel(model)} has no ${asked}, so ${shown} is shown instead.`;
}

/** @param {{model: string, mutes: number}} lost */
const lostMutes = ({ model, mutes }) =>
  mutes === 1
    ? `1 muted head does not exist in ${modelInText(model)} and was dropped.`
    : `${mutes} muted heads do not exist in ${modelInText(model)} and were dropped.`;
/** @param {{model: string, cells: number}} lost */
const lostCells = ({ model, cells }) =>
  cells === 1
    ? `1 painted place does not exist in ${modelInText(model)} and was dropped.`
    : `${cells} painted places do not exist in ${modelInText(model)} and were dropped.`;
/** @param {{model: string, overlay: number}} lost */
const lostOverlay = ({ model, overlay }) =>
  overlay === 1
    ? `1 head of the set is not in ${modelInText(model)} and was dropped.`
    : `${overlay} heads of the set are not in ${modelInText(model)} and were dropped.`;
/** @param {{model: string}} lost */
const lostEdits = ({ model }) =>
  `${modelLabel(model)} supports neither masks nor mutes, so yours were dropped.`;
/** @param {{model: string, label: string}} lost */
const lostMatrix = ({ model, label }) =>
  `These heads of ${modelLabel(model)} have no matrix ${label}, so the pattern is shown instead.`;
/** @param {{model: string}} lost */
const lostSide = ({ model }) =>
  `The comparison was with the model ${quote(model)}, which this server does not have. It was dropped.`;
/** @param {{model: string, place: Place}} lost */
function lostOther({ model, place }) {
  const head = headInText(place);
  return `The comparison was with ${head} of ${modelLabel(model)}, which has no such head. It was dropped.`;
}

/** @param {Lost} lost */
export function lostInWords({ model: { name: model, lacks }, now, place, against, ...lost }) {
  const { mutes, cells, rules, overlay, matrix, isKnown } = lost;
  const edits = lacks
    ? [(mutes > 0 || cells > 0 || rules) && lostEdits({ model })]
    : [mutes > 0 && lostMutes({ model, mutes }), cells > 0 && lostCells({ model, cells })];
  return [
    place && otherHead({ model, place, now }),
    ...edits,
    overlay > 0 && lostOverlay({ model, overlay }),
    matrix && lostMatrix({ model, label: MATRICES[matrix].label }),
    against &&
      (isKnown
        ? lostOther({ model: against.model, place: against })
        : lostSide({ model: against.model })),
  ]
    .filter(Boolean)
    .join(" ");
}
