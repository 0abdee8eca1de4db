// Fetches the probe of the model on screen, once its heads are drawn, and again while the server computes it.

import { getProbe } from "../api/api.js";
import { ApiError } from "../api/errors.js";
import { pause, pauseAfter } from "../api/pauses.js";

/** @import { Store } from "../state/store.js" */
/** @import { Probe } from "../types.d.ts" */

/** @param {Store} store */
export function probes(store) {
  let abort = new AbortController();
  let asked = "";

  store.watch(["model", "grid"], ({ model, grid }) => {
    if (model !== asked) {
      abort.abort();
      asked = "";
    }
    if (asked || grid?.trace.model !== model) return;
    abort = new AbortController();
    asked = model;
    load(model, abort.signal);
  });

  /** @param {string} model @param {AbortSignal} signal */
  const load = async (model, signal) => {
    try {
      for (let tries = 0; !signal.aborted; ) {
        const { probe, after } = await getProbe(model, signal).catch((error) => {
          if (!(error instanceof ApiError) || !error.passes) throw error;
          tries += 1; // the labels can wait: keep asking until it is answered
          return { probe: null, after: pauseAfter(tries, error.after) };
        });
        if (signal.aborted) return;
        if (probe) {
          tries = 0;
          store.update({ probe });
        }
        if (after === null) return;
        await pause(after);
      }
    } catch (error) {
      if (signal.aborted) return;
      asked = ""; // the next picture asks again
      const reason = error instanceof ApiError ? error.message : String(error);
      store.update({ probe: failed(model, store.state.probe, reason) });
    }
  };
}

/** @param {string} model @param {Probe | null} before @param {string} error @returns {Probe} */
const failed = (model, before, error) => ({
  model,
  state: "failed",
  error,
  heads: null,
  sink_share: null,
  probe: null,
  progress: before?.progress ?? { done: 0, total: 0 },
  metrics: before?.metrics ?? [],
});
