// The settings of "From scratch": one row each, in the order of the page. The server's rows are in model/mechanisms.py. Pure.

/** @typedef {import("../../types.d.ts").Mechanism} Mechanism */

/**
 * @typedef {object} SettingRow
 * @property {keyof import("../../types.d.ts").Settings} name its name in the API
 * @property {string} label
 * @property {string} group its group on the page
 * @property {"whole" | "one" | "flag" | "scale"} kind "whole": an integer; "one": one of its options; "flag": on or off; "scale": a named scale or a number
 * @property {readonly [min: number, max: number]} [bounds] the limits of a number, until the server sends its own
 * @property {readonly (readonly [value: string, label: string])[]} [options] the entries of its list; "" is the default
 * @property {(value: any) => string} [said] how a value is described, if its label is not enough
 * @property {(mechanism: Mechanism) => string} [idle] why it has no effect on a mechanism; "": it has one
 */

export const PACKINGS = /** @type {const} */ ([
  ["qkv head d_head", "q k v, head, channel"],
  ["head qkv d_head", "head, q k v, channel"],
  ["d_head qkv head", "channel, q k v, head"],
]);

/** @param {Mechanism} mechanism */
const unpacked = ({ projections }) =>
  projections === "fused"
    ? ""
    : projections === "none"
      ? "There are no projections to pack."
      : "q, k and v come from three matrices: nothing is packed.";

/** @type {readonly SettingRow[]} */
export const SETTINGS = [
  { name: "n_layers", label: "n_layers", group: "Size", kind: "whole", bounds: [1, 6] },
  { name: "d_model", label: "d_model", group: "Size", kind: "whole", bounds: [1, 256] },
  { name: "n_heads", label: "n_heads", group: "Size", kind: "whole", bounds: [1, 16] },
  {
    name: "d_head",
    label: "d_head",
    group: "Size",
    kind: "whole",
    bounds: [1, 256],
    idle: ({ projections }) =>
      projections === "none"
        ? "Without projections each head gets its part of x: d_model / n_heads."
        : "",
  },
  { name: "d_ff", label: "d_ff", group: "Size", kind: "whole", bounds: [0, 1024] },
  {
    name: "scale",
    label: "scale",
    group: "Attention",
    kind: "scale",
    bounds: [0, 100],
    options: [
      ["1/sqrt(d_head)", "1/√d_head"],
      ["1/sqrt(d_model)", "1/√d_model"],
      ["1", "none (1)"],
      ["0", "0: all equal"],
    ],
    said: (value) =>
      String(value).replace("sqrt(d_head)", "√d_head").replace("sqrt(d_model)", "√d_model"),
    idle: ({ id }) =>
      id === "average" ? "In an average all scores are equal: the scale is 0." : "",
  },
  {
    name: "softmax_over",
    label: "softmax over",
    group: "Attention",
    kind: "one",
    options: [
      ["key", "keys"],
      ["query", "queries"],
    ],
  },
  {
    name: "mask_applied",
    label: "masks",
    group: "Attention",
    kind: "one",
    options: [
      ["before", "before the softmax"],
      ["after", "after the softmax"],
    ],
  },
  {
    name: "causal_diagonal",
    label: "causal mask",
    group: "Attention",
    kind: "whole",
    bounds: [-1, 1],
    options: [
      ["0", "as it should"],
      ["1", "one too far"],
      ["-1", "one too short"],
    ],
  },
  {
    name: "packing",
    label: "packed as",
    group: "Attention",
    kind: "one",
    options: PACKINGS,
    idle: unpacked,
  },
  {
    name: "read_as",
    label: "read as",
    group: "Attention",
    kind: "one",
    options: [["", "as packed"], ...PACKINGS],
    said: (value) => (value === null ? "as they come" : labelOf(PACKINGS, value)),
    idle: unpacked,
  },
  {
    name: "positions",
    label: "positions",
    group: "Around it",
    kind: "one",
    options: [
      ["none", "none"],
      ["sinusoidal", "sinusoidal"],
      ["rotary", "rotary"],
      ["learned", "learned"],
    ],
  },
  {
    name: "norm",
    label: "norm",
    group: "Around it",
    kind: "one",
    options: [
      ["none", "none"],
      ["pre", "before (pre-norm)"],
      ["post", "after (post-norm)"],
    ],
  },
  {
    name: "residual",
    label: "residual",
    group: "Around it",
    kind: "flag",
    said: (on) => (on ? "on" : "off"),
  },
  {
    name: "tokens",
    label: "tokens",
    group: "Text",
    kind: "one",
    options: [
      ["words", "words"],
      ["characters", "characters"],
    ],
  },
  { name: "seed", label: "seed", group: "Weights", kind: "whole", bounds: [0, 2 ** 31 - 1] },
];

/** The rows by name. */
export const BY_NAME = /** @type {Record<SettingRow["name"], SettingRow>} */ (
  Object.fromEntries(SETTINGS.map((row) => [row.name, row]))
);

/** A value in words. @param {SettingRow["name"]} name @param {unknown} value */
export function valueInWords(name, value) {
  const { said, options = [] } = BY_NAME[name];
  return said ? said(value ?? null) : labelOf(options, value ?? "as they come");
}

/** @param {readonly (readonly [string, string])[]} options @param {unknown} value */
function labelOf(options, value) {
  return options.find(([one]) => one === String(value))?.[1] ?? String(value);
}
