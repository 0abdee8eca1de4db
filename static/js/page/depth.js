// The depth of the page: Start for a first visit, Full with every control, Present for a projector, Embed for a frame in another page. What
// each depth shows is said in the templates, beside each element: data-only lists the depths that have it.

import { postTrace } from "../api/api.js";
import { mutesRequest, tellsOfMutes } from "../asking/requests.js";
import { need } from "../dom/dom.js";
import { liveliest, mostMissed } from "../numbers/liveliest.js";
import { FEW, hasManyHeads, mutesIn } from "../numbers/mutes.js";
import { readBar } from "../standalone/bar.js";
import { CHOICE_KEYS } from "../state/address.js";
import { modelIn } from "../state/choice.js";
import { DEPTH_SWITCH } from "./words.js";

/** @import { Store } from "../state/store.js" */

/** What an empty address shows: js/depth.js has found it. */
export const usualDepth = () =>
  document.documentElement.dataset.depth === "full" ? "full" : "start";

const SOON_MS = 2000; // a head that is found later would take the place of one that is being looked at

/**
 * Where one explores, a model of which no head was chosen opens on one that looks somewhere, since many heads rest on the first token; and then, if that is known soon, on the one whose
 * mute moves the prediction most.
 * @param {Store} store
 * @param {string} search the address
 * @param {typeof postTrace} [ask]
 */
export function firstHead(store, search, ask = postTrace) {
  const { dataset } = document.documentElement;
  let waits = !namesHead(search);
  let { model } = store.state;
  store.watch(["model"], (state) => {
    if (state.model === model) return;
    model = state.model;
    const bar = readBar(); // Back, Forward and links have changed it already; a choice in the page has not
    const named = new URLSearchParams(bar).get("model") ?? state.models[0]?.name;
    waits = !(named === model && namesHead(bar));
  });
  store.watch(["grid"], ({ grid, depth, layer, head, shown, quiz, against }) => {
    if (!waits || !grid || grid.trace.model !== model) return;
    waits = false;
    const opened = modelIn(store.state);
    // with every control, the first head of a mechanism that one builds is as good as another
    const isFound = depth === "full" && (opened.predicts || hasManyHeads(opened));
    const isOpened = depth === "start" || isFound;
    if (!isOpened || layer > 0 || head > 0 || quiz || against) return;
    const found = liveliest(grid, Math.min(shown, grid.trace.tokens.length - 1));
    if (found) store.update(found);
    dataset.seeking = ""; // tests wait until the head stays
    missed(store, ask)
      .then(
        (other) => other && store.update(other),
        () => {}, // the first one stays, and so does what it says
      )
      .finally(() => {
        delete dataset.seeking;
      });
  });
}

/** @param {string} search */
function namesHead(search) {
  const query = new URLSearchParams(search);
  return query.has("layer") || query.has("head");
}

/** The head whose mute moves the prediction most; null if the reader has gone on. @param {Store} store @param {typeof postTrace} ask */
async function missed(store, ask) {
  const before = store.state;
  const model = modelIn(before);
  if (!tellsOfMutes(model) || !model.predicts) return null;
  const signal = AbortSignal.timeout(SOON_MS);
  const { trace } = await ask(mutesRequest(before, model, FEW), signal);
  const effects = mutesIn(trace, Math.min(before.shown, trace.tokens.length - 1))?.effects;
  const isSame = CHOICE_KEYS.every((key) => store.state[key] === before[key]);
  return effects && isSame && !signal.aborted ? mostMissed(effects, before.kind) : null;
}

/** Follows the depth, and remembers it for the next visit. @param {Store} store */
export function depths(store) {
  const more = need("#depth", HTMLButtonElement);
  more.addEventListener("click", () =>
    store.update(
      store.state.depth === "full"
        ? { depth: "start", find: null, left: "row" } // Start has no way to end a ranking
        : { depth: "full" },
    ),
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
