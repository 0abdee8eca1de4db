// The sources whose settings come with a request: one row each. Mirrors server/api/schemas/settings.py.

import { configure, DEFAULT } from "../scratch/mechanisms.js";
import { weightNames } from "../scratch/uploads.js";

/** @import { ScratchConfig } from "../scratch/mechanisms.js" */

/**
 * @typedef {object} SettingsRow
 * @property {string} name of the settings in requests and answers, and of the model
 * @property {(given: any) => import("../types.d.ts").SourceSettings} configOf what a source takes; throws an InputError
 * @property {(config: any) => object} applied what was run, for an answer
 */

/** @type {SettingsRow} */
const SCRATCH = {
  name: "scratch",
  configOf({ mechanism = DEFAULT, weights = null, ...settings }) {
    const given = Object.entries(settings).filter(([, value]) => value !== null);
    const bytes = weights && Uint8Array.from(atob(weights), (character) => character.charCodeAt(0));
    return configure(mechanism, Object.fromEntries(given), bytes);
  },
  /** @param {ScratchConfig} config */
  applied: (config) => ({
    ...config.parameters,
    mechanism: config.mechanism.id,
    modified: config.modified,
    weights: config.weights === null ? null : weightNames(config.weights),
  }),
};

/** @type {SettingsRow[]} */
export const SETTINGS = [SCRATCH];

/** The settings that a run used, by name; null for those of other models. @param {import("../types.d.ts").SourceSettings | null} config */
export const appliedSettings = (config) =>
  Object.fromEntries(
    SETTINGS.map(({ name, applied }) => [name, config?.name === name ? applied(config) : null]),
  );
