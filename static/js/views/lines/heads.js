// Lines: which heads are drawn beside the selected one, what is asked of the API for them, and in which colours. Pure.

import { inputs, isLong, kinds } from "../../asking/requests.js";
import { COLOURS } from "../../draw/color.js";
import { isOfHead, MATRICES } from "../../state/matrices.js";
import { ascending, overlaid, withHeads } from "../../state/overlay.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../types.d.ts").Model} Model */
/** @typedef {import("../../types.d.ts").Answer} Answer */
/** @typedef {import("../../state/overlay.js").Head} Head */
/** @typedef {"ink" | number} Colour the selected head is in ink, an overlaid one in a place of the palette */

/** What of a head is drawn beside the selected one; rollout has no heads. @param {Pick<State, "matrix" | "lacks">} state */
export const tensorOf = ({ matrix, lacks }) =>
  !isOfHead(matrix) ? null : MATRICES[matrix].lines && !lacks[matrix] ? matrix : "pattern";

/**
 * The patterns of the overlaid heads; of a long text, of which the page holds but a picture, that of the selected head, too. The
 * API takes layers and heads apart: what comes is every head of these numbers in every layer of those.
 * @param {Readonly<State>} state
 * @param {Model} model
 * @returns null while nobody looks at them
 */
export function overlayRequest(state, model) {
  if (state.view !== "lines") return null;
  const tensor = tensorOf(state);
  const own = /** @type {Head} */ ([state.layer, state.head]);
  const more = tensor === "pattern" && isLong(state) ? [own] : [];
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

/** Whether the pattern of the selected head came in bytes, or pooled. @param {Answer | null} detail */
export const isPicture = (detail) => detail?.exact !== undefined;

/**
 * The colour of each overlaid head. No colour is ever given to two heads that look alike by accident: past the palette every
 * layer has one, past that as many neighbouring layers as it takes, and the legend says which.
 * @param {Head[]} heads
 * @returns {{by: "head" | "layer" | "layers", colours: number[], groups: {colour: number, name: string}[]}}
 */
export function coloursOf(heads) {
  if (heads.length <= COLOURS) {
    const groups = heads.map((head, colour) => ({ colour, name: nameOf(head) }));
    return { by: "head", colours: heads.map((_, place) => place), groups };
  }
  const layers = ascending(heads.map(([layer]) => layer));
  const each = Math.ceil(layers.length / COLOURS);
  const colours = heads.map(([layer]) => Math.floor(layers.indexOf(layer) / each));
  const groups = ascending(colours).map((colour) => {
    const [first, ...others] = layers.slice(colour * each, (colour + 1) * each);
    const last = others.at(-1);
    const n = colours.filter((one) => one === colour).length;
    const name = last === undefined ? `layer ${first}` : `layers ${first} to ${last}`;
    return { colour, name: `${name}: ${n} ${n === 1 ? "head" : "heads"}` };
  });
  return { by: each === 1 ? "layer" : "layers", colours, groups };
}

/** @param {Head} head */
export const nameOf = ([layer, head]) => `L${layer} · H${head}`;
