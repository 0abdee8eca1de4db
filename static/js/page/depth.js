// The depth of the page: Start for a first visit, Full with every control, Present for a projector. What each depth shows is said in the
// templates, beside each element: data-only lists the depths that have it.

import { need } from "../dom/dom.js";
import { DEPTH_SWITCH } from "./words.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").Choice["depth"]} Depth */

/** What an empty address shows: js/depth.js has found it. */
export const usualDepth = () =>
  document.documentElement.dataset.depth === "full" ? "full" : "start";

/**
 * Follows the depth, and remembers it for the next visit.
 * @param {Store} store
 */
export function depths(store) {
  const more = need("#depth", HTMLButtonElement);
  const present = need("#present-open", HTMLButtonElement);
  more.addEventListener("click", () =>
    store.update({ depth: store.state.depth === "full" ? "start" : "full" }),
  );
  present.addEventListener("click", () => store.update({ depth: "present" }));
  /** The depth that Present leaves for. @type {Depth} */
  let back = usualDepth();
  store.watch(["depth"], ({ depth }) => {
    document.documentElement.dataset.depth = depth;
    if (depth === "present") return;
    more.textContent = DEPTH_SWITCH[depth];
    back = depth;
    try {
      localStorage.setItem("depth", depth);
    } catch {
      // storage is blocked: the next visit starts anew
    }
  });
  return {
    /** Leave Present. */
    leave: () => store.update({ depth: back }),
  };
}
