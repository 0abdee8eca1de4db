// The settings of "From scratch" as the page shows them: one row each, in the order of the page. Their types, limits and defaults come
// from the server (model/mechanisms.py); a setting without a row is shown under its name in the API. Pure.

/** @typedef {import("../../types.d.ts").Mechanism} Mechanism */
/** @typedef {import("../../types.d.ts").Setting} Setting */
/** @typedef {Setting["name"]} Name */

/**
 * @typedef {object} SettingRow
 * @property {Name} name its name in the API
 * @property {string} label
 * @property {string} group its group on the page
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
      : "q, k and v come from three matrices, so nothing is packed.";

/** @type {readonly SettingRow[]} */
export const SETTINGS = [
  { name: "n_layers", label: "n_layers", group: "Size" },
  { name: "d_model", label: "d_model", group: "Size" },
  { name: "n_heads", label: "n_heads", group: "Size" },
  {
    name: "d_head",
    label: "d_head",
    group: "Size",
    idle: ({ projections }) =>
      projections === "none"
        ? "Without projections each head gets its part of x: d_model / n_heads."
        : "",
  },
  { name: "d_ff", label: "d_ff", group: "Size" },
  {
    name: "scale",
    label: "scale",
    group: "Attention",
    options: [
      ["1/sqrt(d_head)", "1/√d_head"],
      ["1/sqrt(d_model)", "1/√d_model"],
      ["1", "none (1)"],
      ["0", "0 (all equal)"],
    ],
    said: (value) =>
      String(value).replace("sqrt(d_head)", "√d_head").replace("sqrt(d_model)", "√d_model"),
    idle: ({ id }) =>
      id === "average" ? "In an average all scores are equal, so the scale is 0." : "",
  },
  {
    name: "softmax_over",
    label: "softmax over",
    group: "Attention",
    options: [
      ["key", "keys"],
      ["query", "queries"],
    ],
  },
  {
    name: "mask_applied",
    label: "masks",
    group: "Attention",
    options: [
      ["before", "before the softmax"],
      ["after", "after the softmax"],
    ],
  },
  {
    name: "causal_diagonal",
    label: "causal mask",
    group: "Attention",
    options: [
      ["0", "as it should be"],
      ["1", "one too wide"],
      ["-1", "one too narrow"],
    ],
  },
  {
    name: "packing",
    label: "packed as",
    group: "Attention",
    options: PACKINGS,
    idle: unpacked,
  },
  {
    name: "read_as",
    label: "read as",
    group: "Attention",
    options: [["", "as packed"], ...PACKINGS],
    said: (value) => (value === null ? "as they come" : labelOf(PACKINGS, value)),
    idle: unpacked,
  },
  {
    name: "positions",
    label: "positions",
    group: "Around attention",
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
    group: "Around attention",
    options: [
      ["none", "none"],
      ["pre", "before (pre-norm)"],
      ["post", "after (post-norm)"],
    ],
  },
  {
    name: "residual",
    label: "residual",
    group: "Around attention",
    said: (on) => (on ? "on" : "off"),
  },
  {
    name: "tokens",
    label: "tokens",
    group: "Text",
    options: [
      ["words", "words"],
      ["characters", "characters"],
    ],
  },
  { name: "seed", label: "seed", group: "Weights" },
];

const OTHERS = "More";
const BY_NAME = new Map(SETTINGS.map((row) => [row.name, row]));

/** @param {Name} name @returns {SettingRow} */
export const rowOf = (name) => BY_NAME.get(name) ?? { name, label: name, group: OTHERS };

/** Names of settings in the order of the page. @param {readonly string[]} names @returns {Name[]} */
export function inOrder(names) {
  const known = SETTINGS.map(({ name }) => name);
  const others = /** @type {Name[]} */ (names).filter((name) => !BY_NAME.has(name));
  return [...known.filter((name) => names.includes(name)), ...others];
}

/** The entries of a setting's list; empty if it has no list. @param {Setting} setting */
export const optionsOf = ({ name, options, type }) =>
  rowOf(name).options ??
  (type === "option" ? options.map((value) => /** @type {const} */ ([value, value])) : []);

/** A value in words. @param {Name} name @param {unknown} value */
export function valueInWords(name, value) {
  const { said, options = [] } = rowOf(name);
  return said ? said(value ?? null) : labelOf(options, value ?? "as they come");
}

/** @param {readonly (readonly [string, string])[]} options @param {unknown} value */
function labelOf(options, value) {
  return options.find(([one]) => one === String(value))?.[1] ?? String(value);
}
