// Side A of a comparison: what is held there. B is the current selection. Pure.

import { sourceOf } from "../sources/sources.js";
import { keysOf } from "./address.js";
import { fit, matricesOf, modelIn, ownCausal } from "./choice.js";
import { partnerOf } from "./clean.js";
import { lacksHead } from "./fitting/missing.js";
import { OWN_MASKS } from "./masks.js";
import { excessTokens } from "./matrices.js";
import { same } from "./store.js";

/** @import { Against, Choice, Matrix, Model, Mute, Side, State } from "../types.d.ts" */

/** Everything that a picture of one head depends on. */
export const SIDE_KEYS = keysOf("input", "edit", "head");

/** The current selection, to be held as A. @param {Choice} choice @returns {Against} */
export function heldOf(choice) {
  const side = Object.fromEntries(SIDE_KEYS.map((key) => [key, choice[key]]));
  return /** @type {Against} */ ({ ...side, transposed: false });
}

/** The same head with keys and queries exchanged: what j gives i, beside what i gives j. @param {Choice} choice @returns {Against} */
export const transposeOf = (choice) => ({ ...heldOf(choice), transposed: true });

const EDITED = keysOf("edit");
const WITH_TEXTS = [
  ...EDITED,
  .../** @type {const} */ (["texts", "targets", "pairs", "special_tokens"]),
];

/** The same head before the last change of masks, mutes or settings; null if nothing has changed in this model. @param {Choice & Pick<State, "past">} state */
export function beforeOf(state) {
  const step = state.past.findLast(
    ({ edits, before, after }) => edits || before.model !== after.model,
  );
  if (!step || step.before.model !== state.model) return null;
  const { before, after } = step;
  // a change that replaced the texts, too, is compared with the texts of then
  const keys = before.texts === after.texts ? EDITED : WITH_TEXTS;
  const held = { ...heldOf(state), ...Object.fromEntries(keys.map((key) => [key, before[key]])) };
  return { ...held, shown: Math.min(held.shown, held.texts.length - 1) };
}

/** All that may change every pattern. */
const ELSEWHERE = /** @type {(keyof Against)[]} */ (WITH_TEXTS.filter((key) => key !== "muted"));
/** Whether a kind of sites belongs to an encoder, which runs first, or to a decoder; in its layers, `cross` comes last. */
const STAGES = { self: 0, encoder: 0, decoder: 1, cross: 1 };

/**
 * Whether the selected head may look elsewhere than A does. A mute changes what later layers read, and no pattern before them, its own included.
 * @param {Choice} choice
 * @param {Against} against the same head with other edits
 */
export function mayLookElsewhere(choice, against) {
  const held = heldOf(choice);
  if (ELSEWHERE.some((key) => !same(held[key], against[key]))) return true;
  const [now, then] = [choice.muted, against.muted];
  const lacking = (/** @type {Mute[]} */ list, /** @type {Mute[]} */ from) =>
    from.filter((mute) => !list.some((one) => same(one, mute)));
  return [...lacking(then, now), ...lacking(now, then)].some(
    ([layer, , kind = choice.kind === "self" ? "self" : "encoder"]) => {
      const stages = STAGES[choice.kind] - STAGES[kind];
      const isBeside = layer === choice.layer && kind === "decoder" && choice.kind === "cross";
      return stages > 0 || (stages === 0 && (layer < choice.layer || isBeside));
    },
  );
}

/** The same head of the unedited model. The side of the padding stays: it is not a mask. @param {Choice} choice @returns {Against} */
export const uneditedOf = (choice) => ({
  ...heldOf(choice),
  masks: { ...OWN_MASKS, padding_side: choice.masks.padding_side },
  muted: [],
  interventions: [],
});

/**
 * Open a view. A comparison opens with something to compare: what was before the last change, or else the same head of the unedited model, or
 * without its causal mask, or else its neighbour; patching with the partner of a known sentence.
 * @param {Choice & Pick<State, "models" | "past">} state
 * @param {State["view"]} view
 * @returns {Partial<Choice>}
 */
export function opening(state, view) {
  if (view === "patch" && !state.clean.trim()) {
    return { view, clean: partnerOf(state.texts[Math.min(state.shown, state.texts.length - 1)]) };
  }
  if (view !== "compare" || state.against) return { view };
  const held = heldOf(state);
  const unmasked = { ...held, masks: { ...held.masks, causal: false } };
  const own = ownCausal(state);
  const isMasked = (state.masks.causal ?? own) === true && !modelIn(state).lacks;
  const beside = { ...held, head: state.head > 0 ? state.head - 1 : state.head + 1 };
  const unedited = uneditedOf(state);
  const another = isMasked && state.kind !== "cross" ? unmasked : beside;
  // the model's own mask by name is no edit
  const masks = {
    ...held.masks,
    causal: held.masks.causal === (own ?? true) ? null : held.masks.causal,
  };
  const against = beforeOf(state) ?? (same(unedited, { ...held, masks }) ? another : unedited);
  return lacksHead(against, modelIn(state)) ? { view } : { view, against };
}

/** Show a comparison with A. @param {Against} against @returns {Partial<State>} */
export const comparing = (against) => ({ against, view: "compare" });

/**
 * What the shortcut does: compare with the state before the last change; if that is shown already, or nothing has changed,
 * hold the current selection.
 * @param {Readonly<State>} state
 */
export function pressed(state) {
  const before = beforeOf(state);
  return comparing(before && !shows(state, before) ? before : heldOf(state));
}

/** Whether a comparison with this A is on screen. @param {Readonly<State>} state @param {Against} against */
export const shows = (state, against) =>
  state.view === "compare" && state.against !== null && same(state.against, against);

/**
 * Swap A and B: A becomes the selection, and the selection is held.
 * @param {Readonly<State>} state
 * @returns {Partial<State>}
 */
export function swapped(state) {
  const { against } = state;
  if (!against) return {};
  const choice = { ...state, ...against, query: sameTokens(state, against) ? state.query : null };
  const { models } = state;
  const { transposed, ...selected } = against;
  return {
    ...selected,
    query: choice.query,
    against: { ...heldOf(state), transposed },
    ...(against.model === state.model ? {} : { token: null }),
    ...fit(choice, modelIn({ models, ...against })),
  };
}

/**
 * Changes that make A fit its model, once the model is known. An A that fits keeps its identity, so nothing looks changed; an A of a
 * model or a head that the server does not have is dropped.
 * @param {Choice & {models: Model[]}} state
 * @returns {Partial<State>}
 */
export function fitted(state) {
  const { against, models } = state;
  if (!against) return {};
  if (!models.some(({ name }) => name === against.model)) return { against: null };
  if (lacksHead(against, modelIn({ models, ...against }))) return { against: null };
  const { transposed } = against;
  const choice = { ...state, ...against };
  const fits = {
    ...heldOf({ ...choice, ...fit(choice, modelIn({ models, ...against })) }),
    transposed,
  };
  return same(fits, against) ? {} : { against: fits };
}

/**
 * The matrix to compare: the selected one if A has it too, else the pattern.
 * @param {Readonly<State>} state
 * @returns {Matrix}
 */
export function comparedIn(state) {
  const { against, models, matrix } = state;
  if (!against) return matrix;
  const model = modelIn({ models, ...against });
  const isThere = matricesOf(model, against.kind).includes(matrix) && excessTokens(state) === null;
  return isThere ? matrix : "pattern";
}

/**
 * Whether a position means the same token on both sides: the same texts, read by the same model, padded alike.
 * @param {Side} a
 * @param {Side} b
 */
export const sameTokens = (a, b) => same(readOf(a), readOf(b));

/** @param {Side} side */
const readOf = (side) => [
  side.model,
  tokenizationOf(side),
  side.texts,
  side.targets,
  side.pairs,
  side.special_tokens,
  side.shown,
  side.masks.padding_side,
];

/** How texts are split into tokens, if that is a setting of the source. @param {Side} side */
function tokenizationOf(side) {
  const source = sourceOf(side.model);
  return source ? source.tokenization(side[source.name]) : null;
}
