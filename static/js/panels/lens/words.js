// What the logit lens says, in the panel and in saved pictures.

import { isolated, quote } from "../../words/format.js";
import { bold, parts } from "../../words/parts.js";

export const SOURCE = "Logit lens, nostalgebraist 2020.";
export const ABOUT = {
  logit:
    "What the model would predict if it stopped at each stage: the residual stream there, passed through the last norm and the unembedding (nostalgebraist 2020). Where layers write in other directions than the last one reads, it finds less than the model knows.",
  tuned: (/** @type {string | null} */ texts) =>
    texts
      ? `Each stage is translated into the terms of the last one first, by an affine map that least squares found on ${texts} (after Belrose et al. 2023).`
      : "Each stage is translated into the terms of the last one first, by an affine map that least squares finds (after Belrose et al. 2023).",
};
export const LENSES = { label: "How each stage is read", logit: "Logit lens", tuned: "Tuned lens" };
export const PLAIN = {
  logit: "Reads each layer as if it were the last.",
  tuned: "Translates each layer into the terms of the last one.",
};
/** Which of both to trust: in how many stages the tuned lens is nearer to the model. @param {{nearer: number, of: number}} stages */
export const trusted = ({ nearer, of }) =>
  nearer === of
    ? "On other texts, the tuned lens is nearer to the model at every stage."
    : `On other texts, the tuned lens is nearer to the model at ${nearer} of ${of} stages.`;
export const DECIDED = "The layer that decided each prediction";
export const EMBEDDING = "emb.";
export const HELD_OUT =
  "Right: how far each stage is from what the model says, on other texts; 0 is the same (Kullback–Leibler divergence, in nats).";
/** @param {number} nats */
export const heldOut = (nats) => `${nats.toFixed(nats < 9.95 ? 1 : 0)} nats`;

/** One token of the strip. @param {{fills: boolean, read: string, token: string, share: string, stage: string}} one */
export const settled = ({ fills, read, token, share, stage }) =>
  fills
    ? `At ${read}: ${token} (${share}), from ${stage} on`
    : `After ${read}: ${token} (${share}), from ${stage} on`;
export const PREDICTS_NOTHING = "This model makes no predictions.";
export const LIKELIEST_HERE = "likeliest here";

/** @param {number | null} layer null: the embedding */
export const stageName = (layer) => (layer === null ? "embedding" : `layer ${layer}`);

/** @typedef {{fills: boolean, read: string}} Position the token that is predicted at or after */
/** @typedef {{stage: string, first: boolean} | null} Leading */

/**
 * The sentence above the stages.
 * @param {Position & {token: string}} predicted
 * @param {Leading} leading from which stage on the prediction leads
 */
export function summary({ fills, read, token }, leading) {
  const final = bold(quote(token));
  if (!leading) {
    return fills
      ? parts`At ${read} the model predicts ${final}.`
      : parts`After ${read} the model predicts ${final}.`;
  }
  if (leading.first) {
    return fills
      ? parts`At ${read} the model predicts ${final}, which leads from the start.`
      : parts`After ${read} the model predicts ${final}, which leads from the start.`;
  }
  return fills
    ? parts`At ${read} the model predicts ${final}, which leads from ${leading.stage} on.`
    : parts`After ${read} the model predicts ${final}, which leads from ${leading.stage} on.`;
}

/** The title of a saved picture. @param {Position} position */
export const pictureTitle = ({ fills, read }) =>
  fills ? `Logit lens at ${read}` : `Logit lens after ${read}`;

/** From which stage on a token is the most likely one. @param {string} token @param {Leading} leading */
export function leads(token, leading) {
  if (!leading) return "";
  return leading.first
    ? `${quote(token)} leads from the start`
    : `${quote(token)} leads from ${leading.stage} on`;
}

/** @param {{token: string, probability: string}} prediction */
export const candidate = ({ token, probability }) => `${isolated(token)} ${probability}`;
/** @param {{token: string, probability: string}} prediction */
export const meter = ({ token, probability }) => `${quote(token)} ${probability}`;
