// The attention mechanisms of five study notebooks and those that came after them, each a row of settings for one implementation: static/js/facts/mechanisms.json, as
// model/scratch/mechanisms.py.
//
// A row holds the settings of the mechanism's correct form. The mistakes of the notebooks are settings that the reader can turn
// on. `configure` applies a reader's changes to a row.

import LIMITS from "../../facts/limits.json" with { type: "json" };
import FACTS from "../../facts/mechanisms.json" with { type: "json" };
import { attentionConfig } from "../core/attention.js";
import { blockConfig } from "../core/block.js";
import { checkPositions } from "../core/embedding.js";
import { grouped, InputError, LimitError } from "../errors.js";
import { MECHANISMS, SETTINGS } from "./described.js";

/** @import { Mechanism, Settings } from "../../types.d.ts" */
/** @import { BlockConfig } from "../types.d.ts" */
/** The settings of a run: d_head is a number. @typedef {Settings & {d_head: number}} Parameters */

/**
 * A mechanism ready to run: everything that determines its weights and its results.
 * @typedef {object} ScratchConfig
 * @property {"scratch"} name of the settings in requests
 * @property {Mechanism} mechanism
 * @property {Parameters} parameters
 * @property {Uint8Array | null} weights a safetensors file; missing tensors are drawn at random
 * @property {BlockConfig} block one layer
 * @property {(keyof Settings)[]} modified the parameters that differ from the mechanism's defaults
 */

export const DEFAULT = FACTS.usual;

/**
 * A mechanism with some of its settings changed.
 * @param {string} [mechanism] its id
 * @param {Partial<Settings>} [changes]
 * @param {Uint8Array | null} [weights]
 * @returns {ScratchConfig}
 * @throws {LimitError} a number is out of its range
 * @throws {InputError} the settings do not fit together; the message says why, and `field` where
 */
export function configure(mechanism = DEFAULT, changes = {}, weights = null) {
  const row = MECHANISMS[mechanism];
  const given = { ...row.defaults, ...changes };
  checkLimits(given);
  if (given.read_as === given.packing) given.read_as = null;
  try {
    const parameters = withWidth(given);
    check(row, parameters);
    const block = blockOf(row, parameters);
    const own = withWidth(row.defaults);
    const modified = SETTINGS.map(({ name }) => name).filter(
      (name) => parameters[name] !== own[name],
    );
    return { name: "scratch", mechanism: row, parameters, weights, block, modified };
  } catch (error) {
    if (error instanceof InputError && error.field !== null) error.field = `scratch.${error.field}`;
    throw error;
  }
}

/** @param {Settings} given */
function checkLimits(given) {
  for (const { name, limits } of SETTINGS) {
    const value = given[name];
    if (!limits || typeof value !== "number") continue;
    const [minimum, maximum] = limits;
    if (value >= minimum && value <= maximum) continue;
    throw new LimitError(
      `Expected ${name} to be from ${grouped(minimum)} to ${grouped(maximum)}; got ${value}.`,
      { field: `scratch.${name}`, limit: value < minimum ? minimum : maximum },
    );
  }
}

/** With the channels per head: d_model / n_heads unless d_head is given. @param {Settings} settings @returns {Parameters} */
function withWidth(settings) {
  const { d_model, n_heads, d_head } = settings;
  if (d_head !== null) return { ...settings, d_head };
  if (d_model % n_heads) {
    throw new InputError(
      `d_model = ${d_model} cannot be divided evenly among ${n_heads} heads. Choose sizes that divide evenly, or set d_head.`,
      { field: "d_head" },
    );
  }
  return { ...settings, d_head: d_model / n_heads };
}

/**
 * Refuse settings that the mechanism cannot run with.
 * @param {Mechanism} row
 * @param {Parameters} parameters
 */
function check(row, parameters) {
  const { d_model, n_heads, d_head, n_layers, packing, read_as, positions } = parameters;
  const channels = n_heads * d_head;
  if (channels > LIMITS.scratch_channels) {
    throw new LimitError(
      `Expected at most ${grouped(LIMITS.scratch_channels)} channels in all heads together; n_heads · d_head is ${grouped(channels)}.`,
      { field: "d_head", limit: LIMITS.scratch_channels },
    );
  }
  const isRepacked = packing !== row.defaults.packing;
  if (row.projections !== "fused" && (isRepacked || read_as !== null)) {
    throw new InputError(
      `Only a fused matrix of q, k and v has a packing; ${row.id} has no such matrix. ` +
        "Choose fused-single, fused-multi-head or padded-batch.",
      { field: isRepacked ? "packing" : "read_as" },
    );
  }
  if ((positions === "rotary" || positions === "alibi") && row.cross) {
    throw new InputError(
      "Rotary positions and ALiBi encode distances within one text, but cross-attention looks from one text into another. " +
        "Choose none, sinusoidal or learned.",
      { field: "positions" },
    );
  }
  if (parameters.selective && row.cross) {
    throw new InputError(
      "What is forgotten is forgotten between two places of one text, but cross-attention looks from one text into another.",
      { field: "selective" },
    );
  }
  checkPositions(positions, d_model, d_head);
  const written = parameters.minus === null ? channels : Math.floor(channels / 2);
  if (n_layers > 1 && row.output === "none" && written !== d_model) {
    throw new InputError(
      `The next layer reads a layer's output, so it must be d_model = ${d_model} wide; without W_O it is ` +
        `${written}. Use one layer, or make the two widths equal.`,
      { field: "n_layers" },
    );
  }
}

/**
 * One layer of the mechanism.
 * @param {Mechanism} row
 * @param {Parameters} parameters
 * @throws {InputError} settings that exclude each other
 */
function blockOf(row, parameters) {
  const { d_model, n_heads, d_head, packing, read_as, scale } = parameters;
  const {
    softmax_over,
    mask_applied,
    norm,
    residual,
    d_ff,
    n_kv_heads,
    d_latent,
    kernel,
    gate,
    selective,
    minus,
  } = parameters;
  const attention = attentionConfig({
    d_model,
    n_heads,
    d_head,
    packing,
    read_as,
    scale,
    softmax_over,
    mask_applied,
    kernel,
    n_kv_heads,
    d_latent,
    gate,
    selective,
    minus,
    sink: parameters.sink !== null,
    projections: row.projections,
    output: row.output !== "none",
    output_bias: row.output === "linear with bias",
  });
  return blockConfig({ attention, norm, residual, d_ff, activation: "relu" });
}
