// Which places of the map the rest of the page reads: the last view of a head, and the open tab beside it. Pure.

import { isOfHead, MATRICES } from "../../state/matrices.js";
import { PANELS } from "../../state/panels.js";
import { VIEWS } from "../../state/views.js";
import { WRITTEN } from "./words.js";

/** @import { State, View } from "../../types.d.ts" */
/** @import { Place } from "../../draw/map/layout.js" */

/** The names of the numbers that a view draws. @param {View} view @param {State["matrix"]} matrix */
export const readBy = (view, matrix) =>
  VIEWS.filter(({ name }) => name === view).flatMap(({ reads }) =>
    reads.map((name) =>
      name === "matrix" ? MATRICES[matrix].label.toLowerCase() : name === "result" ? WRITTEN : name,
    ),
  );

/** What the open panel beside the heads reads. @param {State["right"] | null} panel @returns {readonly Place["kind"][]} */
const readByPanel = (panel) => PANELS.find(({ name }) => name === panel)?.reads ?? [];

/**
 * @param {Pick<State, "kind" | "layer" | "head" | "matrix">} state
 * @param {{view: View, tab: State["right"] | null}} reading the last view before the map, and the open tab; null: there are none
 * @param {Place} place
 */
export function isRead({ kind, layer, head, matrix }, { view, tab }, place) {
  if (readByPanel(tab).includes(place.kind)) return true;
  if (place.kind !== "head" && place.kind !== "heads") return false;
  if (place.site !== kind) return false;
  const ofAll =
    !isOfHead(matrix) && readBy(view, matrix).includes(MATRICES[matrix].label.toLowerCase());
  return ofAll || (place.at === layer && (place.kind === "heads" || place.head === head));
}
