// What a choice means for a model: its sites, how a choice is made to fit it, and which heads are muted.

import { sourceOf } from "../sources/sources.js";
import { gives } from "./address/answers.js";
import { interventionsOf } from "./address/interventions.js";
import { OWN_MASKS } from "./masks.js";
import { isOfHead, MATRIX_NAMES } from "./matrices.js";
import { ofModel } from "./painted/cells.js";
import { same } from "./store.js";

/** @import { Choice, Kind, Matrix, Model, Mute, State } from "../types.d.ts" */
/** @typedef {Pick<Model, "sites">} HasSites */

/**
 * The chosen model; one with settings is described as they make it, and one that is asked something else by what it answers.
 * @param {Pick<State, "model" | "models"> & Partial<import("../sources/sources.js").SourceSettings> & Partial<Pick<State, "answer">>} state
 */
export function modelIn(state) {
  const model = state.models.find(({ name }) => name === state.model) ?? state.models[0];
  const source = model && sourceOf(model.name);
  const settings = source && state[source.name];
  if (settings) return source.configured(model, settings);
  return state.answer && model && gives(state.answer, model) ? answering(model) : model;
}

/** Each model as it is while something else is asked of it. @type {WeakMap<Model, Model>} */
const ASKED = new WeakMap();

/** A model that tells classes, in the place of what it predicts by itself. @param {Model} model @returns {Model} */
function answering(model) {
  const known = ASKED.get(model);
  if (known) return known;
  const found = /** @type {Model} */ ({ ...model, predicts: "class", itself: model.predicts });
  ASKED.set(model, found);
  return found;
}

/**
 * Whether a prediction belongs to the token at which it is read, not to what follows: that of a gap, and a class.
 * @param {Pick<import("../types.d.ts").Model, "predicts"> | undefined} model
 */
export const readsInPlace = (model) =>
  model !== undefined && IN_PLACE.includes(model.predicts ?? "");
const IN_PLACE = ["fill", "class", "tag"];

/** Whether a model tells classes apart, not tokens. @param {Pick<Model, "predicts">} model */
export const tellsClasses = ({ predicts }) => predicts === "class" || predicts === "tag";

/**
 * The trace of an answer. It stays when a model is chosen for which the question is not asked, so it may be of another model.
 * @param {import("../types.d.ts").Asked | null | undefined} asked
 * @param {Pick<State, "model" | "models">} state
 * @returns null if it is of another model
 */
export function traceIn(asked, state) {
  const trace = asked?.answer?.trace;
  return trace && trace.model === modelIn(state).name ? trace : null;
}

/**
 * Whether the heads of a model are scored on a probe: not if each request makes the model anew, or if it cannot be run.
 * @param {Pick<State, "model" | "models">} state
 */
export const hasProbe = (state) => sourceOf(state.model) === undefined && !modelIn(state)?.recorded;

/** What the scores of the heads are of: the probe or this sentence. @param {Pick<State, "model" | "models" | "by">} state */
export const scoredBy = (state) => (hasProbe(state) ? state.by : "sentence");

/** The kinds of sites that a model has, the default first; empty until it is loaded. @param {HasSites} model */
export const kindsOf = ({ sites }) => [...new Set((sites ?? []).map(({ kind }) => kind))];

/** The sites of one kind, by layer. @param {HasSites} model @param {Kind} kind */
export const sitesOf = ({ sites }, kind) => (sites ?? []).filter((site) => site.kind === kind);

/**
 * The site of a layer. In a model that mixes attention with other layers, some layers have none.
 * @param {HasSites} model
 * @param {Kind} kind
 * @param {number} layer
 */
export const siteAt = (model, kind, layer) =>
  sitesOf(model, kind).find((site) => site.layer === layer);

/** Which tokens are the queries in sites of a kind. @param {Kind} kind */
export const queryAxis = (kind) =>
  kind === "decoder" || kind === "cross" ? "target_tokens" : "tokens";

/**
 * The matrices that a model has in sites of a kind. Analyses such as rollout need one stack of self-attention, and a decoder
 * is not one: it takes from the encoder, too.
 * @param {Pick<Model, "tensors">} model
 * @param {Kind} kind
 * @returns {Matrix[]}
 */
export function matricesOf({ tensors }, kind) {
  return MATRIX_NAMES.filter((name) =>
    isOfHead(name) ? (tensors?.includes(name) ?? true) : queryAxis(kind) === "tokens",
  );
}

/**
 * One entry for each text; missing ones are empty.
 * @param {string[]} beside
 * @param {number} n
 */
export const aligned = (beside, n) => Array.from({ length: n }, (_, index) => beside[index] ?? "");

/** How a recorded run predicts: other settings need the probabilities of every token, and the file has the likeliest. */
const PREDICTED_AS = { temperature: 1, top_p: 1 };

/**
 * Changes that make a choice fit a loaded model. Nothing changes while the model is not loaded: its sites are unknown.
 * @param {Choice} choice
 * @param {Model} model
 * @returns {Partial<Choice>}
 */
export function fit(choice, model) {
  if (model.sites === null) return {};
  const kinds = kindsOf(model);
  const kind = kinds.includes(choice.kind) ? choice.kind : kinds[0];
  const sites = sitesOf(model, kind);
  const site = sites.findLast(({ layer }) => layer <= choice.layer) ?? sites[0];
  const { padding_side } = choice.masks;
  const { recorded } = model;
  const shown = recorded ? Math.min(choice.shown, recorded.texts.length - 1) : choice.shown;
  return different(choice, {
    kind,
    layer: site.layer,
    head: Math.min(choice.head, site.n_heads - 1),
    masks: model.lacks
      ? { ...OWN_MASKS, padding_side }
      : {
          ...choice.masks,
          blocked: ofModel(choice.masks.blocked, model, choice.texts.length),
          allowed: ofModel(choice.masks.allowed, model, choice.texts.length),
        },
    muted: model.lacks ? [] : mutesOf(choice.muted, model),
    ...(choice.interventions?.length > 0
      ? { interventions: interventionsOf(choice.interventions, model) }
      : {}),
    overlay: choice.overlay.filter(([layer, head]) =>
      model.sites.some((site) => site.layer === layer && head < site.n_heads),
    ),
    matrix: matricesOf(model, kind).includes(choice.matrix) ? choice.matrix : "pattern",
    segments: model.takes_pairs && choice.pairs ? choice.segments : "all",
    ...sourceOf(model.name)?.fit(choice, model),
    ...(recorded ? { ...recorded, ...PREDICTED_AS, shown } : {}),
  });
}

/**
 * Select the sites of another kind. The query is kept only if the same tokens are its queries.
 * @param {Choice} choice
 * @param {Kind} kind
 * @param {Model} model
 * @returns {Partial<Choice>}
 */
export const selectKind = (choice, kind, model) => ({
  kind,
  query: queryAxis(kind) === queryAxis(choice.kind) ? choice.query : null,
  ...fit({ ...choice, kind }, model),
});

/**
 * The mutes of heads that the model has, one for each site. A model with a single kind of site leaves the kind out.
 * @param {Mute[]} muted
 * @param {HasSites} model
 * @returns {Mute[]}
 */
function mutesOf(muted, model) {
  const single = kindsOf(model).length === 1;
  const found = muted.flatMap(([layer, head, kind]) =>
    (model.sites ?? [])
      .filter((site) => site.layer === layer && head < site.n_heads)
      .filter((site) => kind === undefined || kind === site.kind)
      .map((site) => named(site.kind, layer, head, single)),
  );
  return found.filter((mute, index) => found.findIndex((other) => same(mute, other)) === index);
}

/** @param {Kind} kind @param {number} layer @param {number} head @param {boolean} single @returns {Mute} */
const named = (kind, layer, head, single) => (single ? [layer, head] : [layer, head, kind]);

/** @param {Mute[]} muted @param {Kind} kind @param {number} layer @param {number} head */
export const isMuted = (muted, kind, layer, head) => muted.some(mutes(kind, layer, head));

/** Mute the selected head, or unmute it. @param {Choice} choice @returns {Partial<Choice>} */
export function toggleMute({ muted, kind, layer, head }) {
  const others = muted.filter((mute) => !mutes(kind, layer, head)(mute));
  const one = named(kind, layer, head, kind === "self");
  return { muted: others.length < muted.length ? others : [...muted, one] };
}

/** @param {Kind} kind @param {number} layer @param {number} head */
const mutes =
  (kind, layer, head) =>
  /** @param {Mute} mute */
  ([l, h, k]) =>
    l === layer && h === head && (k === undefined || k === kind);

/**
 * Only what differs: an equal list keeps its identity, so that nothing looks changed.
 * @param {Choice} before
 * @param {Partial<Choice>} after
 * @returns {Partial<Choice>}
 */
export function different(before, after) {
  const keys = /** @type {(keyof Choice)[]} */ (Object.keys(after));
  return Object.fromEntries(
    keys.filter((key) => !same(before[key], after[key])).map((key) => [key, after[key]]),
  );
}

/**
 * Whether the selected sites have a causal mask of their own; null if that is unknown or has no meaning.
 * @param {Pick<State, "model" | "models" | "kind">} state
 */
export function ownCausal(state) {
  const { causal, takes_targets } = modelIn(state);
  if (!takes_targets) return causal;
  return { self: causal, encoder: false, decoder: true, cross: null }[state.kind];
}
