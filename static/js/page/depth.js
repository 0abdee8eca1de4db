// The depth of the page: Start for a first visit, Full with every control, Present for a projector, Embed for a frame in another page. What
// each depth shows is said in the templates, beside each element: data-only lists the depths that have it.

import { need } from "../dom/dom.js";
import { DEPTH_SWITCH } from "./words.js";

/** @import { Store } from "../state/store.js" */

/** What an empty address shows: js/depth.js has found it. */
export const usualDepth = () =>
  document.documentElement.dataset.depth === "full" ? "full" : "start";

/** Follows the depth, and remembers it for the next visit. @param {Store} store */
export function depths(store) {
  const more = need("#depth", HTMLButtonElement);
  more.addEventListener("click", () =>
    store.update({ depth: store.state.depth === "full" ? "start" : "full" }),
  );
  store.watch(["depth"], ({ depth }) => {
    document.documentElement.dataset.depth = depth;
    if (depth === "present" || depth === "embed") return;
    more.textContent = DEPTH_SWITCH[depth];
    try {
      localStorage.setItem("depth", depth);
    } catch {
      // storage is blocked: the next visit starts anew
    }
  });
}
