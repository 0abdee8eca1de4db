// What is selected, in plain values for the host of a frame. Pure.

import { detailOf } from "../../numbers/detail.js";

/** @import { State } from "../../types.d.ts" */

/**
 * @param {Readonly<State>} state
 * @returns null until there is an answer for it
 */
export function selectionOf(state) {
  const detail = detailOf(state);
  if (!detail) return null;
  const { model, kind, layer, head, view, key } = state;
  const { text, row, queries, keys } = detail;
  const at = (/** @type {{text: string}[]} */ tokens, /** @type {number} */ position) => ({
    position,
    token: tokens[position].text,
  });
  return {
    model,
    kind,
    layer,
    head,
    view,
    text,
    query: at(queries, row),
    key: key !== null && key < keys.length ? at(keys, key) : null,
  };
}
