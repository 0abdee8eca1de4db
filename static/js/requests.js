// What the page asks of the API, in its words. Pure: from the reader's choice to the body of a request.

import { aligned, queryAxis } from "./choice.js";

/** @typedef {import("./types.d.ts").Model} Model */
/** @typedef {import("./types.d.ts").State} State */
/** @typedef {Pick<Model, "predicts" | "tensors" | "takes_targets" | "takes_pairs">} Traits */

const TENSORS = ["q", "k", "v", "scores", "pattern", "blocked_by", "norms"];
const LONG = 1000; // characters: of a longer text, scores and norms come when they are looked at
const LENS_TOP = 3; // candidates at each stage
export const THUMBNAIL = 64; // cells a side at most

/**
 * What a trace depends on, in the words of the API; what the model does not take is left out.
 * @param {Readonly<State>} state
 * @param {Traits} traits
 */
export const inputs = ({ model, texts, targets, pairs, masks, muted }, traits) => ({
  model,
  texts,
  ...(traits.takes_targets ? { targets: aligned(targets, texts.length) } : {}),
  ...(traits.takes_pairs && pairs ? { pairs: aligned(pairs, texts.length) } : {}),
  masks,
  muted,
});

/**
 * All heads, small, and how they score on these texts.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const gridRequest = (state, model) => ({
  ...inputs(state, model),
  select: { tensors: ["pattern"], ...kinds(state), resolution: THUMBNAIL, dtype: "uint8" },
  analyse: { scores: true },
});

/**
 * One head, in full, what the model predicts, and how the layers come to it.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export function detailRequest(state, model) {
  const { texts, layer, head, matrix, lacks } = state;
  const long = texts.some((text) => text.length > LONG);
  const given = TENSORS.filter(
    (name) =>
      (model.tensors?.includes(name) ?? true) &&
      !(long && name !== matrix && (name === "scores" || name === "norms")),
  );
  const lens = model.predicts && !lacks.lens;
  const position = readAt(state, model);
  return {
    ...inputs(state, model),
    select: {
      tensors: lacks.norms ? given.filter((name) => name !== "norms") : given,
      layers: [layer],
      ...kinds(state),
      heads: [head],
    },
    analyse: {
      rollout: matrix === "rollout",
      lens: lens ? { top_k: LENS_TOP, position } : null,
    },
    ...(model.predicts ? { predict: { top_k: 10, position } } : {}),
  };
}

/**
 * What muting each head does to the prediction; no tensors.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null while nobody looks at it, or there is nothing to look at
 */
export function effectsRequest(state, model) {
  if (state.right !== "effects" || model.lacks) return null;
  if (model.state === "ready" && !model.predicts) return null;
  return {
    ...inputs(state, model),
    select: { layers: [] },
    analyse: { mute_effects: { position: readAt(state, model), token: state.token } },
    predict: null,
  };
}

/** Of the kind that is looked at; a single stack has but one. @param {Readonly<State>} state */
export const kinds = ({ kind }) => (kind === "self" ? {} : { kinds: [kind] });

/**
 * Where predictions are read: at the query, if it is one of the tokens that predict (an encoder–decoder's target).
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const readAt = ({ kind, query }, { takes_targets }) =>
  takes_targets && queryAxis(kind) === "tokens" ? null : query;
