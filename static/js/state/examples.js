// The examples as states of the page: what choosing one sets, and which one the page shows.

import { INITIAL } from "../sources/sources.js";
import { OWN_MASKS } from "./masks.js";
import { same } from "./store.js";

/** @import { Choice, Entry, Masks, Mute, State } from "../types.d.ts" */
/** @typedef {"exact" | "row" | "edited" | "text"} How closely the page shows an example */

/** How to look at an example. Where it leaves one of these out, any value shows it. */
const WAYS = /** @type {const} */ (["view", "matrix", "key", "right"]);

/**
 * A text alone, without edits, and with nothing selected in it.
 * @param {string} text @param {Pick<import("../types.d.ts").Model, "takes_targets">} model
 * @returns {Partial<State>}
 */
export const alone = (text, { takes_targets }) => ({
  texts: [text],
  targets: takes_targets ? [text] : [],
  pairs: null,
  special_tokens: true,
  masks: OWN_MASKS,
  muted: [],
  interventions: [],
  answer: null,
  shown: 0,
  query: null,
  key: null,
  token: null,
  zoom: null,
});

/** What the page shows when there are no examples. */
const PLAIN = { texts: ["The cat sat on the mat."], layer: 0, head: 0, query: null };

/**
 * The state that the page opens with: the first example of the model that an address names. One that has none opens with a sentence of another,
 * and with no head of its own: page/depth.js finds one.
 * @param {Entry[]} entries @param {string} first the model of an address that names none @param {string} [search]
 * @returns {Pick<Choice, "texts" | "layer" | "head" | "query">}
 */
export function opening(entries, first, search = "") {
  const model = new URLSearchParams(search).get("model") ?? first;
  const [example] = entriesOf(entries, model, first);
  if (!example) return PLAIN;
  const { texts, layer, head, query } = example;
  const isOwn = (example.model ?? first) === model;
  return isOwn ? { texts, layer, head, query } : { ...PLAIN, texts };
}

/**
 * The examples of a model; those of the first if it has none.
 * @param {Entry[]} entries @param {string} model @param {string} first
 */
export function entriesOf(entries, model, first) {
  const own = entries.filter((entry) => (entry.model ?? first) === model);
  return own.length > 0 ? own : entries.filter((entry) => entry.model === undefined);
}

/**
 * What choosing an example sets: everything that its sentences depend on. What it leaves out gets its default.
 * @param {Entry} entry
 * @param {string} first the model of an example that names none
 */
export const stateOf = (entry, first) => ({
  model: entry.model ?? first,
  kind: /** @type {const} */ ("self"),
  texts: entry.texts,
  targets: /** @type {string[]} */ ([]),
  pairs: null,
  special_tokens: true,
  layer: entry.layer,
  head: entry.head,
  query: entry.query,
  shown: entry.shown ?? 0,
  masks: { ...OWN_MASKS, ...entry.masks },
  muted: entry.muted ?? [],
  interventions: /** @type {Choice["interventions"]} */ ([]),
  answer: null,
  view: entry.view ?? "heatmap",
  matrix: entry.matrix ?? "pattern",
  key: entry.key ?? null,
  right: entry.right ?? "next",
  against: againstOf(entry, entry.model ?? first),
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
    model: against.model ?? model,
    ...INITIAL,
    texts,
    targets: [],
    pairs: null,
    special_tokens: true,
    masks: { ...OWN_MASKS, ...against.masks },
    muted: against.muted ?? [],
    interventions: [],
    kind: "self",
    layer: against.layer ?? layer,
    head: against.head ?? head,
    shown,
    transposed: false,
  };
}

/**
 * Which example the page shows, and how closely: `exact`; `row`: with another token or cell selected; `edited`: with other masks,
 * mutes or another view; `text`: only its text.
 * @param {Choice} choice
 * @param {Entry[]} entries
 * @param {string} first the model of an example that names none
 * @param {number} last the example shown last, which wins if several have the same text
 * @returns {{place: number, how: How} | null}
 */
export function shownOf(choice, entries, first, last) {
  if (choice.model !== (entries[0]?.model ?? first)) return null;
  const specificity = (/** @type {number} */ place) =>
    WAYS.filter((way) => entries[place][way] !== undefined).length;
  const matches = {
    exact: (/** @type {Entry} */ entry) => isShown(choice, entry, first),
    row: (/** @type {Entry} */ entry) =>
      isShown({ ...choice, query: entry.query, key: entry.key ?? null }, entry, first),
    edited: (/** @type {Entry} */ entry) => isRead(choice, entry),
    text: (/** @type {Entry} */ { texts }) => same(texts, choice.texts),
  };
  for (const how of /** @type {const} */ (["exact", "row", "edited", "text"])) {
    const places = entries.flatMap((entry, index) => (matches[how](entry) ? [index] : []));
    if (places.includes(last)) return { place: last, how };
    if (how === "exact" || how === "row")
      places.sort((a, b) => specificity(b) - specificity(a) || a - b);
    if (places.length > 0) return { place: places[0], how };
  }
  return null;
}

/**
 * The relations that heads draw, by their model and "layer.head", the strongest first.
 * @param {Entry[]} entries @param {string} first the model of an example that names none
 */
export function relationsOf(entries, first) {
  /** @type {State["relations"]} */
  const relations = {};
  for (const { model = first, layer, head, label, does, value } of entries) {
    if (label == null || value == null) continue;
    relations[model] ??= {};
    const heads = relations[model];
    const name = `${layer}.${head}`;
    heads[name] = [...(heads[name] ?? []), { label, does: does ?? "", value }].sort(
      (a, b) => b.value - a.value,
    );
  }
  return relations;
}

/**
 * The next or previous example, wrapping around.
 * @param {number} place
 * @param {number} by
 * @param {number} n
 */
export const around = (place, by, n) => (place + by + n) % n;

/** @param {Choice} choice @param {Entry} entry @param {string} first */
function isShown(choice, entry, first) {
  const state = stateOf(entry, first);
  return (
    isRead(choice, entry) &&
    same(state.muted, choice.muted) &&
    !choice.interventions?.length &&
    WAYS.every((way) => entry[way] === undefined || same(entry[way], choice[way])) &&
    (!entry.against || sameAgainst(state.against, choice.against)) &&
    sameMasks(state.masks, choice.masks)
  );
}

/** Whether the page shows the head and the row that the example is about. @param {Choice} choice @param {Entry} entry */
const isRead = (choice, { texts, layer, head, query, shown = 0 }) =>
  same(
    [texts, layer, head, query, shown],
    [choice.texts, choice.layer, choice.head, choice.query, choice.shown],
  );

/** @param {Masks} a @param {Masks} b */
const sameMasks = (a, b) =>
  /** @type {(keyof Masks)[]} */ (Object.keys(OWN_MASKS)).every((key) => same(a[key], b[key]));

/** Compares what a picture of the head depends on. @param {Choice["against"]} a @param {Choice["against"]} b */
const sameAgainst = (a, b) =>
  a !== null &&
  b !== null &&
  same(
    [a.model, a.texts, a.layer, a.head, a.shown, a.muted],
    [b.model, b.texts, b.layer, b.head, b.shown, b.muted],
  ) &&
  sameMasks(a.masks, b.masks);
