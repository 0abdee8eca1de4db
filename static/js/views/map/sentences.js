// What the map says about a place: sentences made of the model's description and of the numbers on the page. Pure.

import { isMuted, sitesOf } from "../../state/choice.js";
import { label, quote, quoteAt, shorten } from "../../words/format.js";
import { layerName } from "../../words/heads.js";
import { lookOf, strongestLook } from "./reading.js";
import { SENTENCES } from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Place } from "../../draw/map/layout.js" */
/** @import { Detail } from "./reading.js" */

/**
 * The likeliest token of the page's list.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 */
export function likeliestIn({ next }, { text, read, fills }) {
  const first = next?.answer?.trace.predictions?.[text]?.[0];
  if (!first) return null;
  const { probability } = first;
  return { read: read.name, token: shorten(label(first), 16), probability, fills };
}

/**
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").ModelInfo} model
 * @param {Detail} detail
 * @param {Pick<Place, "kind" | "axis" | "site" | "at" | "head" | "label">} place
 * @returns {string[]}
 */
export function sentencesOf(state, model, detail, place) {
  const { site, at, head } = place;
  const tokens = state.detail?.trace[place.axis]?.[detail.text] ?? [];
  const own = place.axis === detail.site.query_tokens;
  const other = tokens.find(({ special }) => !special) ?? tokens[0];
  const labels = tokens.map(label);
  const token = own
    ? quoteAt(detail.queryLabels, detail.row)
    : other
      ? quoteAt(labels, tokens.indexOf(other))
      : "";
  const facts = { model, token, tokens: tokens.length };
  if (model.d_model === 0 && OF_THE_STREAM.includes(place.kind)) return [SENTENCES.untold];
  switch (place.kind) {
    case "sentence":
      return [SENTENCES.sentence(tokens.length)];
    case "token":
      return [SENTENCES.token(quote(shorten(labels[at] ?? "", 16)), at, tokens.length)];
    case "embedding":
      return [SENTENCES.embedding(facts)];
    case "head": {
      const look = lookOf(state, detail, { kind: site, layer: at, head });
      return [
        ...(look && own ? [SENTENCES.look(token, lookIn(detail, look))] : []),
        ...(isMuted(state.muted, site, at, head) ? [SENTENCES.mutedHead] : []),
      ];
    }
    case "heads":
      return attentionSentences(state, model, detail, { kind: site, layer: at });
    case "feed":
      return [model.d_ff === null ? SENTENCES.rest : SENTENCES.feed(facts)];
    case "memory":
      return [SENTENCES.memory];
    case "output":
      return [SENTENCES.outcome(facts)];
    case "unembedding":
      return [SENTENCES.unembedding(facts)];
    case "prediction": {
      const likeliest = likeliestIn(state, detail);
      return [likeliest ? SENTENCES.prediction(likeliest) : SENTENCES.noPrediction];
    }
  }
}

/** Places about whose numbers a file of attention alone says nothing. @type {Place["kind"][]} */
const OF_THE_STREAM = ["embedding", "feed", "memory", "output", "unembedding"];

/**
 * The sizes of a head, and where its result goes.
 * @param {import("../../types.d.ts").ModelInfo} model
 * @param {Pick<Place, "kind" | "site" | "at">} place
 * @returns {string[]} empty for another place
 */
export function detailsOf(model, { kind, site, at }) {
  if (kind !== "head" || model.d_model === 0) return [];
  const of = sitesOf(model, site).find(({ layer }) => layer === at);
  const written = model.tensors.includes("result");
  const sizes = SENTENCES.head(model, of?.n_heads ?? 1);
  if (written) return [sizes, SENTENCES.output(model)];
  return model.recorded ? [sizes] : [sizes, SENTENCES.noOutput]; // a recorded run leaves its W_O out
}

/**
 * What the attention of a layer does for the selected token.
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").ModelInfo} model
 * @param {Detail} detail
 * @param {{kind: import("../../types.d.ts").Kind, layer: number}} where
 */
export function attentionSentences(state, model, detail, { kind, layer }) {
  const n_heads = sitesOf(model, kind).find((site) => site.layer === layer)?.n_heads ?? 0;
  const all = Array.from({ length: n_heads }, (_, head) => head);
  const silent = all.filter((head) => isMuted(state.muted, kind, layer, head)).length;
  const look = strongestIn(state, model, detail, { kind, layer });
  const token = quoteAt(detail.queryLabels, detail.row);
  const title = layerName({ kind, layer });
  return [
    SENTENCES.attention(title, n_heads, token, model.residual),
    ...(look ? [SENTENCES.strongest(look.head, lookIn(detail, look))] : []),
    ...(silent > 0 ? [SENTENCES.muted(silent)] : []),
  ];
}

/**
 * Which head of a layer looks most at another token, if it is not muted.
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").ModelInfo} model
 * @param {Detail} detail
 * @param {{kind: import("../../types.d.ts").Kind, layer: number}} where
 */
export function strongestIn(state, model, detail, { kind, layer }) {
  const n_heads = sitesOf(model, kind).find((site) => site.layer === layer)?.n_heads ?? 0;
  const muted = (/** @type {number} */ head) => isMuted(state.muted, kind, layer, head);
  return strongestLook(state, detail, { kind, layer, n_heads }, muted);
}

/** A look with the name of its token. @param {Detail} detail @param {import("./reading.js").Look} look */
const lookIn = ({ keyLabels }, { key, share, exact }) => ({
  token: quoteAt(keyLabels, key),
  share,
  exact,
});
