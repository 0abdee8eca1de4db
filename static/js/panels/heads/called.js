// What the grid calls a head: the words under its thumbnail.

import { calledInText } from "../../words/heads.js";
import { ranked } from "../../words/labels.js";
import { scoresBy } from "./between.js";

/** @import { State } from "../../types.d.ts" */
/** @typedef {{layer: number, head: number}} Place */

/** The label of a head; "" if it has none, or if the page keeps it to itself. @param {Readonly<State>} state @param {Place} place */
export function labelIn(state, { layer, head }) {
  const rows = ranked(scoresBy(state) ?? [], state.find);
  const row = rows.find((one) => one.layer === layer && one.head === head);
  return state.find === null ? (row?.label.name ?? "") : "";
}

/** A head in a sentence, by its label if it has one. @param {Readonly<State>} state @param {Place} place */
export const calledIn = (state, place) =>
  calledInText({ label: labelIn(state, place), kind: state.kind, ...place });
