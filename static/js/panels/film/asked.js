// Fetches what was measured of a film, once its panel is open.

import { getFilm } from "../../api/api.js";
import { measuring } from "../../asking/measured.js";
import { modelIn } from "../../state/choice.js";
import { openPanel } from "../../state/panels.js";
import { stepsOf } from "./born.js";

/** @import { Store } from "../../state/store.js" */

/**
 * @param {Store} store
 * @param {typeof getFilm} [get]
 * @returns {() => void} asks again
 */
export function asking(store, get = getFilm) {
  const load = measuring(get, (trained) => store.update({ trained }));
  store.watch(["model", "right", "models"], (state) => {
    const model = modelIn(state);
    const { base } = stepsOf(model, state.models);
    if (base && openPanel(state.right, model) === "film" && state.trained?.model !== base)
      load(base);
  });
  return () => {
    const { base } = stepsOf(modelIn(store.state), store.state.models);
    if (base) load(base);
  };
}
