// The heads that the reader draws together with the selected one. Pure.

import { siteAt } from "./choice.js";

/** @import { Model, State } from "../types.d.ts" */
/** @typedef {[layer: number, head: number]} Head */

/**
 * The overlaid heads that the model has.
 * @param {Pick<State, "overlay" | "kind">} state
 * @param {Pick<Model, "sites">} model
 */
export function overlaid({ overlay, kind }, model) {
  return overlay.filter(([layer, head]) => head < (siteAt(model, kind, layer)?.n_heads ?? 0));
}

/** @param {Head[]} heads @param {Head[]} more heads already in the list keep their place */
export function withHeads(heads, more) {
  const held = new Set(heads.map(String));
  return [...heads, ...more.filter((head) => !held.has(String(head)))];
}

/** @param {Head[]} heads @param {Head} one */
export const withoutHead = (heads, one) => heads.filter((head) => String(head) !== String(one));

/** @param {Head[]} heads @param {Head} one */
export const toggled = (heads, one) => {
  const others = withoutHead(heads, one);
  return others.length < heads.length ? others : [...heads, one];
};

/** Sorted, without repetitions. @param {number[]} numbers */
export const ascending = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);
