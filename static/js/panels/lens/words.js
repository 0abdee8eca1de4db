// What the logit lens says, in the panel and in saved pictures.

import { gettext } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { isolated, quote } from "../../words/format.js";
import { bold, parts } from "../../words/parts.js";

export const SOURCE = gettext("Logit lens, nostalgebraist 2020.");
export const ABOUT = {
  logit: gettext(
    "What the model would predict if it stopped at each stage: the residual stream there, passed through the last norm and the unembedding (nostalgebraist 2020). Where layers write in other directions than the last one reads, it finds less than the model knows.",
  ),
  tuned: (/** @type {string | null} */ texts) =>
    texts
      ? gettext(
          "Each stage is translated into the terms of the last one first, by an affine map that least squares found on {texts} (after Belrose et al. 2023).",
          { texts },
        )
      : gettext(
          "Each stage is translated into the terms of the last one first, by an affine map that least squares finds (after Belrose et al. 2023).",
        ),
};
export const LENSES = {
  label: gettext("How each stage is read"),
  logit: gettext("Logit lens"),
  tuned: gettext("Tuned lens"),
};
export const PLAIN = {
  logit: gettext("Reads each layer as if it were the last."),
  tuned: gettext("Translates each layer into the terms of the last one."),
};
/** Which of both to trust: in how many stages the tuned lens is nearer to the model. @param {{nearer: number, of: number}} stages */
export const trusted = ({ nearer, of }) =>
  nearer === of
    ? gettext("On other texts, the tuned lens is nearer to the model at every stage.")
    : gettext("On other texts, the tuned lens is nearer to the model at {nearer} of {of} stages.", {
        nearer,
        of,
      });
export const DECIDED = gettext("The layer that decided each prediction");
export const EMBEDDING = gettext("emb.");
export const HELD_OUT = gettext(
  "Right: how far each stage is from what the model says, on other texts; 0 is the same (Kullback–Leibler divergence, in nats).",
);
/** @param {number} nats */
export const heldOut = (nats) => gettext("{nats} nats", { nats: fixed(nats, nats < 9.95 ? 1 : 0) });

/** One token of the strip. @param {{fills: boolean, read: string, token: string, share: string, stage: string}} one */
export const settled = ({ fills, read, token, share, stage }) =>
  fills
    ? gettext("At {read}: {token} ({share}), from {stage} on", { read, token, share, stage })
    : gettext("After {read}: {token} ({share}), from {stage} on", { read, token, share, stage });
export const PREDICTS_NOTHING = gettext("This model makes no predictions.");
export const LIKELIEST_HERE = gettext("likeliest here");

/** @param {number | null} layer null: the embedding */
export const stageName = (layer) =>
  layer === null ? gettext("embedding") : gettext("layer {layer}", { layer });

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
      ? parts("At {read} the model predicts {final}.", { read, final })
      : parts("After {read} the model predicts {final}.", { read, final });
  }
  if (leading.first) {
    return fills
      ? parts("At {read} the model predicts {final}, which leads from the start.", {
          read,
          final,
        })
      : parts("After {read} the model predicts {final}, which leads from the start.", {
          read,
          final,
        });
  }
  return fills
    ? parts("At {read} the model predicts {final}, which leads from {stage} on.", {
        read,
        final,
        stage: leading.stage,
      })
    : parts("After {read} the model predicts {final}, which leads from {stage} on.", {
        read,
        final,
        stage: leading.stage,
      });
}

/** The title of a saved picture. @param {Position} position */
export const pictureTitle = ({ fills, read }) =>
  fills ? gettext("Logit lens at {read}", { read }) : gettext("Logit lens after {read}", { read });

/** From which stage on a token is the most likely one. @param {string} token @param {Leading} leading */
export function leads(token, leading) {
  if (!leading) return "";
  return leading.first
    ? gettext("{token} leads from the start", { token: quote(token) })
    : gettext("{token} leads from {stage} on", { token: quote(token), stage: leading.stage });
}

/** @param {{token: string, probability: string}} prediction */
export const candidate = ({ token, probability }) => `${isolated(token)} ${probability}`;
/** @param {{token: string, probability: string}} prediction */
export const meter = ({ token, probability }) => `${quote(token)} ${probability}`;
