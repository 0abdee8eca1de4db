// The engine: answers the requests of the page inside the page, from its sources. Without DOM, network or globals, so it runs in a
// worker, in the page and in Node.

import { writeSafetensors } from "../files/safetensors-writer.js";
import { answer, reporting } from "./answering/answers.js";
import { asTensor } from "./answering/arrays.js";
import { describe } from "./answering/describe.js";
import { LIMITS } from "./answering/limits.js";
import { heads } from "./answering/probe.js";
import { Runs } from "./answering/runs.js";
import { InputError, sentence } from "./errors.js";

/** @import { Answer, Model, Probe } from "../types.d.ts" */
/** @import { Progress } from "./answering/answers.js" */
/** @import { Limits } from "./answering/limits.js" */
/** @import { Source } from "./types.d.ts" */
/** @typedef {{onProgress?: (progress: Progress) => void}} Options */
/** @typedef {ReturnType<typeof createEngine>} Engine */

/** @param {{sources: Source[], limits?: Partial<Limits>}} given the first source is the default */
export function createEngine({ sources, limits: changed = {} }) {
  const limits = { ...LIMITS, ...changed };
  const runs = new Runs(limits);
  const known = new Map(sources.map((source) => [source.info.name, source]));
  /** @type {Map<string, Probe>} */
  const probes = new Map();

  /** @param {string | null} name null: the first */
  function use(name) {
    const source = name === null ? [...known.values()][0] : known.get(name);
    if (source) return source;
    const models = [...known.keys()].join(", ");
    throw new InputError(sentence("There is no such model. This page has {models}.", { models }), {
      code: "unknown_model",
      field: "model",
    });
  }

  return {
    /** As GET /api/models. @returns {Model[]} */
    models: () => Array.from(known.values(), (source) => describe(source.info, limits)),

    /** As POST /api/trace with a safetensors answer, read. @param {object} request @param {Options} [options] @returns {Answer} */
    trace(request, { onProgress } = {}) {
      const given = { use, runs, limits, as_json: false, onProgress };
      const { document, tensors } = answer(request, given);
      const read = Array.from(
        tensors,
        ([name, array]) => /** @type {const} */ ([name, asTensor(array)]),
      );
      return /** @type {Answer} */ ({ trace: document, tensors: new Map(read) });
    },

    /** The same as one document, with tensors as nested lists. @param {object} request @param {Options} [options] @returns {Record<string, any>} */
    stream: (request, { onProgress } = {}) =>
      answer(request, { use, runs, limits, as_json: true, onProgress }).document,

    /**
     * The answer as the bytes of a file.
     * @param {object} request
     * @param {"application/json" | "application/safetensors"} type
     * @returns {Uint8Array<ArrayBuffer>}
     */
    file(request, type) {
      const as_json = type === "application/json";
      const given = { use, runs, limits, as_json, onProgress: undefined };
      const { document, tensors } = answer(request, given);
      const json = JSON.stringify(document);
      return as_json ? new TextEncoder().encode(json) : writeSafetensors({ trace: json }, tensors);
    },

    /** As GET /api/models/{name}/heads, once it is complete. @param {string} model @param {Options} [options] @returns {Probe} */
    heads(model, { onProgress } = {}) {
      const source = use(model);
      const probe = probes.get(model) ?? reporting(onProgress, () => heads(source));
      probes.set(model, /** @type {Probe} */ (probe));
      return /** @type {Probe} */ (probe);
    },

    /** Add a source, or put it in the place of the one of its name. @param {Source} source @returns {Model} */
    add(source) {
      known.set(source.info.name, source);
      runs.forget();
      probes.delete(source.info.name);
      return describe(source.info, limits);
    },

    /** @param {string} name */
    remove(name) {
      known.delete(name);
      runs.forget();
      probes.delete(name);
    },
  };
}
