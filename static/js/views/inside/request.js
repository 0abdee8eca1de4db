// The request of the inside of a head: every step of every row; if the text is long, every step of the current row, with k and v
// of every key. Pure.

import { inputs, isLong, kinds } from "../../asking/requests.js";
import { detailOf } from "../../numbers/detail.js";
import { LACKS } from "../../words/lacks.js";

/** @import { State } from "../../types.d.ts" */

const ROW = ["q", "k", "v", "scores", "pattern", "z", "blocked_by"];

/**
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").Model} model
 * @param {boolean} isCurrent whether the picture shows the current selection
 * @returns null if neither the view nor the drawer below the picture is shown, the head is not known yet, or the model only gives patterns
 */
export function insideRequest(state, model, isCurrent) {
  const isShown = state.view === "inside" || state.drawer;
  if (!isShown || !model.tensors?.includes("q")) return null;
  const detail = detailOf(state);
  const long = isLong(state);
  if (!detail || (long && !isCurrent)) return null;
  const { row, site } = detail;
  // whether a site has a bias or a gate is the same for all sites of a kind in a model
  if (state.detail?.trace.model !== state.model || site.kind !== state.kind) return null;
  return {
    ...inputs(state, model),
    select: {
      tensors: [
        ...ROW,
        ...(site.has_bias ? ["bias"] : []),
        ...(site.has_gate ? ["gate"] : []),
        ...(isSigned(site) ? ["hidden"] : []),
        ...(model.tensors.includes("result") ? ["result"] : []),
      ],
      layers: [state.layer],
      ...kinds(state),
      heads: [state.head],
      // a softmax over queries needs the whole column
      ...(long && site.softmax_over === "key" ? { rows: [row, row + 1] } : {}),
    },
    predict: null,
  };
}

/** Whether there is no softmax, so that weights have signs. @param {Pick<import("../../types.d.ts").Site, "kernel">} site */
export const isSigned = ({ kernel }) => kernel === "product";

/** Why there is nothing to see of a model; "" if there is something. @param {import("../../types.d.ts").Model} model */
export function lacks(model) {
  if (model.state !== "ready" || model.tensors.includes("q")) return "";
  return model.lacks ? LACKS.inside.heads(model.lacks) : LACKS.inside.q;
}
