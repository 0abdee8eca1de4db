// The A of a comparison: what is held, and how a link keeps it. B is what is looked at now. Pure.

import { fit, matricesOf, modelIn } from "./choice.js";
import { OWN_MASKS } from "./masks.js";
import { NAME as SCRATCH } from "./scratch/settings.js";

/** @typedef {import("../types.d.ts").Against} Against */
/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").Matrix} Matrix */
/** @typedef {import("../types.d.ts").Side} Side */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").State} State */

const WITHOUT = "without"; // in a link: the keys that A does not have and B has

/** What is looked at now, to be held. @param {Choice} choice @returns {Against} */
export function heldOf(choice) {
  const { model, scratch, texts, targets, pairs, masks, muted, kind, layer, head, shown } = choice;
  return {
    ...{ model, scratch, texts, targets, pairs, masks, muted, kind, layer, head, shown },
    transposed: false,
  };
}

/** The same head, keys and queries exchanged: what j gives i beside what i gives j. @param {Choice} choice @returns {Against} */
export const transposeOf = (choice) => ({ ...heldOf(choice), transposed: true });

/** The same head before the last change of masks, mutes or settings; null: there was none. @param {Readonly<State>} state */
export function beforeOf(state) {
  const before = state.past.at(-1);
  if (!before) return null;
  const { masks, muted, scratch, texts } = before;
  const held = { ...heldOf(state), ...texts, masks, muted, scratch };
  return { ...held, shown: Math.min(held.shown, held.texts.length - 1) };
}

/** The same head of the model as it is. The side of the padding is not a mask. @param {Choice} choice @returns {Against} */
export const uneditedOf = (choice) => ({
  ...heldOf(choice),
  masks: { ...OWN_MASKS, padding_side: choice.masks.padding_side },
  muted: [],
});

/** Show a comparison with something. @param {Against} against @returns {Partial<State>} */
export const comparing = (against) => ({ against, view: "compare" });

/**
 * One key for both: with what was before the last change, or, where that is shown or there is none, hold what is seen now.
 * @param {Readonly<State>} state
 */
export function pressed(state) {
  const before = beforeOf(state);
  return comparing(before && !shows(state, before) ? before : heldOf(state));
}

/** Whether a comparison with it is what stands there. @param {Readonly<State>} state @param {Against} against */
export const shows = (state, against) =>
  state.view === "compare" && state.against !== null && same(state.against, against);

/**
 * A becomes what is looked at, and what was looked at is held.
 * @param {Readonly<State>} state
 * @returns {Partial<State>}
 */
export function swapped(state) {
  const { against } = state;
  if (!against) return {};
  const choice = { ...state, ...against, query: sameTokens(state, against) ? state.query : null };
  const { models } = state;
  const { transposed, ...looked } = against;
  return {
    ...looked,
    ...{ query: choice.query, against: { ...heldOf(state), transposed } },
    ...fit(choice, modelIn({ models, ...against })),
  };
}

/**
 * What of A does not fit its model, as far as the model is known. An A that fits stays the one that it is.
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
 * The matrix that is compared: what is shown, where A has it too.
 * @param {Readonly<State>} state
 * @returns {Matrix}
 */
export function comparedIn({ against, models, matrix }) {
  if (!against) return matrix;
  const model = modelIn({ models, ...against });
  return matricesOf(model, against.kind).includes(matrix) ? matrix : "pattern";
}

/**
 * Whether a place means the same token in both: the same texts, as the same model reads them, padded alike.
 * @param {Side} a
 * @param {Side} b
 */
export const sameTokens = (a, b) =>
  same(
    [a.model, readBy(a), a.texts, a.targets, a.pairs, a.shown, a.masks.padding_side],
    [b.model, readBy(b), b.texts, b.targets, b.pairs, b.shown, b.masks.padding_side],
  );

/** How a text is cut into tokens, where that is a setting. @param {Side} side */
const readBy = ({ model, scratch }) => (model === SCRATCH ? (scratch.tokens ?? "words") : null);

/**
 * What a link says of A: only where it differs from B.
 * @param {string} held A as a link of its own
 * @param {string} now B likewise
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
 * A as a link of its own, out of the link that holds both.
 * @param {string} search
 * @param {string} said of A
 */
export function read(search, said) {
  const query = new URLSearchParams(patched(search, said));
  query.delete("against"); // A is of no comparison itself
  return `?${query}`;
}

/**
 * A link in which some keys are replaced, and those that `without` lists are not there.
 * @param {string} search
 * @param {string} changes a query string
 */
export function patched(search, changes) {
  const [query, said] = [new URLSearchParams(search), new URLSearchParams(changes)];
  for (const key of (said.get(WITHOUT) ?? "").split(",")) query.delete(key);
  said.delete(WITHOUT);
  for (const key of new Set(said.keys())) {
    query.delete(key);
    for (const value of said.getAll(key)) query.append(key, value);
  }
  return `?${query}`;
}

/** @param {unknown} a @param {unknown} b plain data */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
