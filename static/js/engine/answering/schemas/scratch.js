// The mechanism from scratch that a request may ask for, and its settings. Mirrors server/schemas/scratch.py.

import { InputError } from "../../errors.js";
import { configure, DEFAULT, MECHANISMS, SETTINGS } from "../../mechanisms.js";
import { weightNames } from "../../scratch/uploads.js";
import { record } from "../containers.js";
import { boolean, choice, integer, optional, text } from "../fields.js";

/** @typedef {import("../../mechanisms.js").ScratchConfig} ScratchConfig */
/** @typedef {import("../fields.js").Field} Field */

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @param {import("../../../types.d.ts").Setting} setting @returns {Field} */
function fieldOf({ type, options, limits }) {
  if (type === "flag") return boolean;
  if (type === "option" || limits === null) return choice(options);
  const [ge, le] = limits;
  return type === "integer" ? integer({ ge, le }) : nameOrNumber(options, ge, le);
}

/** @param {string[]} names @param {number} least @param {number} most @returns {Field} */
const nameOrNumber = (names, least, most) => (value, at, problems) => {
  if (names.includes(value)) return value;
  if (typeof value === "number" && least <= value && value <= most) return value;
  const listed = names.map((name) => `'${name}'`).join(", ");
  const message = `expected ${listed} or a number from ${least} to ${most}`;
  problems.push({ type: "name_or_number", at, message });
};

/** @type {Record<string, import("../containers.js").Row>} */
const SETTING_FIELDS = Object.fromEntries(
  SETTINGS.map((setting) => [setting.name, [optional(fieldOf(setting)), null]]),
);

export const SCRATCH = record("Scratch", {
  mechanism: [choice(Object.keys(MECHANISMS)), DEFAULT],
  ...SETTING_FIELDS,
  weights: [optional(text), null], // a safetensors file in base64
});

/**
 * The mechanism ready to run.
 * @param {Record<string, any>} scratch
 * @throws {InputError} the settings do not fit together, or the weights are not base64
 */
export function configOf({ mechanism, weights, ...settings }) {
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return configure(
    mechanism,
    Object.fromEntries(given),
    weights === null ? null : bytesOf(weights),
  );
}

/** @param {string} weights */
function bytesOf(weights) {
  if (!BASE64.test(weights)) {
    throw new InputError(
      "Expected the weights as a safetensors file in base64; this is not base64.",
      { field: "scratch.weights" },
    );
  }
  return Uint8Array.from(atob(weights), (character) => character.charCodeAt(0));
}

/** The mechanism and settings that were run, for an answer. @param {ScratchConfig} config */
const applied = (config) => ({
  ...config.parameters,
  mechanism: config.mechanism.id,
  modified: config.modified,
  weights: config.weights === null ? null : weightNames(config.weights),
});

/** @type {import("./settings.js").SettingsRow} */
export const SCRATCH_ROW = { name: "scratch", field: SCRATCH, configOf, applied };
