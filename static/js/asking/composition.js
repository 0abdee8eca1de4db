// The question about composition, which the view Paths asks, and the map while it draws arcs. Pure.

import { inputs } from "./requests.js";

/** @import { State } from "../types.d.ts" */

/** Whether a view shows composition. @param {Pick<State, "view" | "arcs">} state */
const shows = ({ view, arcs }) => view === "paths" || (view === "map" && arcs !== "off");

/** @param {Readonly<State>} state @param {import("../types.d.ts").Model} model */
export function compositionRequest(state, model) {
  if (!shows(state) || model.state !== "ready" || model.lacks) return null;
  const analyse = { composition: true, weight_composition: true };
  return { ...inputs(state, model), select: { layers: [] }, predict: null, analyse };
}

/** @type {import("./questions.js").Question} */
export const COMPOSITION = { request: compositionRequest, turn: "apart" };
