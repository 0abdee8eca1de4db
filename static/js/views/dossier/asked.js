// Fetches the dossier of the model on screen, once its view is open.

import { getDossier } from "../../api/api.js";
import { ApiError } from "../../api/errors.js";
import { modelIn } from "../../state/choice.js";
import { NO_SERVER } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { DossierAsked as Asked } from "../../types.d.ts" */

/**
 * @param {Store} store
 * @param {typeof getDossier} [get]
 * @returns {() => void} asks again
 */
export function asking(store, get = getDossier) {
  let abort = new AbortController();

  /** @param {string} model */
  const load = async (model) => {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    /** @param {Omit<Asked, "model">} found */
    const tell = (found) => signal.aborted || store.update({ corpus: { model, ...found } });
    tell({ status: "loading", answer: null, problem: null });
    try {
      const answer = await get(model, signal);
      if (answer) tell({ status: "ready", answer, problem: null });
      else failed(tell, NO_SERVER, false);
    } catch (error) {
      failed(tell, error instanceof Error ? error.message : String(error), passes(error));
    }
  };

  store.watch(["model", "view", "models"], (state) => {
    const model = modelIn(state);
    if (state.view !== "dossier" || model.state !== "ready") return;
    if (state.corpus?.model !== state.model) load(state.model);
  });
  return () => load(store.state.model);
}

/** @param {(found: Omit<Asked, "model">) => void} tell @param {string} message @param {boolean} retry */
const failed = (tell, message, retry) =>
  tell({ status: "error", answer: null, problem: { message, retry } });

/** Whether the same question may be answered later. @param {unknown} error */
const passes = (error) => !(error instanceof ApiError) || error.retry;
