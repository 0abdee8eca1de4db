// The examples as states of the page: what one sets, and which of them is being looked at.

import { OWN_MASKS } from "./masks.js";
import { DEFAULT as SCRATCH } from "./scratch/settings.js";

/** @typedef {import("../types.d.ts").Entry} Entry */
/** @typedef {"exact" | "row" | "edited" | "text"} How much of an example is there */
/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").Masks} Masks */
/** @typedef {import("../types.d.ts").Mute} Mute */

export const BESIDE = 8; // examples that stand beside the sentence; all of them are a button away

/** What an example may say of the picture; where it says nothing, any way of looking shows it. */
const WAYS = /** @type {const} */ (["view", "matrix", "key", "right"]);

/** What a fresh page shows when there are no examples. */
const PLAIN = { texts: ["The cat sat on the mat."], layer: 0, head: 0, query: null };

/**
 * The state that a fresh page opens with: the first example.
 * @param {Entry[]} entries
 * @returns {Pick<Choice, "texts" | "layer" | "head" | "query">}
 */
export function opening([first]) {
  if (!first) return PLAIN;
  const { texts, layer, head, query } = first;
  return { texts, layer, head, query };
}

/**
 * What choosing an example sets: everything that its sentences depend on. Where it says nothing the page is as a fresh one.
 * @param {Entry} entry
 * @param {string} model the one that the examples are of
 */
export const stateOf = (entry, model) => ({
  model,
  kind: /** @type {const} */ ("self"),
  texts: entry.texts,
  targets: /** @type {string[]} */ ([]),
  pairs: null,
  layer: entry.layer,
  head: entry.head,
  query: entry.query,
  shown: entry.shown ?? 0,
  masks: { ...OWN_MASKS, ...entry.masks },
  muted: entry.muted ?? [],
  view: entry.view ?? "heatmap",
  matrix: entry.matrix ?? "pattern",
  key: entry.key ?? null,
  right: entry.right ?? "next",
  against: againstOf(entry, model),
  pinned: /** @type {number[]} */ ([]),
  overlay: /** @type {[number, number][]} */ ([]),
  step: null,
  zoom: null,
  token: null,
  temperature: 1,
  top_p: 1,
});

/** @param {Entry} entry @param {string} model @returns {Choice["against"]} */
function againstOf({ against, texts, layer, head, shown = 0 }, model) {
  if (!against) return null;
  return {
    model,
    scratch: SCRATCH,
    texts,
    targets: [],
    pairs: null,
    masks: { ...OWN_MASKS, ...against.masks },
    muted: against.muted ?? [],
    kind: "self",
    layer: against.layer ?? layer,
    head: against.head ?? head,
    shown,
    transposed: false,
  };
}

/**
 * Which example the page shows: `exact`; `row`, where another token of it is read; `edited`, where only masks, mutes or the view are others; or only its text.
 * @param {Choice} choice
 * @param {Entry[]} entries
 * @param {string} model
 * @param {number} last the one shown last, which wins where several have the same text
 * @returns {{place: number, how: How} | null}
 */
export function shownOf(choice, entries, model, last) {
  if (choice.model !== model) return null;
  const said = (/** @type {number} */ place) =>
    WAYS.filter((way) => entries[place][way] !== undefined).length;
  const looks = {
    exact: (/** @type {Entry} */ entry) => isShown(choice, entry, model),
    row: (/** @type {Entry} */ entry) => isShown({ ...choice, query: entry.query }, entry, model),
    edited: (/** @type {Entry} */ entry) => isRead(choice, entry),
    text: (/** @type {Entry} */ { texts }) => same(texts, choice.texts),
  };
  for (const how of /** @type {const} */ (["exact", "row", "edited", "text"])) {
    const places = entries.flatMap((entry, place) => (looks[how](entry) ? [place] : []));
    if (places.includes(last)) return { place: last, how };
    if (how === "exact" || how === "row") places.sort((a, b) => said(b) - said(a) || a - b); // what says most of the view
    if (places.length > 0) return { place: places[0], how };
  }
  return null;
}

/**
 * What the heads of the examples draw, by "layer.head", the strongest first.
 * @param {Entry[]} entries
 * @returns {Record<string, import("../types.d.ts").Drawn[]>}
 */
export function relationsOf(entries) {
  /** @type {Record<string, import("../types.d.ts").Drawn[]>} */
  const drawn = {};
  for (const { layer, head, label, value } of entries) {
    if (label == null || value == null) continue;
    const name = `${layer}.${head}`;
    drawn[name] = [...(drawn[name] ?? []), { label, value }].sort((a, b) => b.value - a.value);
  }
  return drawn;
}

/**
 * Which examples stand beside the sentence: the first ones, and the one that is shown.
 * @param {number} n
 * @param {number | null} place
 */
export function besideOf(n, place) {
  const first = Array.from({ length: Math.min(n, BESIDE) }, (_, i) => i);
  return place === null || place < first.length ? first : [...first, place];
}

/**
 * The example before or after, round and round.
 * @param {number} place
 * @param {number} by
 * @param {number} n
 */
export const around = (place, by, n) => (place + by + n) % n;

/**
 * The line above the head: what to look at and what to do next; afterwards, what to see.
 * @param {Entry} entry
 * @param {How} how
 */
export function wordsOf({ layer, head, look, next = "" }, how) {
  if (how === "exact" || how === "row") return next ? `${look} ${next}` : look;
  if (how === "edited") return `with your changes. ${next}`.trim();
  return `what it shows is at layer ${layer} · head ${head}.`;
}

/** @param {Choice} choice @param {Entry} entry @param {string} model */
function isShown(choice, entry, model) {
  const state = stateOf(entry, model);
  return (
    isRead(choice, entry) &&
    same(state.muted, choice.muted) &&
    WAYS.every((way) => entry[way] === undefined || same(entry[way], choice[way])) &&
    (!entry.against || sameAgainst(state.against, choice.against)) &&
    sameMasks(state.masks, choice.masks)
  );
}

/** Whether it is the row of the head that the example is about. @param {Choice} choice @param {Entry} entry */
const isRead = (choice, { texts, layer, head, query, shown = 0 }) =>
  same(
    [texts, layer, head, query, shown],
    [choice.texts, choice.layer, choice.head, choice.query, choice.shown],
  );

/** @param {Masks} a @param {Masks} b */
const sameMasks = (a, b) =>
  /** @type {(keyof Masks)[]} */ (Object.keys(OWN_MASKS)).every((key) => same(a[key], b[key]));

/** By what a picture of the head depends on. @param {Choice["against"]} a @param {Choice["against"]} b */
const sameAgainst = (a, b) =>
  a !== null &&
  b !== null &&
  same(
    [a.texts, a.layer, a.head, a.shown, a.muted],
    [b.texts, b.layer, b.head, b.shown, b.muted],
  ) &&
  sameMasks(a.masks, b.masks);

/** @param {unknown} a @param {unknown} b plain data */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
