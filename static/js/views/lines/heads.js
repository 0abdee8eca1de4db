// Lines: which heads are drawn beside the selected one, in which colours, and the request for their numbers. Pure.

import { inputs, isLong, kinds } from "../../asking/requests.js";
import { COLOURS } from "../../draw/color.js";
import { isOfHead, MATRICES } from "../../state/matrices.js";
import { ascending, overlaid, withHeads } from "../../state/overlay.js";
import { shortHeadName } from "../../words/heads.js";
import { groupName } from "./words.js";

/** @import { Answer, Model, State } from "../../types.d.ts" */
/** @import { Head } from "../../state/overlay.js" */
/** @typedef {"ink" | number} Colour "ink": the selected head; a number: the place of an overlaid head in the palette */

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

/** Whether the pattern of the selected head is only a picture: bytes, perhaps pooled. @param {Answer | null} detail */
export const isPicture = (detail) => detail?.exact !== undefined;

/**
 * The colour of each overlaid head. If there are more heads than colours, the heads of a layer share one; if there are more
 * layers than colours, those of several neighbouring layers do. The legend says which.
 * @param {Head[]} heads
 * @returns {{by: "head" | "layer" | "layers", colours: number[], groups: {colour: number, name: string}[]}}
 */
export function coloursOf(heads) {
  if (heads.length <= COLOURS) {
    const groups = heads.map((head, colour) => ({ colour, name: shortHeadName(head) }));
    return { by: "head", colours: heads.map((_, index) => index), groups };
  }
  const layers = ascending(heads.map(([layer]) => layer));
  const each = Math.ceil(layers.length / COLOURS);
  const colours = heads.map(([layer]) => Math.floor(layers.indexOf(layer) / each));
  const groups = ascending(colours).map((colour) => {
    const group = layers.slice(colour * each, (colour + 1) * each);
    const n = colours.filter((one) => one === colour).length;
    return { colour, name: groupName(group[0], group[group.length - 1], n) };
  });
  return { by: each === 1 ? "layer" : "layers", colours, groups };
}
