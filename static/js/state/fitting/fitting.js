// Keeps a choice fit for its model, whichever control, link or undo has changed it.

import { MODEL_KEYS } from "../../sources/sources.js";
import { fitted } from "../against.js";
import { fit, modelIn } from "../choice.js";
import { lostIn } from "./lost.js";
import { lacksHead } from "./missing.js";

/** @import { Lost, State } from "../../types.d.ts" */

/**
 * Call it before any view is made, so that none has to draw a head that the model does not have.
 * @param {import("../store.js").Store} store
 * @param {(lost: Lost) => void} [say] called with what did not fit
 */
export function fitting(store, say) {
  let { model } = store.state;
  // until the model of a link is loaded, nobody knows whether it has the head of the link
  let isUnchecked = modelIn(store.state).sites === null;
  store.watch([...MODEL_KEYS, "against"], (state) => {
    const isOther = state.model !== model;
    const one = modelIn(state);
    model = state.model;
    const missing =
      isUnchecked && !isOther && lacksHead(state, one)
        ? { model: null, asked: state }
        : state.missing;
    if (isOther || one.sites) isUnchecked = false;
    const fresh = isOther ? { probe: null, effects: null, lacks: {} } : {}; // these belong to the other model
    const fits = { ...state, ...fit(state, one) };
    const changes = { ...fit(state, one), ...fitted(fits) };
    const lost = missing ? null : lostIn(state, { ...state, ...changes }, state.models);
    store.update({ ...fresh, missing, ...changes });
    if (lost) say?.(lost);
  });
}
