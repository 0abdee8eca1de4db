// Keeps a choice fit for its model, whichever control, link or undo has changed it.

import { MODEL_KEYS } from "../../sources/sources.js";
import { fit, modelIn } from "../choice.js";

/**
 * Call it before any view is made, so that none has to draw a head that the model does not have.
 * @param {import("../store.js").Store} store
 */
export function fitting(store) {
  let { model } = store.state;
  store.watch(MODEL_KEYS, (state) => {
    const isOther = state.model !== model;
    model = state.model;
    const fresh = isOther ? { probe: null, effects: null, lacks: {} } : {}; // these belong to the other model
    store.update({ ...fresh, ...fit(state, modelIn(state)) });
  });
}
