// The examples as states of the page: what one sets, and which of them is being looked at.

/** @typedef {import("../types.d.ts").Entry} Entry */
/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").Masks} Masks */

/** @type {Readonly<Masks>} as the model has them */
export const OWN_MASKS = Object.freeze({
  causal: null,
  padding: true,
  padding_side: "right",
  window: null,
  blocked: [],
  allowed: [],
});

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
 * What choosing an example sets: everything that its sentence on what to look at depends on.
 * @param {Entry} entry
 * @param {string} model the one that the examples are of
 */
export const stateOf = ({ texts, layer, head, query }, model) => ({
  model,
  texts,
  layer,
  head,
  query,
  shown: 0,
  masks: { ...OWN_MASKS },
  /** @type {[number, number][]} */
  muted: [],
});

/**
 * Which example the page shows; `exact` is false where only its text is there (another head, a mask, a mute).
 * @param {Choice} choice
 * @param {Entry[]} entries
 * @param {string} model
 * @param {number} last the one shown last, which wins where several have the same text
 * @returns {{place: number, exact: boolean} | null}
 */
export function shownOf(choice, entries, model, last) {
  if (choice.model !== model) return null;
  const exact = entries.findIndex((entry) => isShown(choice, stateOf(entry, model)));
  if (exact >= 0) return { place: exact, exact: true };
  /** @param {Entry | undefined} entry */
  const sameText = (entry) => entry !== undefined && same(entry.texts, choice.texts);
  const place = sameText(entries[last]) ? last : entries.findIndex(sameText);
  return place >= 0 ? { place, exact: false } : null;
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
 * The example before or after, round and round.
 * @param {number} place
 * @param {number} by
 * @param {number} n
 */
export const around = (place, by, n) => (place + by + n) % n;

/** The line of an example that the reader has moved on from. @param {Entry} entry */
export const movedOn = ({ layer, head }) =>
  `you moved on from what it shows (layer ${layer} · head ${head}, the model’s own masks).`;

/** @param {Choice} choice @param {ReturnType<typeof stateOf>} state */
const isShown = (choice, state) =>
  same(
    [state.texts, state.layer, state.head, state.query, state.shown, state.muted],
    [choice.texts, choice.layer, choice.head, choice.query, choice.shown, choice.muted],
  ) &&
  /** @type {(keyof Masks)[]} */ (Object.keys(OWN_MASKS)).every((key) =>
    same(choice.masks[key], OWN_MASKS[key]),
  );

/** @param {unknown} a @param {unknown} b plain data */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
