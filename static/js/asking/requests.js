// The bodies of the page's requests to the API, made from the reader's choice. Pure.

import ANALYSES from "../facts/analyses.json" with { type: "json" };
import { watchedIn } from "../numbers/explain/forecast.js";
import { mutesAsked } from "../numbers/mutes.js";
import { cellsHere, textIn } from "../numbers/picture.js";
import { settingsIn, sourceOf } from "../sources/sources.js";
import { aligned, queryAxis, scoredBy, toggleMute, traceIn } from "../state/choice.js";
import { areEdited } from "../state/masks.js";
import { ALWAYS, analysing, excessTokens, isLimited, isOfHead } from "../state/matrices.js";
import { tells } from "../state/quiz.js";

/** @import { Model, State } from "../types.d.ts" */
/** @typedef {Pick<Model, "predicts" | "tensors" | "takes_targets" | "takes_pairs" | "sites" | "itself">} Traits */

/** The analyses of what the model says: of an answer, too. @type {Set<string>} */
const OF_ANSWERS = new Set(ANALYSES.filter((row) => "answers" in row).map(({ name }) => name));
const ROWS = ["pattern", "scores", "blocked_by"];
const VECTORS = ["q", "k", "v"];
const FACTS = ["pattern", "scores", "z", "blocked_by", "norms"];
const PICTURE = ["pattern", "blocked_by"];
const TENSORS = [...VECTORS, ...ALWAYS, "blocked_by"];
const LONG = 800; // characters: a longer text comes as a picture first, then as exact numbers, row by row
const MAX_PICTURE = 1024; // cells per side
const LENS_TOP = 3; // candidates at each stage
const MAX_THUMBNAIL = 64; // cells per side
const MIN_THUMBNAIL = 16;
const MAX_CELLS = 300_000; // roughly, in all thumbnails together

/**
 * The fields of a request that a trace depends on, without those that the model does not take.
 * @param {Readonly<State>} state
 * @param {Traits} traits
 */
export function inputs(state, traits) {
  const { model, texts, targets, pairs, special_tokens, masks, muted, interventions = [] } = state;
  return {
    model,
    ...settingsIn(state),
    texts,
    ...(traits.takes_targets ? { targets: aligned(targets, texts.length) } : {}),
    ...(traits.takes_pairs && pairs ? { pairs: aligned(pairs, texts.length) } : {}),
    ...(special_tokens === false && !sourceOf(model) ? { special_tokens } : {}),
    masks,
    muted,
    ...(interventions.length > 0 ? { interventions } : {}),
  };
}

/**
 * The fields of a request for what the model says: with what is asked in the place of its prediction.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const saying = (state, model) => ({ ...inputs(state, model), ...answerAsked(state, model) });

/** @param {Readonly<State>} state @param {Traits} model */
function answerAsked({ answer, kind, query }, { itself, takes_targets }) {
  if (!answer || itself === undefined) return {};
  if (answer.kind !== "entropy" || itself === "class") return { answer };
  return { answer: { ...answer, position: positionOf(kind, query, takes_targets) } };
}

/**
 * Whether the texts are so long that a head comes as a picture first, and its numbers only when they are read. It counts
 * characters, because the number of tokens is known only from the answer.
 * @param {Pick<State, "texts" | "targets" | "pairs">} state
 */
export const isLong = ({ texts, targets, pairs }) =>
  texts.some(
    (text, index) =>
      Math.max(text.length + (pairs?.[index] ?? "").length, (targets[index] ?? "").length) > LONG,
  );

/**
 * The thumbnails of all heads.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const gridRequest = (state, model) => ({
  ...inputs(state, model),
  select: { tensors: ["pattern"], ...kinds(state), resolution: sideOf(model), dtype: "uint8" },
  predict: null,
});

/**
 * The scores of all heads on these texts, without tensors.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null while heads are labelled and ranked by the probe
 */
export const scoresRequest = (state, model) =>
  scoredBy(state) === "sentence" ? analysis(state, model, { scores: true }) : null;

/**
 * How well every head of the selected kind matches the reader's picture.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @param {boolean} isCurrent whether the picture of the head shows the current texts
 * @returns {object | null} null if the heads are not ranked by it, in a quiz, and before the first painted cell
 */
export function matchRequest(state, model, isCurrent) {
  const { find, grid, kind } = state;
  if (!isCurrent || find !== "picture" || !tells(state) || !grid) return null;
  const cells = cellsHere(state);
  const text = textIn(state, grid.trace);
  return cells.length > 0 ? analysis(state, model, { match: { cells, text, kind } }) : null;
}

/** The more heads, the smaller each thumbnail. @param {{sites?: {n_heads: number}[] | null}} model */
function sideOf({ sites }) {
  const heads = (sites ?? []).reduce((sum, { n_heads }) => sum + n_heads, 0);
  const fair = Math.floor(Math.sqrt(MAX_CELLS / Math.max(1, heads)));
  return Math.max(MIN_THUMBNAIL, Math.min(MAX_THUMBNAIL, fair));
}

/**
 * The selected head. For a long text it is a picture of bytes, pooled if there are too many tokens; the requests below fetch
 * its numbers.
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
      layers: [layer],
      ...kinds(state),
      heads: [head],
      ...(long ? { resolution: MAX_PICTURE, dtype: "uint8" } : {}),
    },
    ...(long || isLimited(matrix) ? {} : analysing(matrix)),
    predict: null,
  };
}

/**
 * The logit lens: what each layer would predict, without tensors.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null while the lens is closed or not available, and where stages are read through a tuned lens
 */
export function lensRequest(state, model) {
  if (!readsStages(state, model) || (state.tuned && model.predicts !== "class")) return null;
  return analysis(state, model, { lens: { top_k: LENS_TOP, position: readAt(state, model) } });
}

/**
 * When each prediction was decided. Once a tuned lens is there, both are asked for, so that the reader can change between them.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export function decidedRequest(state, model) {
  if (!readsStages(state, model) || model.predicts === "class") return null;
  const tuned = state.tuned || !!traceIn(state.decided, state)?.decided?.[0]?.tuned;
  const lens = { top_k: LENS_TOP, position: readAt(state, model), tuned };
  return analysis(state, model, { decided: { tuned }, ...(tuned ? { lens } : {}) });
}

/** @param {Readonly<State>} state @param {Traits} model */
const readsStages = (state, model) =>
  state.right === "lens" && !state.lacks.lens && !!model.predicts;

/**
 * An analysis of the trace, without tensors; for the questions of panels.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @param {object} analyse
 */
export const analysis = (state, model, analyse) => ({
  ...(Object.keys(analyse).some((name) => OF_ANSWERS.has(name)) ? saying : inputs)(state, model),
  select: { layers: [] },
  analyse,
  predict: null,
});

/**
 * The tensors of a head that the model has. A costly one is included only while it is selected.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
const tensorsOf = ({ lacks, matrix }, { tensors }) =>
  [...TENSORS, ...(isExtra(matrix) && !lacks[matrix] ? [matrix] : [])].filter(
    (name) => tensors?.includes(name) ?? true,
  );

/** Whether a matrix is a tensor that is not fetched with every head. @param {State["matrix"]} matrix */
const isExtra = (matrix) => isOfHead(matrix) && !ALWAYS.includes(matrix);

/**
 * The selected matrix in full, if the selected head came without it: for a long text any but the pattern; for every text one
 * that takes only short texts, once the number of tokens is known.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @param {boolean} isCurrent whether the grid and the head are those of the current texts
 * @returns null if nothing is missing
 */
export function matrixRequest(state, model, isCurrent) {
  const { matrix } = state;
  const isMissing = isLimited(matrix) ? isCurrent && excessTokens(state) === null : isLong(state);
  if (!isMissing || matrix === "pattern") return null;
  const tensors = [...(isOfHead(matrix) ? [matrix] : []), "blocked_by"];
  return { ...numbersRequest(state, model, tensors), ...analysing(matrix) };
}

/**
 * For a long text: the exact numbers of some rows of the selected head.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @param {[start: number, stop: number]} rows
 */
export function rowsRequest(state, model, rows) {
  const tensors = tensorsOf(state, model).filter((name) => ROWS.includes(name));
  return numbersRequest(state, model, tensors, rows);
}

/**
 * For a long text: q, k and v of the selected head.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null if the model does not provide them
 */
export function vectorsRequest(state, model) {
  const tensors = tensorsOf(state, model).filter((name) => VECTORS.includes(name));
  return tensors.length > 0 ? numbersRequest(state, model, tensors) : null;
}

/**
 * Only tensors of the selected head.
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
 * The effect of muting each head on the prediction, without tensors.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null while the list of effects is closed, or if there is no prediction
 */
export function effectsRequest(state, model) {
  if (state.right !== "effects" || !tellsOfMutes(model)) return null;
  if (model.state === "ready" && !model.predicts) return null;
  if (model.sites === null) return null; // nobody knows yet how many heads it has
  const all = everyMute(state, model);
  return JSON.stringify(all) === state.searched ? all : mutesRequest(state, model);
}

/** Whether the model can be muted, or a recording of it tells what mutes do. @param {Pick<Model, "lacks" | "answers">} model */
export const tellsOfMutes = ({ lacks, answers }) =>
  !lacks || (answers ?? []).some((name) => /^mute_/.test(name));

/** As much of the effects as is known soon. @param {Readonly<State>} state @param {Model} model @param {number} [exact] heads to mute, of many */
export function mutesRequest(state, model, exact) {
  const { length } = state.texts[state.shown] ?? "";
  return analysis(state, model, mutesAsked(model, watchedBy(state, model), length, exact));
}

/** Every head muted, however many there are. @param {Readonly<State>} state @param {Model} model */
export const everyMute = (state, model) =>
  analysis(state, model, { mute_effects: watchedBy(state, model) });

/** @param {Readonly<State>} state @param {Model} model */
const watchedBy = (state, model) => ({ position: readAt(state, model), token: state.token });

/**
 * The predictions, listed as the reader has chosen, without tensors. After an edit they come with their probabilities before it; not
 * in a quiz, since that would say that the model is edited.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null if the model predicts nothing
 */
export function nextRequest(state, model) {
  if (model.state === "ready" && !model.predicts) return null;
  const { token } = state;
  return {
    ...saying(state, model),
    select: { layers: [] },
    predict: {
      ...predictAs(state, readAt(state, model)),
      tokens: token !== null ? [token] : [],
      unedited: edited(state) && tells(state) && !model.recorded, // which cannot be run without them
    },
  };
}

/**
 * The watched prediction with the selected head also muted, or, if it is muted, without that.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @param {boolean} isCurrent whether the picture shows the current selection
 * @returns {object | null} null if heads cannot be muted, or nothing is predicted yet, and in a quiz: it is the answer to a bet
 */
export function mutingRequest(state, model, isCurrent) {
  const watched = isCurrent && !model.lacks && tells(state) ? watchedIn(state) : null;
  if (!watched) return null;
  return {
    ...saying({ ...state, ...toggleMute(state) }, model),
    select: { layers: [] },
    predict: {
      ...predictAs(state, readAt(state, model)),
      top_k: 1,
      tokens: [watched.token.id],
    },
  };
}

/** The settings of predictions, the same everywhere on the page. @param {Readonly<State>} state @param {number | null} position */
export const predictAs = ({ top_k, temperature, top_p }, position) => ({
  top_k,
  temperature,
  top_p: top_p < 1 ? top_p : null,
  position,
});

/** The text that a model's chat template makes of the sentence, as what a user says. @param {Readonly<State>} state */
export const chatRequest = ({ model, texts, shown }) => ({
  model,
  messages: [[{ role: "user", content: texts[shown] }]],
  select: { layers: [] },
  predict: null,
});

/**
 * All heads of the selected layer in full, to take measurements.
 * @param {Readonly<State>} state
 * @param {Traits} model
 * @returns null if the text is too long
 */
export function factsRequest(state, model) {
  if (isLong(state)) return null;
  const known = FACTS.filter((name) => model.tensors?.includes(name) ?? true);
  const tensors = known.filter((name) => !(name === "norms" && state.lacks.norms));
  return {
    ...saying(state, model),
    select: { tensors, layers: [state.layer], ...kinds(state) },
    predict: model.predicts ? { top_k: 1, position: readAt(state, model) } : null,
  };
}

/**
 * Whether the model is edited by a mask, a painted cell, a mute or an intervention.
 * @param {Pick<State, "masks" | "muted"> & Partial<Pick<State, "interventions">>} state
 */
export const edited = ({ masks, muted, interventions = [] }) =>
  areEdited(masks) || muted.length > 0 || interventions.length > 0;

/** The selected kind of sites; left out for a single stack, which has only one. @param {Readonly<State>} state */
export const kinds = ({ kind }) => (kind === "self" ? {} : { kinds: [kind] });

/**
 * The position of predictions: the query, if it is among the tokens that predict (in an encoder–decoder, the target). A classifier
 * reads one position of a text, whatever is selected.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const readAt = ({ kind, query }, { takes_targets, predicts }) =>
  predicts === "class" ? null : positionOf(kind, query, takes_targets);

/** @param {State["kind"]} kind @param {State["query"]} query @param {boolean | null} takes_targets */
const positionOf = (kind, query, takes_targets) =>
  takes_targets && queryAxis(kind) === "tokens" ? null : query;

/** Whether a view shows composition. @param {Pick<State, "view" | "arcs">} state */
const shows = ({ view, arcs }) => view === "paths" || (view === "map" && arcs !== "off");

/** @param {Readonly<State>} state @param {import("../types.d.ts").Model} model */
export function compositionRequest(state, model) {
  if (!shows(state) || model.state !== "ready" || model.lacks) return null;
  const analyse = { composition: true, weight_composition: true };
  return { ...inputs(state, model), select: { layers: [] }, predict: null, analyse };
}

/** @type {import("./questions.js").Question} */
export const COMPOSITION = { request: compositionRequest, turn: "apart" };
