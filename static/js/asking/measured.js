// Fetches what was measured of a model, whatever its text: a dossier, a film. The last one asked for counts.

import { ApiError } from "../api/errors.js";

/** @template Answer @typedef {{model: string, status: "loading" | "ready" | "error", answer: Answer | null, problem: {message: string, retry: boolean} | null}} Measured */

/**
 * @template Answer
 * @param {(model: string, signal: AbortSignal) => Promise<Answer | null>} get
 * @param {(measured: Measured<Answer>) => void} tell
 * @param {string} none what is said if there is no answer
 * @returns {(model: string) => Promise<void>}
 */
export function measuring(get, tell, none = "") {
  let abort = new AbortController();
  return async (model) => {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    tell({ model, status: "loading", answer: null, problem: null });
    /** @type {Measured<Answer>} */
    let found;
    try {
      const answer = await get(model, signal);
      found = answer
        ? { model, status: "ready", answer, problem: null }
        : failed(model, none, false);
    } catch (error) {
      const retry = !(error instanceof ApiError) || error.retry; // else the same question is refused again
      found = failed(model, error instanceof Error ? error.message : String(error), retry);
    }
    if (!signal.aborted) tell(found);
  };
}

/** @param {string} model @param {string} message @param {boolean} retry @returns {Measured<never>} */
const failed = (model, message, retry) => ({
  model,
  status: "error",
  answer: null,
  problem: { message, retry },
});
