// The request that takes the selected cell apart, and which cell that is. Pure.

import { analysis } from "../../asking/requests.js";
import { detailOf } from "../../numbers/detail.js";
import { rowOf } from "../../numbers/explain/row.js";
import { codeOf, partOf } from "../../state/address/parts.js";
import { LACKS } from "../../words/lacks.js";

/** @import { Part, State } from "../../types.d.ts" */
/** @import { PartSide } from "../../state/address/parts.js" */

/**
 * The selected cell: the row that is read, and the chosen key, or else the one with the largest weight.
 * @param {Readonly<State>} state
 * @returns {{query: number, key: number, n: number} | null} null until the head has arrived
 */
export function cellOf(state) {
  const detail = detailOf(state);
  if (!detail) return null;
  const { row: query, keys } = detail;
  const usual = state.key ?? rowOf(detail, query)?.strongest ?? query;
  return { query, key: Math.min(usual, keys.length - 1), n: keys.length };
}

/** The key before or after. @param {Readonly<State>} state @param {number} by @returns {Partial<State> | null} */
export function keyBy(state, by) {
  const cell = cellOf(state);
  return cell && { key: Math.max(0, Math.min(cell.n - 1, cell.key + by)) };
}

/**
 * The parts that are switched off and that the selected site can have: those of later layers wait until one of these is selected.
 * @param {Pick<State, "off" | "layer" | "kind">} state
 * @param {string} site
 */
export const offIn = ({ off, layer, kind }, site) =>
  off.flatMap((code) => {
    const found = partOf(code);
    if (!found) return [];
    const { part } = found;
    const before = part.layer === null || part.layer < layer || part.site === site;
    return before || kind === "cross" ? [{ ...found, code }] : [];
  });

/** Switch parts on or off: off unless all of them are. @param {readonly string[]} off @param {string[]} codes */
export function switched(off, codes) {
  const all = codes.every((code) => off.includes(code));
  const others = off.filter((code) => !codes.includes(code));
  return all ? others : [...others, ...codes];
}

/** The codes of a part on one side or on both. @param {PartSide} side @param {Part} part @param {boolean} both whether the other side has it, too */
export const codesOf = (side, part, both) =>
  (both ? /** @type {const} */ (["query", "key"]) : [side]).map((one) => codeOf(one, part));

/**
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").Model} model
 * @param {boolean} isCurrent whether the picture shows the current selection
 * @returns {object | null} null if the view is hidden, the cell is not known yet, or the model gives no q and k
 */
export function whyRequest(state, model, isCurrent) {
  if (state.view !== "why" || !model.tensors?.includes("q") || !isCurrent) return null;
  const cell = cellOf(state);
  const detail = detailOf(state);
  if (!cell || !detail) return null;
  const { site, text } = detail;
  const without = offIn(state, site.name).map(({ side, part }) => ({ part, side }));
  return analysis(state, model, {
    cell: {
      layer: state.layer,
      head: state.head,
      kind: site.kind,
      text,
      query: cell.query,
      key: cell.key,
      without,
    },
  });
}

/** Why no score of a model can be taken apart; "" if it can. @param {import("../../types.d.ts").Model} model */
export const lacks = (model) =>
  model.state === "ready" && !model.tensors.includes("q") ? LACKS.why.q : "";
