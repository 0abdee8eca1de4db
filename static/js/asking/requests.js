// What the page asks of the API, in its words. Pure: from the reader's choice to the body of a request.

import { aligned, queryAxis, scoredBy } from "../state/choice.js";
import { areEdited } from "../state/masks.js";
import { ALWAYS, analysing, isOfHead } from "../state/matrices.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {Pick<Model, "predicts" | "tensors" | "takes_targets" | "takes_pairs" | "sites" | "mechanisms">} Traits */

const ROWS = ["pattern", "scores", "blocked_by"];
const VECTORS = ["q", "k", "v"];
const FACTS = ["pattern", "scores", "z", "blocked_by", "norms"];
const PICTURE = ["pattern", "blocked_by"];
const TENSORS = [...VECTORS, ...ALWAYS, "blocked_by"];
const LONG = 800; // characters: of a longer text a picture comes first, and exact numbers by the row
const FINEST = 1024; // cells a side of a picture at most
const LENS_TOP = 3; // candidates at each stage
const THUMBNAIL = 64; // cells a side at most
const MIN_RESOLUTION = 16;
const CELLS = 300_000; // of all thumbnails together, about

/**
 * What a trace depends on, in the words of the API; what the model does not take is left out.
 * @param {Readonly<State>} state
 * @param {Traits} traits
 */
export const inputs = ({ model, scratch, texts, targets, pairs, masks, muted }, traits) => ({
  model,
  ...(traits.mechanisms ? { scratch } : {}),
  texts,
  ...(traits.takes_targets ? { targets: aligned(targets, texts.length) } : {}),
  ...(traits.takes_pairs && pairs ? { pairs: aligned(pairs, texts.length) } : {}),
  masks,
  muted,
});

/**
 * Whether the texts are so long that a head comes as a picture, and its numbers when they are read. Characters, since tokens
 * are known only afterwards.
 * @param {Pick<State, "texts" | "targets" | "pairs">} state
 */
export const isLong = ({ texts, targets, pairs }) =>
  texts.some(
    (text, place) =>
      Math.max(text.length + (pairs?.[place] ?? "").length, (targets[place] ?? "").length) > LONG,
  );

/**
 * All heads, small.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const gridRequest = (state, model) => ({
  ...inputs(state, model),
  select: { tensors: ["pattern"], ...kinds(state), resolution: sideOf(model), dtype: "uint8" },
  predict: null,
});

/**
 * How all heads score on these texts; no tensors.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null while they are labelled and ranked by the probe
 */
export const scoresRequest = (state, model) =>
  scoredBy(state) === "sentence" ? analysis(state, model, { scores: true }) : null;

/** The more heads, the smaller each thumbnail. @param {{sites?: {n_heads: number}[] | null}} model */
function sideOf({ sites }) {
  const heads = (sites ?? []).reduce((sum, { n_heads }) => sum + n_heads, 0);
  const fair = Math.floor(Math.sqrt(CELLS / Math.max(1, heads)));
  return Math.max(MIN_RESOLUTION, Math.min(THUMBNAIL, fair));
}

/**
 * One head. Of a long text it is a picture of bytes, pooled where it has too many tokens; its numbers are what the requests
 * below ask for.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export function detailRequest(state, model) {
  const { layer, head, matrix } = state;
  const long = isLong(state);
  return {
    ...inputs(state, model),
    select: {
      tensors: long ? PICTURE : tensorsOf(state, model),
      ...{ layers: [layer], ...kinds(state), heads: [head] },
      ...(long ? { resolution: FINEST, dtype: "uint8" } : {}),
    },
    ...(long ? {} : analysing(matrix)),
    predict: null,
  };
}

/**
 * How the layers come to what the model predicts; no tensors.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null while nobody looks at it, or it cannot be had
 */
export function lensRequest(state, model) {
  if (state.right !== "lens" || state.lacks.lens || !model.predicts) return null;
  return analysis(state, model, { lens: { top_k: LENS_TOP, position: readAt(state, model) } });
}

/**
 * Something read off the trace; no tensors.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @param {object} analyse
 */
const analysis = (state, model, analyse) => ({
  ...inputs(state, model),
  select: { layers: [] },
  analyse,
  predict: null,
});

/**
 * What can be had of a head in full; what costs more, while it is looked at.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
const tensorsOf = ({ lacks, matrix }, { tensors }) =>
  [...TENSORS, ...(looksApart(matrix) && !lacks[matrix] ? [matrix] : [])].filter(
    (name) => tensors?.includes(name) ?? true,
  );

/** Whether a matrix is a tensor that does not come with every head. @param {State["matrix"]} matrix */
const looksApart = (matrix) => isOfHead(matrix) && !ALWAYS.includes(matrix);

/**
 * Of a long text: the matrix that is looked at, in full, where it is not the pattern.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null: there is nothing to ask for
 */
export function matrixRequest(state, model) {
  const { matrix } = state;
  if (!isLong(state) || matrix === "pattern") return null;
  const tensors = [...(isOfHead(matrix) ? [matrix] : []), "blocked_by"];
  return { ...numbersRequest(state, model, tensors), ...analysing(matrix) };
}

/**
 * Of a long text: exact numbers of some rows of the selected head.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @param {[start: number, stop: number]} rows
 */
export function rowsRequest(state, model, rows) {
  const tensors = tensorsOf(state, model).filter((name) => ROWS.includes(name));
  return numbersRequest(state, model, tensors, rows);
}

/**
 * Of a long text: q, k and v of the selected head.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null: the model does not give them
 */
export function vectorsRequest(state, model) {
  const tensors = tensorsOf(state, model).filter((name) => VECTORS.includes(name));
  return tensors.length > 0 ? numbersRequest(state, model, tensors) : null;
}

/**
 * Numbers of the selected head, and nothing else.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @param {string[]} tensors
 * @param {[start: number, stop: number]} [rows]
 */
function numbersRequest(state, model, tensors, rows) {
  const { layer, head } = state;
  const select = { tensors, layers: [layer], ...kinds(state), heads: [head] };
  return {
    ...inputs(state, model),
    select: rows ? { ...select, rows } : select,
    predict: null,
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
  const position = readAt(state, model);
  return analysis(state, model, { mute_effects: { position, token: state.token } });
}

/**
 * What is predicted, as the reader wants it listed; no tensors. While the list is not open, without what costs a second run.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null: the model predicts nothing
 */
export function nextRequest(state, model) {
  if (model.state === "ready" && !model.predicts) return null;
  const { right, token } = state;
  const listed = right === "next";
  return {
    ...inputs(state, model),
    select: { layers: [] },
    predict: {
      ...predictAs(state, readAt(state, model)),
      tokens: listed && token !== null ? [token] : [],
      unedited: listed && edited(state),
    },
  };
}

/** How predictions are read, everywhere on the page. @param {Readonly<State>} state @param {number | null} position */
export const predictAs = ({ top_k, temperature, top_p }, position) => ({
  ...{ top_k, temperature, top_p: top_p < 1 ? top_p : null, position },
});

/**
 * All heads of the selected layer in full, for what is measured of them.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null: the text is too long
 */
export function factsRequest(state, model) {
  if (isLong(state)) return null;
  const known = FACTS.filter((name) => model.tensors?.includes(name) ?? true);
  const tensors = known.filter((name) => !(name === "norms" && state.lacks.norms));
  return {
    ...inputs(state, model),
    select: { tensors, layers: [state.layer], ...kinds(state) },
    predict: model.predicts ? { top_k: 1, position: readAt(state, model) } : null,
  };
}

/** Whether anything was done to the model: a mask, a painted cell, a mute. @param {Pick<State, "masks" | "muted">} state */
export const edited = ({ masks, muted }) => areEdited(masks) || muted.length > 0;

/** Of the kind that is looked at; a single stack has but one. @param {Readonly<State>} state */
export const kinds = ({ kind }) => (kind === "self" ? {} : { kinds: [kind] });

/**
 * Where predictions are read: at the query, if it is one of the tokens that predict (an encoder–decoder's target).
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const readAt = ({ kind, query }, { takes_targets }) =>
  takes_targets && queryAxis(kind) === "tokens" ? null : query;
