// What a row predicts, and how that moves when the head is muted, or was edited. Pure, but that it remembers what mutes told.

import { isMuted, modelIn } from "../../state/choice.js";
import { strongestLook } from "../between.js";
import { mutesIn } from "../mutes.js";

/** @import { Asked, Listed, MuteEffect, State } from "../../types.d.ts" */
/** @typedef {{token: Listed, position: number}} Watched the token that is watched, and the position where it is predicted */

/** An answer that belongs to the current choice. @param {Pick<State, "model">} state @param {Asked | null} asked */
function current({ model }, asked) {
  const trace = asked?.status === "ready" ? asked.answer?.trace : null;
  return trace?.model === model ? trace : null;
}

/** @param {import("../../types.d.ts").TraceJson} trace @param {number} shown */
const textIn = (trace, shown) => Math.min(shown, trace.tokens.length - 1);

/**
 * The token that the reader watches, or else the likeliest.
 * @param {Readonly<State>} state
 * @returns {Watched | null} null while there is no prediction
 */
export function watchedIn(state) {
  const { next, shown, token } = state;
  const trace = modelIn(state).predicts ? current(state, next) : null;
  const text = trace ? textIn(trace, shown) : 0;
  const listed = trace?.predictions?.[text];
  const position = trace?.predicted_at?.[text];
  if (!listed?.length || position === undefined) return null;
  return { token: listed.find(({ id }) => id === token) ?? listed[0], position };
}

/**
 * The token that tells what the reader's changes did: the watched one, or else the one that was the likeliest before.
 * @param {Readonly<State>} state
 * @returns {{token: Listed, before: number} | null} null if nothing was changed
 */
export function changedIn(state) {
  const { next, shown, token: watched } = state;
  const trace = modelIn(state).predicts ? current(state, next) : null;
  const listed = trace?.predictions?.[textIn(trace, shown)] ?? [];
  const known = listed.flatMap((token) =>
    token.unedited === null ? [] : { token, before: token.unedited },
  );
  const likeliest = known.toSorted((a, b) => b.before - a.before)[0] ?? null;
  return known.find(({ token }) => token.id === watched) ?? likeliest;
}

/**
 * The probability of the watched token with the selected head muted, or, if it is muted, without that.
 * @param {Readonly<State>} state
 * @returns {number | null} null until there is an answer
 */
export function mutedTo(state) {
  const watched = watchedIn(state);
  const trace = current(state, state.muting);
  if (!watched || !trace || modelIn(state).lacks) return null;
  const listed = trace.predictions?.[textIn(trace, state.shown)];
  return listed?.find(({ id }) => id === watched.token.id)?.probability ?? null;
}

/** What muting each head does to the watched token; null if it is not known, or not asked for. @param {Readonly<State>} state */
function mutesNow(state) {
  const { right, temperature, shown } = state;
  if (right !== "effects" || temperature !== 1) return null; // the effects are of the model's own probabilities
  const watched = watchedIn(state);
  const trace = current(state, state.effects);
  const found = trace && mutesIn(trace, textIn(trace, shown));
  return watched && found?.token.id === watched.token.id ? found : null;
}

/** The probability without each head that was selected since, by the answer that may only estimate it. @type {WeakMap<object, Map<string, number>>} */
const known = new WeakMap();

/**
 * What mutes of single heads have told of the token of an answer since it came; the selected head is among them once its own mute is answered.
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").Mutes} answer
 * @returns {ReadonlyMap<string, number>} by `placeOf`
 */
export function toldSince(state, answer) {
  const told = known.get(answer) ?? new Map();
  known.set(answer, told);
  const { kind, layer, head, temperature } = state;
  if (temperature !== 1) return told; // an answer has the model's own probabilities
  const [watched, after] = [watchedIn(state), mutedTo(state)];
  const isOfNow = state.effects?.status === "ready" && !isMuted(state.muted, kind, layer, head);
  const isSame = watched?.position === answer.position && watched.token.id === answer.token.id;
  if (after && isOfNow && isSame) told.set(placeOf(state), after);
  return told;
}

/** @param {{kind: string, layer: number, head: number}} head */
export const placeOf = ({ kind, layer, head }) => `${kind} ${layer}.${head}`;

const LOOKS = 0.25; // the least weight of a head that looks at a token

/**
 * Where the watched token stands in the text already: of the heads that look at it most of all there, the one that the token needs most, as
 * far as they were muted, or else by their estimates.
 * @param {Readonly<State>} state
 * @param {number} least by how much its probability falls without the head
 * @returns {(Pick<MuteEffect, "kind" | "layer" | "head"> & {probability: number, weight: number}) | null} `probability` may be an estimate
 */
export function copierIn(state, least) {
  const { grid, shown, kind } = state;
  const found = mutesNow(state);
  if (!found || !grid) return null;
  const { token, position, effects } = found;
  const name = token.text.trim().toLowerCase();
  const told = toldSince(state, found);
  const heads = effects.flatMap(({ layer, head, ...one }) => {
    const change = one.change ?? one.estimate ?? null;
    if (change === null || one.kind !== kind) return [];
    const probability =
      told.get(placeOf({ layer, head, kind })) ?? token.probability * Math.exp(change);
    const look = strongestLook(grid, { shown, layer, head }, position);
    const isThere = look && look.weight >= LOOKS && look.token.text.trim().toLowerCase() === name;
    if (!isThere || token.probability - probability < least) return [];
    return [{ kind, layer, head, probability, weight: look.weight }];
  });
  return heads.toSorted((a, b) => a.probability - b.probability)[0] ?? null;
}

/**
 * The head without which the watched token loses most, and what is left of the token.
 * @param {Readonly<State>} state
 * @returns {(Pick<MuteEffect, "kind" | "layer" | "head"> & {probability: number, among: {n: number, all: number} | null}) | null} null
 *   if the effects are not known, or no head helps the token; `among`: how many of all heads were muted, if the others are only estimated
 */
export function carrierIn(state) {
  const found = mutesNow(state);
  if (!found) return null;
  const best = found.effects.reduce(
    (/** @type {MuteEffect | null} */ best, one) =>
      one.change !== null && one.change < (best?.change ?? 0) ? one : best,
    null,
  );
  if (!best) return null;
  const { kind, layer, head, change } = best;
  const isPart = found.effects.some((one) => one.change === null && one.estimate != null);
  const n = found.effects.filter((one) => one.change !== null).length;
  const among = isPart ? { n, all: found.effects.length } : null;
  const probability = found.token.probability * Math.exp(Number(change));
  return { kind, layer, head, probability, among };
}
