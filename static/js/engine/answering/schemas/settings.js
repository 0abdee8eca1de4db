// The sources whose settings come with a request: one row each. Mirrors server/schemas/settings.py.

import { optional } from "../fields.js";
import { SCRATCH_ROW } from "./scratch.js";

/**
 * @typedef {object} SettingsRow
 * @property {string} name of the settings in requests and answers, and of the model
 * @property {import("../fields.js").Field} field of a request
 * @property {(given: any) => import("../../types.d.ts").SourceSettings} configOf what a source takes; throws an InputError
 * @property {(config: any) => object} applied what was run, for an answer
 */

/** @type {SettingsRow[]} */
export const SETTINGS = [SCRATCH_ROW];

/** @type {Record<string, import("../containers.js").Row>} */
export const SETTINGS_FIELDS = Object.fromEntries(
  SETTINGS.map(({ name, field }) => [name, [optional(field), null]]),
);

/** The settings that a run used, by name; null for those of other models. @param {import("../../types.d.ts").SourceSettings | null} config */
export const appliedSettings = (config) =>
  Object.fromEntries(
    SETTINGS.map(({ name, applied }) => [name, config?.name === name ? applied(config) : null]),
  );
