// Lines: which heads are drawn beside the selected one, what is asked of the API for them, and in which colours. Pure.

import { inputs, isLong, kinds } from "../../asking/requests.js";
import { COLOURS } from "../../draw/color.js";
import { matrixOf } from "../../numbers/matrix.js";
import { sitesOf } from "../../state/choice.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../types.d.ts").Model} Model */
/** @typedef {import("../../types.d.ts").Answer} Answer */
/** @typedef {import("../../types.d.ts").Token} Token */
/** @typedef {[layer: number, head: number]} Head */
/** @typedef {"ink" | number} Colour the selected head is in ink, an overlaid one in a place of the palette */
/** @typedef {{rows: number, cols: number, data: Float32Array}} Numbers */

/**
 * The overlaid heads that the model has.
 * @param {Pick<State, "overlay" | "kind">} state
 * @param {Pick<Model, "sites">} model
 */
export function overlaid({ overlay, kind }, model) {
  const sites = sitesOf(model, kind);
  return overlay.filter(([layer, head]) => head < (sites[layer]?.n_heads ?? 0));
}

/** What of a head is drawn beside the selected one; rollout has no heads. @param {Pick<State, "matrix" | "lacks">} state */
export const tensorOf = ({ matrix, lacks }) =>
  matrix === "rollout" ? null : matrix === "norms" && !lacks.norms ? "norms" : "pattern";

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

/** Each once. @param {number[]} numbers */
const ascending = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);

/**
 * The matrix of one head in an answer.
 * @param {Answer | null | undefined} answer
 * @param {Head} head
 * @param {string} kind
 * @param {string} tensor
 * @param {number} text
 * @returns {Numbers | null} null: it is not in it
 */
export function matrixIn(answer, [layer, head], kind, tensor, text) {
  const site = answer?.trace.sites.find((one) => one.layer === layer && one.kind === kind);
  const place = site?.heads.indexOf(head) ?? -1;
  const found = answer?.tensors.get(`${site?.name}.${tensor}`);
  if (place < 0 || !found || text >= found.shape[0]) return null;
  return /** @type {Numbers} */ (matrixOf(found, text, place));
}

/**
 * Whether an answer is of the same tokens: one that belongs to another text must not be drawn over this one.
 * @param {Answer | null | undefined} answer
 * @param {Answer | null} detail
 */
export function sameTokens(answer, detail) {
  /** @param {Answer | null | undefined} one */
  const ids = (one) =>
    JSON.stringify([one?.trace.tokens, one?.trace.target_tokens ?? []].map(idsOf));
  return Boolean(answer && detail) && ids(answer) === ids(detail);
}

/** @param {Token[][] | undefined} texts */
const idsOf = (texts) => (texts ?? []).map((tokens) => tokens.map(({ id }) => id));

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

/** @param {Head[]} heads @param {Head[]} more those that are there already stay where they are */
export function withHeads(heads, more) {
  const held = new Set(heads.map(String));
  return [...heads, ...more.filter((head) => !held.has(String(head)))];
}

/** @param {Head[]} heads @param {Head} one */
export const withoutHead = (heads, one) => heads.filter((head) => String(head) !== String(one));

/** @param {Head[]} heads @param {Head} one */
export const toggled = (heads, one) => {
  const others = withoutHead(heads, one);
  return others.length < heads.length ? others : [...heads, one];
};
