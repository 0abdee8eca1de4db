// The request for the numbers of the heads that are drawn beside the selected one. Pure.

import { inputs, isLong, kinds } from "../../asking/requests.js";
import { isOfHead, MATRICES } from "../../state/matrices.js";
import { ascending, overlaid, withHeads } from "../../state/overlay.js";

/** @import { Model, State } from "../../types.d.ts" */
/** @import { Head } from "../../state/overlay.js" */

/** Which tensor of the other heads is drawn; null: the selected matrix covers all heads at once. @param {Pick<State, "matrix" | "lacks">} state */
export const tensorOf = ({ matrix, lacks }) =>
  !isOfHead(matrix) ? null : MATRICES[matrix].lines && !lacks[matrix] ? matrix : "pattern";

/**
 * The numbers of the overlaid heads, and of the selected head if the text is so long that the page only has a picture of it. The
 * API takes a list of layers and a list of heads, so the answer has every combination of them.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null if the view is hidden or needs no numbers of its own
 */
export function overlayRequest(state, model) {
  if (state.view !== "lines") return null;
  const tensor = tensorOf(state);
  const selected = /** @type {Head} */ ([state.layer, state.head]);
  const more = tensor === "pattern" && isLong(state) ? [selected] : [];
  const heads = withHeads(overlaid(state, model), more);
  if (heads.length === 0 || !tensor) return null;
  return {
    ...inputs(state, model),
    select: {
      tensors: [tensor],
      layers: ascending(heads.map(([layer]) => layer)),
      ...kinds(state),
      heads: ascending(heads.map(([, head]) => head)),
    },
    predict: null,
  };
}
