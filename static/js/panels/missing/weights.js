// Says once, in passing, that a link was made with other weights than its model has here.

import { MODEL_KEYS } from "../../sources/sources.js";
import { otherWeights } from "../../state/fitting/weights.js";
import { weightsInWords } from "./words.js";

/**
 * @param {import("../../state/store.js").Store} store
 * @param {(words: string) => void} say
 */
export function tellOtherWeights(store, say) {
  /** The model of the link; null: nothing is to be told. @type {string | null} */
  let asked = null;
  store.watch(["weights", "missing", ...MODEL_KEYS], (state) => {
    asked = state.weights === null ? null : (asked ?? state.model);
    if (asked === null || state.missing) return;
    const found = asked === state.model && otherWeights(state);
    if (found === null) return; // the model is not loaded yet
    store.update({ weights: null });
    if (found) say(weightsInWords(found));
  });
}
