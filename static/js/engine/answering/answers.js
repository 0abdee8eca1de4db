// Turns a request document into its answer: checked, traced (or read from the cache), encoded. Mirrors server/api/answers.py.

import { sliced } from "../slices.js";
import { unedited } from "../sources/source.js";
import { looksOf } from "./looks.js";
import { inputsOf, readRequest } from "./request.js";
import { encode } from "./wire.js";

/** @import { Limits } from "./limits.js" */
/** @typedef {{state: "computing", done: number, total: number}} Progress */

const PROGRESS_MS = 100; // between two reports

/**
 * @param {unknown} document
 * @param {object} given
 * @param {(name: string | null) => import("../types.d.ts").Source} given.use the source of that name; null: the first
 * @param {import("./runs.js").Runs} given.runs
 * @param {Limits} given.limits
 * @param {boolean} given.as_json
 * @param {((progress: Progress) => void) | undefined} given.onProgress
 * @returns {import("./wire.js").Encoded}
 * @throws {import("../errors.js").HeadlightError} as the server would answer
 */
export function answer(document, { use, runs, limits, as_json, onProgress }) {
  const request = readRequest(document, limits);
  const inputs = inputsOf(request, limits);
  const source = use(request.model);
  return reporting(onProgress, () => {
    // by default predictions are included if the model can predict; if they were requested explicitly and it cannot, that is an error
    const asked = request.given.has("predict") || source.info.predicts !== null;
    const predict = asked ? request.predict : null;
    const trace = runs.trace(source, inputs);
    return encode(trace, {
      looks: looksOf(request),
      predict,
      analyse: request.analyse,
      further: {
        mutes: (asked) => runs.muteEffects(source, inputs, trace, asked),
        branches: (asked) => runs.branches(source, inputs, trace, asked),
      },
      unedited: predict?.unedited ? runs.trace(source, unedited(inputs, trace)) : null,
      as_json,
      most_bytes: limits.answer_bytes,
    });
  });
}

/**
 * Run some work and report its progress now and then.
 * @template T
 * @param {((progress: Progress) => void) | undefined} onProgress
 * @param {() => T} work
 */
export function reporting(onProgress, work) {
  if (!onProgress) return work();
  let last = performance.now();
  return sliced((done, total) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    onProgress({ state: "computing", done, total });
  }, work);
}
