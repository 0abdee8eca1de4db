// The settings of "From scratch": what there is to set, what a mechanism sets by itself, and what model that makes. Pure.

import { BY_NAME, SETTINGS } from "./table.js";

/** @typedef {import("../../types.d.ts").Mechanism} Mechanism */
/** @typedef {import("../../types.d.ts").Model} Model */
/** @typedef {import("../../types.d.ts").Scratch} Scratch */
/** @typedef {import("../../types.d.ts").Settings} Settings */
/** @typedef {keyof Settings} Name */
/** @typedef {Settings[Name]} Value */

export const NAME = "scratch"; // of the model, on every server

/** @type {Readonly<Scratch>} */
export const DEFAULT = Object.freeze({ mechanism: "multi-head" });

/** Every setting, in the order of the page and of an address. */
export const NAMES = SETTINGS.map(({ name }) => name);

/**
 * The least and the most that a number may be.
 * @param {Name} name
 * @param {Pick<Model, "limits"> | undefined} model
 * @returns {readonly [least: number, most: number]}
 */
export const boundsOf = (name, model) => model?.limits?.[name] ?? BY_NAME[name].bounds ?? [0, 0];

/** The model that is put together here, among all; undefined: the server has none. @param {Model[]} models */
export const scratchModel = (models) => models.find(({ mechanisms }) => mechanisms);

/** @param {Pick<Model, "mechanisms">} model @param {Pick<Scratch, "mechanism">} scratch @returns {Mechanism | undefined} */
export const mechanismOf = ({ mechanisms }, { mechanism }) =>
  mechanisms?.find(({ id }) => id === mechanism) ??
  mechanisms?.find(({ id }) => id === DEFAULT.mechanism) ??
  mechanisms?.[0];

/**
 * Every setting as it runs; d_head as a number.
 * @param {Scratch} scratch
 * @param {Mechanism} mechanism
 * @returns {Settings & {d_head: number}}
 */
export function resolved(scratch, { defaults }) {
  const { mechanism: _, weights: __, ...changed } = scratch;
  const all = { ...defaults, ...changed };
  return { ...all, d_head: all.d_head ?? Math.max(1, Math.floor(all.d_model / all.n_heads)) };
}

/** Which settings are other than the mechanism's own. @param {Scratch} scratch @param {Mechanism} mechanism @returns {Name[]} */
export const modified = (scratch, { defaults }) =>
  NAMES.filter((name) => scratch[name] !== undefined && scratch[name] !== defaults[name]);

/**
 * With some settings changed; what is the mechanism's own is not kept, so that equal choices are equal.
 * @param {Scratch} scratch
 * @param {Partial<Settings>} changes undefined: back to the mechanism's own
 * @param {Mechanism} mechanism
 * @returns {Scratch}
 */
export function withSettings(scratch, changes, { defaults }) {
  const all = { ...scratch, ...changes };
  const kept = NAMES.filter((name) => all[name] !== undefined && all[name] !== defaults[name]);
  return {
    mechanism: scratch.mechanism,
    ...Object.fromEntries(kept.map((name) => [name, all[name]])),
    ...(scratch.weights === undefined ? {} : { weights: scratch.weights }),
  };
}

/** Why a setting means nothing for a mechanism; "": it does. @param {Name} name @param {Mechanism} mechanism */
export const idle = (name, mechanism) => BY_NAME[name].idle?.(mechanism) ?? "";

const AFTER_W_O = ["result", "norms"];

const FRACTION = /^\d{1,6}(\.\d{1,20})?(e-?\d{1,2})?$/;

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
  const { n_layers, n_heads, d_model, d_head } = resolved(scratch, mechanism);
  const { cross, causal, output } = mechanism;
  const made = {
    ...{ ...model, n_layers, n_heads, d_model, d_head, causal, takes_targets: cross },
    tensors: model.tensors.filter((name) => output !== "none" || !AFTER_W_O.includes(name)),
    sites: Array.from({ length: n_layers }, (_, layer) => ({
      name: cross ? `layers.${layer}.cross` : `layers.${layer}`,
      kind: cross ? /** @type {const} */ ("cross") : /** @type {const} */ ("self"),
      ...{ layer, n_heads },
    })),
  };
  configurations.set(model, { scratch, made });
  return made;
}

/**
 * Settings out of an address, where they are dotted as in a request; what makes no sense is left out.
 * @param {URLSearchParams} query
 * @param {Model[]} models
 * @returns {Scratch}
 */
export function read(query, models) {
  const model = scratchModel(models);
  const named = query.get("scratch.mechanism") ?? DEFAULT.mechanism;
  const known = model?.mechanisms?.some(({ id }) => id === named) ?? true; // not known until the server says
  const scratch = { mechanism: known ? named : DEFAULT.mechanism };
  const said = NAMES.flatMap((name) => {
    const value = settingOf(name, query.get(`scratch.${name}`), model);
    return value === undefined ? [] : [[name, value]];
  });
  const mechanism = model && mechanismOf(model, scratch);
  const changes = Object.fromEntries(said);
  return mechanism ? withSettings(scratch, changes, mechanism) : { ...scratch, ...changes };
}

/** The same into an address. Uploaded weights are too long for one. @param {URLSearchParams} query @param {Scratch} scratch */
export function write(query, scratch) {
  if (scratch.mechanism !== DEFAULT.mechanism) query.set("scratch.mechanism", scratch.mechanism);
  for (const name of NAMES) {
    const value = scratch[name];
    if (value !== undefined && value !== null) query.set(`scratch.${name}`, String(value));
  }
}

/**
 * A setting as text, as a field or an address has it.
 * @param {Name} name
 * @param {string | null} text
 * @param {Pick<Model, "limits"> | undefined} model
 * @returns {Value | undefined} undefined: it makes no sense
 */
export function settingOf(name, text, model) {
  if (text === null) return undefined;
  const { kind, options = [] } = BY_NAME[name];
  const [least, most] = boundsOf(name, model);
  if (kind === "flag") return text === "true" ? true : text === "false" ? false : undefined;
  const known = options.find(([value]) => value === text && value !== "");
  if (known && Number.isNaN(Number(text))) return /** @type {Value} */ (text);
  const pattern = { whole: /^-?\d{1,10}$/, scale: FRACTION, one: /^$/ }[kind];
  const number = pattern.test(text) && text !== "" ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}
