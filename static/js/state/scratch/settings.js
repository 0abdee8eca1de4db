// The settings of "From scratch": what there is to set, what a mechanism sets by itself, and what model that makes. Pure.

/** @typedef {import("../../types.d.ts").Mechanism} Mechanism */
/** @typedef {import("../../types.d.ts").Model} Model */
/** @typedef {import("../../types.d.ts").Scratch} Scratch */
/** @typedef {import("../../types.d.ts").Settings} Settings */
/** @typedef {keyof Settings} Name */
/** @typedef {Settings[Name]} Value */

export const NAME = "scratch"; // of the model, on every server

/** @type {Readonly<Scratch>} */
export const DEFAULT = Object.freeze({ mechanism: "multi-head" });

const PACKINGS = /** @type {const} */ (["qkv head d_head", "head qkv d_head", "d_head qkv head"]);

/** What a setting that is one of a few may be. */
export const OPTIONS = {
  packing: PACKINGS,
  read_as: PACKINGS,
  softmax_over: /** @type {const} */ (["key", "query"]),
  mask_applied: /** @type {const} */ (["before", "after"]),
  positions: /** @type {const} */ (["none", "sinusoidal", "rotary", "learned"]),
  norm: /** @type {const} */ (["none", "pre", "post"]),
  tokens: /** @type {const} */ (["words", "characters"]),
};
export const SCALES = /** @type {const} */ (["1/sqrt(d_head)", "1/sqrt(d_model)"]);

/** What is a whole number, with what it may be until the server says. @type {Record<string, [least: number, most: number]>} */
const WHOLES = {
  seed: [0, 2 ** 31 - 1],
  n_layers: [1, 6],
  d_model: [1, 256],
  n_heads: [1, 16],
  d_head: [1, 256],
  d_ff: [0, 1024],
  causal_diagonal: [-1, 1],
};

/** Every setting, in the order of an address. @type {readonly Name[]} */
export const NAMES = [
  ...["seed", "d_model", "n_heads", "d_head", "packing", "read_as", "scale", "softmax_over"],
  ...["mask_applied", "causal_diagonal", "positions", "norm", "residual", "d_ff", "n_layers"],
  "tokens",
].map((name) => /** @type {Name} */ (name));

/**
 * The least and the most that a number may be.
 * @param {string} name
 * @param {Pick<Model, "limits"> | undefined} model
 * @returns {[number, number] | null} null: it is not a whole number
 */
export const boundsOf = (name, model) =>
  name in WHOLES ? (model?.limits?.[name] ?? WHOLES[name]) : null;

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
export function idle(name, { projections, id }) {
  if ((name === "packing" || name === "read_as") && projections !== "fused")
    return projections === "none"
      ? "There are no projections to pack."
      : "q, k and v come from three matrices: nothing is packed.";
  if (projections === "none" && name === "d_head")
    return "Without projections the heads share out x: d_model / n_heads.";
  if (id === "average" && name === "scale") return "An average has equal scores: its scale is 0.";
  return "";
}

const AFTER_W_O = ["result", "norms"];

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
  const bounds = boundsOf(name, model);
  if (bounds) {
    const [least, most] = bounds;
    const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  }
  if (name === "residual") return text === "true" ? true : text === "false" ? false : undefined;
  if (name === "scale") return scaleOf(text, model);
  const options = /** @type {readonly string[]} */ (
    OPTIONS[/** @type {keyof typeof OPTIONS} */ (name)]
  );
  return /** @type {Value | undefined} */ (options.find((option) => option === text));
}

/** @param {string} text @param {Pick<Model, "limits"> | undefined} model @returns {Settings["scale"] | undefined} */
function scaleOf(text, model) {
  const known = SCALES.find((name) => name === text);
  if (known) return known;
  const number = /^\d{1,6}(\.\d{1,20})?(e-?\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  const [least, most] = model?.limits?.scale ?? [0, 100];
  return number >= least && number <= most ? number : undefined;
}
