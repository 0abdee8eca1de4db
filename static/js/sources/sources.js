// The sources whose settings come with a request: one row each. The server's rows are in server/api/schemas/settings.py, the panels in
// panels/sources.js.

import { SCRATCH } from "./scratch/source.js";

/** @import { Choice, Model, TraceJson } from "../types.d.ts" */

/**
 * The settings of each source, by its name. They are kept while another model is selected.
 * @typedef {{scratch: import("../types.d.ts").Scratch}} SourceSettings
 */
/** @typedef {keyof SourceSettings} SourceName */

/**
 * Settings are `any` here: each source has its own.
 * @typedef {object} Source
 * @property {SourceName} name of its model, of its settings in the state and in a request, and of its keys in the address ("scratch.seed")
 * @property {string} label what the page calls it
 * @property {any} initial
 * @property {(query: URLSearchParams, models: Model[]) => any} read from an address; invalid values are left out
 * @property {(query: URLSearchParams, settings: any) => void} write to an address
 * @property {string} [upload] a file among the settings: too long for an address, kept in a saved view
 * @property {(model: Model, settings: any) => Model} configured the model that the settings make
 * @property {(choice: Choice, model: Model) => Partial<Choice>} fit more changes that make a choice fit the configured model
 * @property {(settings: any) => unknown} tokenization equal for settings that split texts in the same way
 * @property {(trace: TraceJson) => string} size of the model that ran, in words
 * @property {(settings: any) => string} inWords
 * @property {(settings: any, other: any) => string} difference in words
 * @property {(settings: any) => string} changes what is not as it usually is, in words; "" for nothing
 * @property {(settings: any) => boolean} isRandom whether the weights are drawn: then nothing that a head does is a habit
 * @property {(settings: any, model: Model | {name: string}, literal: (value: unknown) => string) => Program} program
 */

/**
 * How a Python program opens the source and runs it with these settings.
 * @typedef {object} Program
 * @property {readonly string[]} library imports from the standard library
 * @property {readonly string[]} imports from Headlight, in order
 * @property {string} source an expression: the opened source
 * @property {string} settings an expression: the settings
 */

/** @type {readonly Source[]} */
export const SOURCES = [SCRATCH];

/** The settings that a page opens with. */
export const INITIAL = /** @type {SourceSettings} */ (
  Object.fromEntries(SOURCES.map(({ name, initial }) => [name, initial]))
);

/** What a model depends on. @type {readonly ("model" | "models" | SourceName)[]} */
export const MODEL_KEYS = ["model", "models", ...SOURCES.map(({ name }) => name)];

/** The source with settings that gives a model; undefined if the model takes none. @param {string} model */
export const sourceOf = (model) => SOURCES.find(({ name }) => name === model);

/**
 * The settings of the chosen model, by the name of its source; empty if it takes none.
 * @param {Pick<Choice, "model"> & Partial<SourceSettings>} choice
 */
export function settingsIn(choice) {
  const source = sourceOf(choice.model);
  return source ? { [source.name]: choice[source.name] } : {};
}
