// What the inside of a head asks of the API: every step of every row; of a long text, of the row that is read, and k and v of
// every key.

import { inputs, isLong, kinds } from "../../asking/requests.js";
import { detailOf } from "../../numbers/detail.js";

/** @typedef {import("../../types.d.ts").State} State */

const ROW = ["q", "k", "v", "scores", "pattern", "z", "blocked_by"];

/**
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").Model} model
 * @param {boolean} stands whether the picture is of what is selected now
 * @returns null while nobody looks at it, the head is not known yet, or the model gives patterns only
 */
export function insideRequest(state, model, stands) {
  if (state.view !== "inside" || !model.tensors?.includes("q")) return null;
  const detail = detailOf(state);
  const long = isLong(state);
  if (!detail || (long && !stands)) return null;
  const { row, site } = detail;
  // what a site adds to the scores is the same kind of thing in all sites of a model
  if (state.detail?.trace.model !== state.model || site.kind !== state.kind) return null;
  return {
    ...inputs(state, model),
    select: {
      tensors: [
        ...ROW,
        ...(site.has_bias ? ["bias"] : []),
        ...(model.tensors.includes("result") ? ["result"] : []),
      ],
      layers: [state.layer],
      ...kinds(state),
      heads: [state.head],
      // a share over queries is known only from the whole column
      ...(long && site.softmax_over === "key" ? { rows: [row, row + 1] } : {}),
    },
    predict: null,
  };
}
