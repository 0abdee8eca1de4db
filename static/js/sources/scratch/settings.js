// The settings of "From scratch": their values and limits, the defaults of each mechanism, and the model that they make. Pure.

import { inOrder, rowOf } from "./table.js";

/** @import { Mechanism, Model, Scratch, Setting, Settings } from "../../types.d.ts" */
/** @typedef {keyof Settings} Name */
/** @typedef {Settings[Name]} Value */

export const NAME = "scratch"; // the name of the model, on every server

/** @type {Readonly<Scratch>} */
export const DEFAULT = Object.freeze({ mechanism: "multi-head" });

/** The server's settings, in the order of the page. @param {Pick<Model, "settings">} model @returns {Setting[]} */
export function settingsOf({ settings }) {
  const known = new Map((settings ?? []).map((setting) => [setting.name, setting]));
  return inOrder([...known.keys()]).map((name) => /** @type {Setting} */ (known.get(name)));
}

/** The settings that the reader changed, in the order of the page and of the address. @param {Scratch} scratch @returns {Name[]} */
export function changedIn({ mechanism: _, weights: __, ...changed }) {
  const all = /** @type {Partial<Settings>} */ (changed);
  return inOrder(Object.keys(all)).filter((name) => all[name] !== undefined);
}

/** The model from scratch; undefined if the server does not have it. @param {Model[]} models */
export const scratchModel = (models) => models.find(({ mechanisms }) => mechanisms);

/** @param {Pick<Model, "mechanisms">} model @param {Pick<Scratch, "mechanism">} scratch @returns {Mechanism | undefined} */
export const mechanismOf = ({ mechanisms }, { mechanism }) =>
  mechanisms?.find(({ id }) => id === mechanism) ??
  mechanisms?.find(({ id }) => id === DEFAULT.mechanism) ??
  mechanisms?.[0];

/**
 * The value of every setting, with d_head as a number.
 * @param {Scratch} scratch
 * @param {Mechanism} mechanism
 * @returns {Settings & {d_head: number}}
 */
export function resolved(scratch, { defaults }) {
  const { mechanism: _, weights: __, ...changed } = scratch;
  const all = { ...defaults, ...changed };
  const d_head = all.d_head ?? Math.max(1, Math.floor(all.d_model / all.n_heads));
  return { ...all, d_head, n_kv_heads: all.n_kv_heads ?? all.n_heads };
}

/** The settings that differ from the mechanism's defaults. @param {Scratch} scratch @param {Pick<Mechanism, "defaults">} mechanism @returns {Name[]} */
export const modified = (scratch, { defaults }) =>
  changedIn(scratch).filter((name) => scratch[name] !== defaults[name]);

/**
 * Change some settings. The mechanism's defaults are not stored, so that equal choices compare equal.
 * @param {Scratch} scratch
 * @param {Partial<Settings>} changes undefined: back to the mechanism's default
 * @param {Mechanism} mechanism
 * @returns {Scratch}
 */
export function withSettings(scratch, changes, { defaults }) {
  const all = { ...scratch, ...changes };
  const kept = modified(all, { defaults });
  return {
    mechanism: scratch.mechanism,
    ...Object.fromEntries(kept.map((name) => [name, all[name]])),
    ...(scratch.weights === undefined ? {} : { weights: scratch.weights }),
  };
}

/** Why a setting has no effect on a mechanism; "": it has one. @param {Name} name @param {Mechanism} mechanism */
export const idle = (name, mechanism) => rowOf(name).idle?.(mechanism) ?? "";

const AFTER_W_O = ["result", "norms"];

const WHOLE = /^-?\d{1,10}$/;
const FRACTION = /^-?\d{1,6}(\.\d{1,20})?(e-?\d{1,2})?$/;

/** @type {WeakMap<Model, {scratch: Scratch, made: Model}>} */
const configurations = new WeakMap();

/**
 * The model that the settings make, as /api/models would describe it. Equal settings give the same object.
 * @param {Model} model
 * @param {Scratch} scratch
 * @returns {Model}
 */
export function configured(model, scratch) {
  const known = configurations.get(model);
  if (known?.scratch === scratch) return known.made;
  const mechanism = mechanismOf(model, scratch);
  if (!mechanism || model.state !== "ready") return model;
  const ran = resolved(scratch, mechanism);
  const { n_layers, n_heads, d_model, d_head, d_ff, norm, residual } = ran;
  const { cross, causal, output } = mechanism;
  const made = {
    ...model,
    n_layers,
    n_heads,
    d_model,
    d_head,
    d_ff,
    norm,
    residual,
    causal,
    takes_targets: cross,
    tensors: [
      ...model.tensors.filter((name) => output !== "none" || !AFTER_W_O.includes(name)),
      ...(ran.minus === null ? [] : ["net"]),
      ...(ran.kernel === "product" ? ["hidden"] : []),
    ],
    sites: Array.from({ length: n_layers }, (_, layer) => ({
      name: cross ? `layers.${layer}.cross` : `layers.${layer}`,
      kind: cross ? /** @type {const} */ ("cross") : /** @type {const} */ ("self"),
      layer,
      n_heads,
    })),
  };
  configurations.set(model, { scratch, made });
  return made;
}

/**
 * Read the settings from an address, as `scratch.name` parameters; skip what is invalid.
 * @param {URLSearchParams} query
 * @param {Model[]} models
 * @returns {Scratch}
 */
export function read(query, models) {
  const model = scratchModel(models);
  const named = query.get("scratch.mechanism") ?? DEFAULT.mechanism;
  const known = model?.mechanisms?.some(({ id }) => id === named) ?? true; // unknown until the server sends its mechanisms
  const scratch = { mechanism: known ? named : DEFAULT.mechanism };
  const entries = (model ? settingsOf(model) : []).flatMap((setting) => {
    const value = parsed(setting, query.get(`scratch.${setting.name}`));
    return value === undefined ? [] : [[setting.name, value]];
  });
  const mechanism = model && mechanismOf(model, scratch);
  const changes = Object.fromEntries(entries);
  return mechanism ? withSettings(scratch, changes, mechanism) : { ...scratch, ...changes };
}

/** Write the settings to an address, without uploaded weights, which are too long for one. @param {URLSearchParams} query @param {Scratch} scratch */
export function write(query, scratch) {
  if (scratch.mechanism !== DEFAULT.mechanism) query.set("scratch.mechanism", scratch.mechanism);
  for (const name of changedIn(scratch)) {
    const value = scratch[name];
    if (value !== null) query.set(`scratch.${name}`, String(value));
  }
}

/**
 * Read the text of a setting, from a field or an address.
 * @param {Setting} setting
 * @param {string | null} text
 * @returns {Value | undefined} undefined: the text is invalid
 */
export function parsed({ type, options, limits }, text) {
  if (text === null) return undefined;
  if (options.includes(text)) return /** @type {Value} */ (text);
  if (type === "flag") return text === "true" ? true : text === "false" ? false : undefined;
  const pattern = { integer: WHOLE, number: FRACTION, option: null }[type];
  if (!pattern?.test(text) || !limits) return undefined;
  const number = Number(text);
  return number >= limits[0] && number <= limits[1] ? number : undefined;
}
