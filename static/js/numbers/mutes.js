// What muting each head does to a prediction: measured, or, for a model of many heads, estimated and measured where it may matter most. Pure.

/** @import { Model, TraceJson } from "../types.d.ts" */

const MANY = 64; // heads: muting each of more takes long
const EXACT = 20; // heads that are muted, of many
export const FEW = 6; // the same, where an answer is needed at once
const LONG = 128; // tokens: of longer texts that would take long, too

/** Whether a model has more heads than are muted in turn at once. @param {Model} model */
export const hasManyHeads = ({ sites }) =>
  (sites ?? []).reduce((n, { n_heads }) => n + n_heads, 0) > MANY;

/**
 * What to ask for. Of many heads, all are estimated from one gradient, and those that may matter most are muted.
 * @param {Model} model
 * @param {{position: number | null, token: number | null}} watched
 * @param {number} characters of the text
 * @param {number} [exact] heads to mute, of many
 * @returns {Record<string, object>}
 */
export const mutesAsked = (model, watched, characters, exact = EXACT) =>
  hasManyHeads(model)
    ? { mute_estimates: { ...watched, exact: characters > 4 * LONG ? 0 : exact } }
    : { mute_effects: watched };

/**
 * The effects in an answer. One that was not measured has an estimate in place of the change.
 * @param {TraceJson | null | undefined} trace
 * @param {number} text
 * @returns {import("../types.d.ts").Mutes | null}
 */
export const mutesIn = (trace, text) =>
  trace?.mute_effects?.[text] ?? trace?.mute_estimates?.[text] ?? null;
