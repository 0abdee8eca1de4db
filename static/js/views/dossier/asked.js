// Fetches the dossier of the model on screen, once its view is open.

import { getDossier } from "../../api/api.js";
import { measuring } from "../../asking/measured.js";
import { modelIn } from "../../state/choice.js";
import { NO_SERVER } from "./words.js";

/** @import { Store } from "../../state/store.js" */

/**
 * @param {Store} store
 * @param {typeof getDossier} [get]
 * @returns {() => void} asks again
 */
export function asking(store, get = getDossier) {
  const load = measuring(get, (corpus) => store.update({ corpus }), NO_SERVER);
  store.watch(["model", "view", "models"], (state) => {
    const model = modelIn(state);
    if (state.view !== "dossier" || model.state !== "ready") return;
    if (state.corpus?.model !== state.model) load(state.model);
  });
  return () => load(store.state.model);
}
