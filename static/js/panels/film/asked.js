// Fetches what was measured of a film, once its panel is open.

import { getFilm } from "../../api/api.js";
import { ApiError } from "../../api/errors.js";
import { modelIn } from "../../state/choice.js";
import { openPanel } from "../../state/panels.js";
import { stepsOf } from "./born.js";

/** @import { Store } from "../../state/store.js" */
/** @import { FilmAsked } from "../../types.d.ts" */

/**
 * @param {Store} store
 * @param {typeof getFilm} [get]
 * @returns {() => void} asks again
 */
export function asking(store, get = getFilm) {
  let abort = new AbortController();

  /** @param {string} model */
  const load = async (model) => {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    /** @param {Omit<FilmAsked, "model">} found */
    const tell = (found) => signal.aborted || store.update({ trained: { model, ...found } });
    tell({ status: "loading", answer: null, problem: null });
    try {
      tell({ status: "ready", answer: await get(model, signal), problem: null });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const retry = !(error instanceof ApiError) || error.retry;
      tell({ status: "error", answer: null, problem: { message, retry } });
    }
  };

  /** @param {Readonly<import("../../types.d.ts").State>} state */
  const check = (state) => {
    const model = modelIn(state);
    const { base } = stepsOf(model, state.models);
    if (base && openPanel(state.right, model) === "film" && state.trained?.model !== base)
      load(base);
  };
  store.watch(["model", "right", "models"], check);
  return () => {
    store.update({ trained: null });
    check(store.state);
  };
}
