// What each source token adds to the logit: through all heads, or through one. Pure.

import { modelIn, readsInPlace, traceIn } from "../../state/choice.js";

/** @import { Attribution, Kind, TokenAxis } from "../../types.d.ts" */

/** The kind of a site, by its name. @param {import("../../types.d.ts").Model} model @param {string | null} site @returns {Kind} */
export const kindOfSite = (model, site) =>
  model.sites?.find(({ name }) => name === site)?.kind ?? "self";

/** The tokens that a kind of site has as keys. @param {Kind} kind @returns {TokenAxis} */
const keysOf = (kind) => (kind === "decoder" ? "target_tokens" : "tokens");

/**
 * The sums over heads, for each axis that has keys: only an encoder–decoder has two.
 * @param {Pick<Attribution, "sources">} attribution
 * @param {import("../../types.d.ts").Model} model
 * @param {{kind: Kind, layer: number, head: number} | null} only one head; null: all of them
 * @returns {{axis: TokenAxis, values: number[]}[]}
 */
export function sourcesOf({ sources }, model, only) {
  /** @type {Map<TokenAxis, number[]>} */
  const sums = new Map();
  for (const { site, layer, head, values } of sources) {
    const kind = kindOfSite(model, site);
    if (only && !(only.kind === kind && only.layer === layer && only.head === head)) continue;
    const axis = keysOf(kind);
    const sum = sums.get(axis) ?? values.map(() => 0);
    sums.set(
      axis,
      sum.map((value, key) => value + values[key]),
    );
  }
  return [...sums].map(([axis, values]) => ({ axis, values }));
}

/** The attribution of the text that is shown, with what names it; null until it is there. @param {Readonly<import("../../types.d.ts").State>} state */
export function attributionIn(state) {
  const trace = traceIn(state.attribution, state);
  const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
  const found = trace?.attribution?.[text];
  if (!trace || !found) return null;
  const model = modelIn(state);
  const read = (trace.target_tokens ?? trace.tokens)[text];
  const tokens = { tokens: trace.tokens[text], target_tokens: trace.target_tokens?.[text] ?? [] };
  return { found, model, read, tokens, fills: readsInPlace(model) };
}
