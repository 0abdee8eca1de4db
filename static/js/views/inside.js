// One row of a head, step by step: every number from q and k to what is written to the residual stream.

import { need } from "./dom.js";

/** @typedef {import("../store.js").Store} Store */

/** @param {Store} store */
export function inside(store) {
  const panel = need("#inside-view", HTMLElement);
  store.watch(["view"], () => panel);
  return {
    /** Resolves when what is selected now has been drawn. */
    drawn: () => Promise.resolve(),
    /** The picture as a file has it; null while there is none. @returns {import("../render/scene.js").Scene | null} */
    scene: () => null,
  };
}
