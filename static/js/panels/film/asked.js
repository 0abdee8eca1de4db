// Fetches what was measured of a film, once a step of it is on screen.

import { getFilm } from "../../api/api.js";
import { measuring } from "../../asking/measured.js";
import { modelIn } from "../../state/choice.js";
import { stepsOf } from "./born.js";

/** @import { Store } from "../../state/store.js" */

/**
 * @param {Store} store
 * @param {typeof getFilm} [get]
 * @returns {() => void} asks again
 */
export function asking(store, get = getFilm) {
  const load = measuring(get, (trained) => store.update({ trained }));
  store.watch(["model", "models"], (state) => {
    const { base } = stepsOf(modelIn(state), state.models);
    if (base && state.trained?.model !== base) load(base);
  });
  return () => {
    const { base } = stepsOf(modelIn(store.state), store.state.models);
    if (base) load(base);
  };
}
