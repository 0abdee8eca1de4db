// The settings of "From scratch" as the page shows them: one row each in static/js/facts/mechanisms.json, in the order of `shown`; here is
// what words alone do not say. A setting that the table lacks is shown under its name in the API. Pure.

import MECHANISM_FACTS from "../../facts/mechanisms.json" with { type: "json" };
import { worded } from "../../language/facts.js";
import { gettext } from "../../language/gettext.js";

const FACTS = worded(MECHANISM_FACTS, "mechanisms");

/** @import { Mechanism, Setting } from "../../types.d.ts" */
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

const NONE = "none";
export const PACKINGS = FACTS.settings.packing.choose;

/** @param {Mechanism} mechanism */
const unpacked = ({ projections }) =>
  projections === "fused"
    ? ""
    : projections === "none"
      ? gettext("There are no projections to pack.")
      : gettext("q, k and v come from three matrices, so nothing is packed.");

const NO_ROTARY = gettext("Rotary positions are distances within one text; here there are two.");

/** @param {boolean} on */
const onOff = (on) => (on ? "on" : "off");

/** @type {Partial<Record<Name, Pick<SettingRow, "said" | "idle">>>} */
const MORE = {
  d_head: {
    idle: ({ projections }) =>
      projections === "none"
        ? gettext("Without projections each head gets its part of x: d_model / n_heads.")
        : "",
  },
  n_kv_heads: {
    idle: ({ projections }) =>
      projections === "separate" ? "" : gettext("q, k and v have no matrices of their own."),
  },
  d_latent: {
    said: (value) => String(value ?? NONE),
    idle: ({ projections }) =>
      projections === "separate" ? "" : gettext("q, k and v have no matrices of their own."),
  },
  window: {
    said: (value) => String(value ?? NONE),
    idle: ({ cross }) =>
      cross ? gettext("A window is a distance within one text; here there are two.") : "",
  },
  scale: {
    said: (value) =>
      String(value).replace("sqrt(d_head)", "√d_head").replace("sqrt(d_model)", "√d_model"),
    idle: ({ id, defaults }) =>
      defaults.kernel === "linear"
        ? gettext("In linear attention a scale is divided out again.")
        : id === "average"
          ? gettext("In an average all scores are equal, so the scale is 0.")
          : "",
  },
  packing: { idle: unpacked },
  read_as: {
    said: (value) => (value === null ? gettext("as they come") : labelOf(PACKINGS, value)),
    idle: unpacked,
  },
  sink: { said: (value) => String(value ?? NONE) },
  rope_scaling: { idle: ({ cross }) => (cross ? NO_ROTARY : "") },
  rope_factor: { idle: ({ cross }) => (cross ? NO_ROTARY : "") },
  minus: { said: (value) => String(value ?? NONE) },
  gate: { said: onOff },
  selective: {
    said: onOff,
    idle: ({ cross }) =>
      cross ? gettext("The past is forgotten within one text; here there are two.") : "",
  },
  residual: { said: onOff },
};

/** @type {readonly SettingRow[]} */
export const SETTINGS = FACTS.shown.map((name) => {
  const { label, group, choose: options } = /** @type {any} */ (FACTS.settings[name]);
  return { name, label, group, options, ...MORE[name] };
});

const OTHERS = gettext("More");
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
  return said ? said(value ?? null) : labelOf(options, value ?? gettext("as they come"));
}

/** @param {readonly (readonly [string, string])[]} options @param {unknown} value */
function labelOf(options, value) {
  return options.find(([one]) => one === String(value))?.[1] ?? String(value);
}
