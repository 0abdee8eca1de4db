// Side A of a comparison: what is held there, and how a link stores it. B is the current selection. Pure.

import { NAME as SCRATCH } from "../sources/scratch/settings.js";
import { fit, matricesOf, modelIn } from "./choice.js";
import { OWN_MASKS } from "./masks.js";
import { excessTokens } from "./matrices.js";
import { same } from "./same.js";

/** @typedef {import("../types.d.ts").Against} Against */
/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").Matrix} Matrix */
/** @typedef {import("../types.d.ts").Side} Side */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").State} State */

const WITHOUT = "without"; // in a link: the parameters that B has and A does not

/** The current selection, to be held as A. @param {Choice} choice @returns {Against} */
export function heldOf(choice) {
  const { model, scratch, texts, targets, pairs, masks, muted, kind, layer, head, shown } = choice;
  return {
    ...{ model, scratch, texts, targets, pairs, masks, muted, kind, layer, head, shown },
    transposed: false,
  };
}

/** The same head with keys and queries exchanged: what j gives i, beside what i gives j. @param {Choice} choice @returns {Against} */
export const transposeOf = (choice) => ({ ...heldOf(choice), transposed: true });

/** The same head before the last change of masks, mutes or settings; null if nothing has changed. @param {Readonly<State>} state */
export function beforeOf(state) {
  const before = state.past.at(-1);
  if (!before) return null;
  const { masks, muted, scratch, texts } = before;
  const held = { ...heldOf(state), ...texts, masks, muted, scratch };
  return { ...held, shown: Math.min(held.shown, held.texts.length - 1) };
}

/** The same head of the unedited model. The side of the padding stays: it is not a mask. @param {Choice} choice @returns {Against} */
export const uneditedOf = (choice) => ({
  ...heldOf(choice),
  masks: { ...OWN_MASKS, padding_side: choice.masks.padding_side },
  muted: [],
});

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
    ...{ query: choice.query, against: { ...heldOf(state), transposed } },
    ...fit(choice, modelIn({ models, ...against })),
  };
}

/**
 * Changes that make A fit its model, once the model is known. An A that fits keeps its identity, so nothing looks changed.
 * @param {Readonly<State>} state
 * @returns {Partial<State>}
 */
export function fitted(state) {
  const { against, models } = state;
  if (!against) return {};
  if (!models.some(({ name }) => name === against.model)) return { against: null };
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
export const sameTokens = (a, b) =>
  same(
    [a.model, readBy(a), a.texts, a.targets, a.pairs, a.shown, a.masks.padding_side],
    [b.model, readBy(b), b.texts, b.targets, b.pairs, b.shown, b.masks.padding_side],
  );

/** How texts are cut into tokens, if that is a setting. @param {Side} side */
const readBy = ({ model, scratch }) => (model === SCRATCH ? (scratch.tokens ?? "words") : null);

/**
 * What a link stores of A: only what differs from B.
 * @param {string} held the query string of A alone
 * @param {string} now the query string of B alone
 */
export function written(held, now) {
  const [a, b] = [new URLSearchParams(held), new URLSearchParams(now)];
  const query = new URLSearchParams();
  for (const key of new Set(a.keys())) {
    if (same(a.getAll(key), b.getAll(key))) continue;
    for (const value of a.getAll(key)) query.append(key, value);
  }
  const without = [...new Set(b.keys())].filter((key) => !a.has(key));
  if (without.length > 0) query.set(WITHOUT, without.join(","));
  return query.toString();
}

/**
 * The query string of A alone, read from a link that stores both.
 * @param {string} search
 * @param {string} changes what the link stores of A
 */
export function read(search, changes) {
  const query = new URLSearchParams(patched(search, changes));
  query.delete("against"); // A is not a comparison itself
  return `?${query}`;
}

/**
 * A link with some parameters replaced, and those that `without` lists removed.
 * @param {string} search
 * @param {string} changes a query string
 */
export function patched(search, changes) {
  const [query, changed] = [new URLSearchParams(search), new URLSearchParams(changes)];
  for (const key of (changed.get(WITHOUT) ?? "").split(",")) query.delete(key);
  changed.delete(WITHOUT);
  for (const key of new Set(changed.keys())) {
    query.delete(key);
    for (const value of changed.getAll(key)) query.append(key, value);
  }
  return `?${query}`;
}
