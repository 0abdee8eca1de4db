// Tokens left and right, and lines between them as strong as the pattern.

import { need } from "./dom.js";

/** @typedef {import("../store.js").Store} Store */

/** @param {Store} store */
export function lines(store) {
  const panel = need("#lines-view", HTMLElement);
  store.watch(["view"], () => panel);
  return {
    /** Resolves when what is selected now has been drawn. */
    drawn: () => Promise.resolve(),
    /** The picture as a file has it; null while there is none. @returns {import("../render/scene.js").Scene | null} */
    scene: () => null,
  };
}
