// What the names of arrays say: "layers.3.pattern", "decoder_attentions.0", "blocks.2.attn.hook_q".

/** @import { Kind } from "../types.d.ts" */
/** @typedef {"pattern" | "q" | "k" | "v"} Part what an array is */

/**
 * @typedef {object} Named
 * @property {string} name
 * @property {Part | null} part null: the name does not say
 * @property {number | null} layer null: the name has no number, so the array has an axis of layers, or there is one layer
 * @property {Kind} kind
 */

/** The words of a name that say what an array is. @type {Record<Part, readonly string[]>} */
const WORDS = {
  q: ["q", "query", "queries"],
  k: ["k", "key", "keys"],
  v: ["v", "value", "values"],
  pattern: [
    "pattern",
    "patterns",
    "attention",
    "attentions",
    "attn",
    "attns",
    "probs",
    "weights",
    "softmax",
    "array",
    "arr",
  ],
};
const PARTS = /** @type {Part[]} */ (Object.keys(WORDS));
/** Words of arrays that are none of these: parameters, masks, scores before the softmax, outputs. */
const NEVER = [
  "proj",
  "weight",
  "bias",
  "norm",
  "ln",
  "embed",
  "mlp",
  "mask",
  "scores",
  "logits",
  "z",
  "result",
  "out",
  "output",
  "input",
  "blocked",
  "norms",
  "weighted",
];

/** @param {string} name @returns {Named} */
export function named(name) {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2") // crossAttentions
    .toLowerCase()
    .split(/[^a-z0-9]+|(?<=[a-z])(?=\d)/)
    .filter(Boolean);
  const number = words.find((word) => /^\d+$/.test(word));
  // np.savez calls an array without a name arr_0
  const isNameless = /^arr_\d+$/.test(name);
  const part = PARTS.find((part) => words.some((word) => WORDS[part].includes(word)));
  const isOther = words.some((word) => NEVER.includes(word)) || isOtherHook(name);
  return {
    name,
    part: (isOther ? null : part) ?? null,
    layer: number === undefined || isNameless ? null : Number(number),
    kind: kindOf(words),
  };
}

/** Whether a name is one of a parameter, as in a file of weights. @param {string} name */
export const isParameter = (name) => /\.(weight|bias)$/.test(name);

/** @param {string[]} words @returns {Kind} */
function kindOf(words) {
  if (words.includes("cross")) return "cross";
  return words.includes("encoder") ? "encoder" : words.includes("decoder") ? "decoder" : "self";
}

/** Of the hooks of TransformerLens, one that is neither a pattern nor q, k or v: most are at something that is called attention. @param {string} name */
const isOtherHook = (name) => /\bhook_/.test(name) && !/\bhook_(pattern|(rot_)?[qkv])$/.test(name);

/** Whether the axes of an array stand as in TransformerLens: (text, position, head, d_head). @param {string} name */
export const isHooked = (name) => /hook_(rot_)?[qkv]$/.test(name);
