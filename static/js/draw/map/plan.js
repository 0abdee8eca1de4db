// What a model consists of, from its description: the stacks that tokens run through, in the order in which they run. Pure.

/** @import { Kind, TokenAxis } from "../../types.d.ts" */
/** @typedef {{kind: Kind, layer: number, n_heads: number}} Attention */
/** @typedef {{layer: number, attention: Attention[]}} Layer */

/**
 * @typedef {object} Stack
 * @property {TokenAxis} axis of the tokens that run through it
 * @property {Kind} kind of its first attention, which tells it from the others
 * @property {Layer[]} layers none: the tokens are read as they are embedded
 * @property {"prediction" | "memory" | "output"} end what comes after the last layer; "memory": cross-attention reads it
 */

/** In the order in which they run, with the kinds of attention in each layer. */
const STACKS = /** @type {const} */ ([
  { axis: "tokens", kinds: ["self"] },
  { axis: "tokens", kinds: ["encoder"] },
  { axis: "target_tokens", kinds: ["decoder", "cross"] },
]);

/**
 * @param {Pick<import("../../types.d.ts").Model, "sites" | "predicts">} model
 * @returns {Stack[]} empty until the model is loaded
 */
export function planOf({ sites, predicts }) {
  const all = sites ?? [];
  const stacks = STACKS.map(({ axis, kinds }) => {
    const attention = kinds.flatMap((kind) => all.filter((site) => site.kind === kind));
    return { axis, kind: attention[0]?.kind ?? kinds[0], layers: layersOf(attention) };
  }).filter(({ layers }) => layers.length > 0);
  const crosses = all.some(({ kind }) => kind === "cross");
  if (crosses && !stacks.some(({ axis }) => axis === "tokens")) {
    stacks.unshift({ axis: "tokens", kind: "encoder", layers: [] });
  }
  return stacks.map((stack, index) => ({
    ...stack,
    end: index < stacks.length - 1 ? "memory" : predicts ? "prediction" : "output",
  }));
}

/** @param {Attention[]} attention @returns {Layer[]} */
function layersOf(attention) {
  const layers = [...new Set(attention.map(({ layer }) => layer))].sort((a, b) => a - b);
  return layers.map((layer) => ({
    layer,
    attention: attention.filter((site) => site.layer === layer),
  }));
}

const MAX_HEADS = 200; // more are not drawn one by one

/**
 * Whether only the selected layer shows its heads one by one.
 * @param {Stack[]} plan
 */
export function folds(plan) {
  const all = plan.flatMap(({ layers }) => layers.flatMap(({ attention }) => attention));
  return all.reduce((sum, { n_heads }) => sum + n_heads, 0) > MAX_HEADS;
}
