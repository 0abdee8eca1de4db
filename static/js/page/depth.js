// The depth of the page: Start for a first visit, Full with every control, Present for a projector, Embed for a frame in another page. What
// each depth shows is said in the templates, beside each element: data-only lists the depths that have it.

import { need } from "../dom/dom.js";
import { liveliest } from "../numbers/liveliest.js";
import { DEPTH_SWITCH } from "./words.js";

/** @import { Store } from "../state/store.js" */

/** What an empty address shows: js/depth.js has found it. */
export const usualDepth = () =>
  document.documentElement.dataset.depth === "full" ? "full" : "start";

/**
 * In Start, a model of which no head was chosen opens on one that looks somewhere: the first head of many rests on the first token.
 * @param {Store} store
 * @param {string} search the address
 */
export function firstHead(store, search) {
  const query = new URLSearchParams(search);
  let waits = !query.has("layer") && !query.has("head");
  let { model } = store.state;
  store.watch(["model"], (state) => {
    waits ||= state.model !== model;
    model = state.model;
  });
  store.watch(["grid"], ({ grid, depth, layer, head, shown, quiz }) => {
    if (!waits || !grid || grid.trace.model !== model) return;
    waits = false;
    if (depth !== "start" || layer > 0 || head > 0 || quiz) return;
    const found = liveliest(grid, Math.min(shown, grid.trace.tokens.length - 1));
    if (found) store.update(found);
  });
}

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
