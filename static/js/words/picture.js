// What a saved picture is of, in words: the model, the text, and what was done to the model.

import { changedMasks } from "../state/masks.js";
import { label, shorten } from "./format.js";

/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").Kind} Kind */
/** @typedef {import("../types.d.ts").Mute} Mute */

const LONGEST = 400; // characters of a text
const MAX_NAMED = 8; // heads that are named; of more, only their number is said

/** @type {Record<Kind, string>} */
const STACKS = {
  self: "Layer",
  encoder: "Encoder layer",
  decoder: "Decoder layer",
  cross: "Cross layer",
};

/** @param {{kind: Kind, layer: number}} site @param {number} head */
export const headName = ({ kind, layer }, head) => `${STACKS[kind]} ${layer} · head ${head}`;

/**
 * The texts as they were typed; what draws nothing is shown.
 * @param {Pick<Choice, "texts" | "targets" | "pairs">} choice
 * @param {number} shown
 * @param {{takes_targets: boolean | null, takes_pairs: boolean | null}} model
 */
export function textInWords({ texts, targets, pairs }, shown, model) {
  const place = Math.min(shown, texts.length - 1);
  const typed = (/** @type {string | undefined} */ text) =>
    `“${text ? label({ text: shorten(text, LONGEST) }) : ""}”`;
  const pair = model.takes_pairs && pairs ? ` and ${typed(pairs[place])}` : "";
  const target = model.takes_targets ? ` to ${typed(targets[place])}` : "";
  const of = texts.length > 1 ? ` (text ${place + 1} of ${texts.length})` : "";
  return `Text: ${typed(texts[place])}${pair}${target}${of}`;
}

/**
 * What differs from the model as it is; "" where nothing does.
 * @param {Pick<Choice, "masks" | "muted">} edits
 */
export function editsInWords({ masks, muted }) {
  const masked = changedMasks(masks).map(({ name, said }) => said.edit(masks[name]));
  return [...masked, ...(muted.length > 0 ? [mutesInWords(muted)] : [])].join(" · ");
}

/** @param {Mute[]} muted */
function mutesInWords(muted) {
  if (muted.length > MAX_NAMED) return `${muted.length} heads muted`;
  const named = muted.map(([layer, head, kind]) => `${kind ? `${kind} ` : ""}L${layer}·H${head}`);
  return `muted: ${named.join(", ")}`;
}

/**
 * A name for a file that every system takes.
 * @param {(string | number)[]} parts
 */
export const fileName = (...parts) =>
  ["headlight", ...parts]
    .map((part) => shorten(String(part), 60).replace(/[^\p{L}\p{N}._-]+/gu, "-"))
    .filter(Boolean)
    .join("-");
