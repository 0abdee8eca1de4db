// What the map is made of: the model's description, the tokens, the selected head, and the head whose looks are drawn. Pure.

import { folds, planOf } from "../../draw/map/plan.js";
import { label } from "../../words/format.js";
import { likeliestIn, strongestIn } from "./sentences.js";
import * as words from "./words.js";

/** @import { ModelInfo as Model, State } from "../../types.d.ts" */
/** @import { Place, Stage } from "../../draw/map/layout.js" */
/** @import { Detail } from "./reading.js" */

const APART = 20; // pixels, for the arcs

/**
 * What the layout is made of.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @param {Detail | null} detail
 * @param {number} width
 * @returns {import("../../draw/map/layout.js").Given}
 */
export function givenBy(state, model, detail, width) {
  const plan = planOf(model);
  const fold = folds(plan);
  const text = detail?.text ?? 0;
  const trace = state.detail?.trace;
  const likeliest = detail && likeliestIn(state, detail);
  const labels = (/** @type {import("../../types.d.ts").Token[] | undefined} */ tokens) =>
    (tokens ?? []).map(label);
  return {
    plan,
    width: Math.floor(width),
    norm: model.norm,
    residual: model.residual,
    feed: model.d_ff === 0 ? null : words.feedName(model.d_ff),
    tokens: {
      tokens: labels(trace?.tokens[text]),
      target_tokens: labels(trace?.target_tokens?.[text]),
    },
    at: detail ? { [detail.site.query_tokens]: detail.row } : {},
    open: (_, layer) => !fold || layer === state.layer,
    result: likeliest ? words.resultLabel(likeliest) : words.NAMES.prediction,
    apart: state.arcs === "off" ? 0 : APART,
    names: { ...words.NAMES, ...(model.takes_targets ? { sentence: words.NAMES.source } : {}) },
    wording: words.WORDING,
  };
}

/** A head on the map. @param {Pick<State, "kind" | "layer" | "head">} head @param {Place[]} places */
export function idOf({ kind, layer, head }, places) {
  const id = `head:${kind}:${layer}:${head}`;
  return places.some((place) => place.id === id) ? id : `heads:${kind}:${layer}`;
}

/**
 * The head whose looks are drawn: at a step of the path the one of that layer which looks most at another token, else the selected one.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @param {Detail | null} detail
 * @param {Stage | null} stage
 * @returns {{kind: State["kind"], layer: number, head: number} | null}
 */
export function readingHead(state, model, detail, stage) {
  if (!stage) return state;
  if (!detail || stage.kind !== "attention") return null;
  const where = { kind: stage.site, layer: stage.layer };
  const look = strongestIn(state, model, detail, where);
  return look && { ...where, head: look.head };
}
