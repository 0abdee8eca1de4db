// What a saved picture shows, in words: the model, the text, and the edits of the model.

import { commas, gettext, ngettext } from "../language/gettext.js";
import { changedMasks } from "../state/masks.js";
import { tells } from "../state/quiz.js";
import { label, quote, shorten } from "./format.js";

/** @import { Choice, Mute } from "../types.d.ts" */

const MAX_TEXT = 400; // characters
const MAX_NAMED = 8; // muted heads; if there are more, only their number is given

/**
 * The texts as they were typed, with invisible characters spelled out.
 * @param {Pick<Choice, "texts" | "targets" | "pairs">} choice
 * @param {number} shown
 * @param {{takes_targets: boolean | null, takes_pairs: boolean | null}} model
 */
export function textInWords({ texts, targets, pairs }, shown, model) {
  const place = Math.min(shown, texts.length - 1);
  const typed = (/** @type {string | undefined} */ text) =>
    `${quote(text ? label({ text: shorten(text, MAX_TEXT) }) : "")}`;
  const text = typed(texts[place]);
  const source =
    model.takes_pairs && pairs
      ? gettext("{text} and {typed}", { text, typed: typed(pairs[place]) })
      : text;
  const all = model.takes_targets
    ? gettext("{source} to {typed}", { source, typed: typed(targets[place]) })
    : source;
  return texts.length > 1
    ? gettext("Text: {all} (text {place} of {texts})", {
        all,
        place: place + 1,
        texts: texts.length,
      })
    : gettext("Text: {all}", { all });
}

/**
 * What sums to 1 in a pattern; "" for the usual case, where rows do, and in a quiz.
 * @param {Pick<import("../types.d.ts").Site, "softmax_over" | "mask_applied" | "kernel">} site
 * @param {{quiz?: boolean}} [state]
 */
export function sumsInWords({ softmax_over, mask_applied, kernel }, state = {}) {
  if (!tells(state)) return "";
  if (kernel === "product")
    return gettext(
      "No softmax: the pattern is the size of each hidden weight as a share of its row.",
    );
  if (mask_applied === "after") {
    return softmax_over === "key"
      ? gettext(
          "The masks come after the softmax: rows sum to less than 1 where something is blocked.",
        )
      : gettext(
          "The masks come after the softmax: columns sum to less than 1 where something is blocked.",
        );
  }
  return softmax_over === "query" ? gettext("Columns sum to 1 here, rows need not.") : "";
}

/**
 * How the model is edited; "" if it is not.
 * @param {Pick<Choice, "masks" | "muted"> & Partial<Pick<Choice, "interventions">>} edits
 */
export function editsInWords({ masks, muted, interventions = [] }) {
  const masked = changedMasks(masks).map(({ name, wording }) => wording.edit(masks[name]));
  const n = interventions.length;
  return [
    ...masked,
    ...(muted.length > 0 ? [mutesInWords(muted)] : []),
    ...(n > 0 ? [ngettext("{n} intervention", "{n} interventions", n)] : []),
  ].join(" · ");
}

/** @param {Mute[]} muted */
function mutesInWords(muted) {
  if (muted.length > MAX_NAMED) return gettext("{muted} heads muted", { muted: muted.length });
  const named = muted.map(([layer, head, kind]) =>
    kind ? `${kind} L${layer}·H${head}` : `L${layer}·H${head}`,
  );
  return gettext("muted: {named}", { named: commas(named) });
}

/**
 * A file name that is valid on every system.
 * @param {(string | number)[]} parts
 */
export const fileName = (...parts) =>
  ["headlight", ...parts]
    .map((part) => shorten(String(part), 60).replace(/[^\p{L}\p{N}._-]+/gu, "-"))
    .filter(Boolean)
    .join("-");

// what pictures themselves say

/** The columns of the logit lens. */
export const LENS_HEADS = {
  stage: gettext("stage"),
  final: gettext("final prediction here"),
  likeliest: gettext("likeliest here"),
};
/** The axes of all heads. */
export const GRID_AXES = { heads: gettext("heads →"), layers: gettext("layers ↓") };
export const MUTED = gettext("muted");
/** @param {number} layer */
export const layerTick = (layer) => `L${layer}`;
/** Under a list that was cut. @param {number} n */
export const more = (n) => gettext("… and {n} more", { n });
/** Under a colour scale. @param {string} unit @param {import("../draw/color.js").Steps} [steps] */
export function spread(unit, steps = "linear") {
  if (steps === "log") return gettext("{unit}, log", { unit });
  return steps === "root" ? gettext("{unit}, root", { unit }) : unit;
}
/** Beside the sums of rows and columns. */
export const SUMS = { row: gettext("Σ row"), column: gettext("Σ column") };
/** At the low end of a logarithmic scale. @param {string} number */
export const orLess = (number) => `≤${number}`;
