// What a choice means for a model: its sites, what of a link fits it, and which of its heads are muted.

import { ofModel } from "./cells.js";
import { OWN_MASKS } from "./masks.js";
import { isOfHead, MATRIX_NAMES } from "./matrices.js";
import { configured } from "./scratch/settings.js";
import { asking } from "./scratch/texts.js";

/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").Kind} Kind */
/** @typedef {import("../types.d.ts").Matrix} Matrix */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Mute} Mute */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {Pick<Model, "sites">} HasSites */

/**
 * The model that is chosen; one that is put together here, as its settings make it.
 * @param {Pick<State, "model" | "models"> & Partial<Pick<State, "scratch">>} state
 */
export function modelIn({ model, models, scratch }) {
  const found = models.find(({ name }) => name === model) ?? models[0];
  return found?.mechanisms && scratch ? configured(found, scratch) : found;
}

/**
 * Whose scores the heads are labelled by. Heads whose weights are drawn anew have no probe.
 * @param {Pick<State, "model" | "models" | "by">} state
 */
export const scoredBy = (state) =>
  modelIn({ model: state.model, models: state.models }).mechanisms ? "sentence" : state.by;

/** The kinds of sites of a model, the first being the default; none until it is loaded. @param {HasSites} model */
export const kindsOf = ({ sites }) => [...new Set((sites ?? []).map(({ kind }) => kind))];

/** The sites of one kind, by layer. @param {HasSites} model @param {Kind} kind */
export const sitesOf = ({ sites }, kind) => (sites ?? []).filter((site) => site.kind === kind);

/** Which tokens look, in sites of a kind. @param {Kind} kind */
export const queryAxis = (kind) =>
  kind === "decoder" || kind === "cross" ? "target_tokens" : "tokens";

/**
 * The matrices that a model has in sites of a kind. Rollout is of one stack of self-attention, which a decoder's is not: it
 * takes from the encoder's, too.
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
 * One text for each of the texts: what is missing is empty.
 * @param {string[]} beside
 * @param {number} n
 */
export const aligned = (beside, n) => Array.from({ length: n }, (_, place) => beside[place] ?? "");

/**
 * What of a choice must change to fit a model that is loaded. Of one that is not nothing is known: all stands.
 * @param {Choice} choice
 * @param {Model} model
 * @returns {Partial<Choice>}
 */
export function fit(choice, model) {
  if (model.sites === null) return {};
  const kinds = kindsOf(model);
  const kind = kinds.includes(choice.kind) ? choice.kind : kinds[0];
  const sites = sitesOf(model, kind);
  const layer = Math.min(choice.layer, sites.length - 1);
  const { padding_side } = choice.masks;
  return different(choice, {
    kind,
    layer,
    head: Math.min(choice.head, sites[layer].n_heads - 1),
    masks: model.lacks
      ? { ...OWN_MASKS, padding_side }
      : {
          ...choice.masks,
          blocked: ofModel(choice.masks.blocked, model, choice.texts.length),
          allowed: ofModel(choice.masks.allowed, model, choice.texts.length),
        },
    muted: model.lacks ? [] : mutesOf(choice.muted, model),
    matrix: matricesOf(model, kind).includes(choice.matrix) ? choice.matrix : "pattern",
    segments: model.takes_pairs && choice.pairs ? choice.segments : "all",
    // what is put together here shows something at once; a decoder may well have said nothing yet
    targets:
      model.mechanisms && model.takes_targets
        ? asking(choice.targets, choice.texts.length)
        : choice.targets,
  });
}

/**
 * Look at the sites of another kind. A query stays only among tokens that still look.
 * @param {Choice} choice
 * @param {Kind} kind
 * @param {Model} model
 * @returns {Partial<Choice>}
 */
export const turned = (choice, kind, model) => ({
  kind,
  query: queryAxis(kind) === queryAxis(choice.kind) ? choice.query : null,
  ...fit({ ...choice, kind }, model),
});

/**
 * The mutes that a model has heads for, each of one site: a stack of one kind needs no kinds, others name each.
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
  return found.filter((mute, place) => found.findIndex((other) => same(mute, other)) === place);
}

/** @param {Kind} kind @param {number} layer @param {number} head @param {boolean} single @returns {Mute} */
const named = (kind, layer, head, single) => (single ? [layer, head] : [layer, head, kind]);

/** @param {Mute[]} muted @param {Kind} kind @param {number} layer @param {number} head */
export const isMuted = (muted, kind, layer, head) => muted.some(mutes(kind, layer, head));

/** Mute the head that is looked at, or let it speak. @param {Choice} choice @returns {Partial<Choice>} */
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
 * Only what differs: an equal list stays the one that it is, so that nothing looks new.
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

/** @param {unknown} a @param {unknown} b plain data */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Whether the sites that are looked at have a causal mask of their own; null where that is not known, or means nothing.
 * @param {Readonly<State>} state
 */
export function ownCausal(state) {
  const { causal, takes_targets } = modelIn(state);
  if (!takes_targets) return causal;
  return { self: causal, encoder: false, decoder: true, cross: null }[state.kind];
}
