// The request of a path map, and the answer that belongs to what is shown. Pure.

import { readAt, saying } from "../../asking/requests.js";
import { modelIn, readsInPlace, traceIn } from "../../state/choice.js";
import { LACKS } from "../../words/lacks.js";

/** @import { Model, State } from "../../types.d.ts" */

const LIMIT = 60; // edges, a run each, as the server has it: with a long text fewer

/** @param {Readonly<State>} state @param {Model} model */
export function pathsRequest(state, model) {
  if (state.view !== "paths" || model.state !== "ready") return null;
  if (!model.predicts || model.lacks) return null;
  const compared = state.rival === "second";
  const rival = compared ? (state.versus ?? secondIn(state)) : null;
  if (compared && rival === null) return null;
  const paths = {
    position: readAt(state, model),
    token: state.token,
    against: rival,
    limit: limitOf(state), // the slider hides weak ones, but asks for nothing again
  };
  return { ...saying(state, model), select: { layers: [] }, predict: null, analyse: { paths } };
}

/** How many edges may be cut: with a long text only as many as the server runs. @param {Readonly<State>} state */
function limitOf(state) {
  const trace = state.detail?.trace;
  const n = [...(trace?.tokens ?? []), ...(trace?.target_tokens ?? [])].flat().length;
  if (!state.most_runs || n === 0) return LIMIT;
  return Math.max(1, Math.min(LIMIT, Math.floor(state.most_runs / n)));
}

/** The likeliest token besides the watched one; null until the predictions are there. @param {Readonly<State>} state */
export function secondIn({ next, shown, token }) {
  const lists = next?.answer?.trace.predictions;
  const list = lists?.[Math.min(shown, lists.length - 1)] ?? [];
  const watched = token ?? list[0]?.id;
  return list.find(({ id }) => id !== watched)?.id ?? null;
}

/** The path map of the text that is shown. @param {Readonly<State>} state */
export function mapIn(state) {
  const trace = traceIn(state.paths, state);
  const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
  const found = trace?.paths?.[text];
  if (!trace || !found) return null;
  return {
    found,
    tokens: (trace.target_tokens ?? trace.tokens)[text],
    fills: readsInPlace(modelIn(state)),
    model: trace.model,
  };
}

/** Why there are no paths of a model; "" if there are. @param {Model} model */
export function lacks(model) {
  if (model.state === "ready" && !model.predicts) return LACKS.paths.prediction;
  return model.lacks ? LACKS.paths.routes(model.name) : "";
}
