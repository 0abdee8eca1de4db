// The panels on the right: one row each, which the page needs whatever panel is open. What draws a panel comes when its tab is first opened
// (panel.js has both types); names and labels are in state/panels.js, because addresses use them.

import { decidedRequest, effectsRequest, lensRequest } from "../asking/requests.js";
import { coming, fillWith, there } from "../dom/coming.js";
import { modelIn } from "../state/choice.js";
import { openPanel } from "../state/panels.js";
import { attributionRequest } from "./attribution/request.js";
import { branchesRequest } from "./branches/request.js";
import { farRequest } from "./far/request.js";
import * as film from "./film/film.js";
import * as next from "./predict/predict.js";
import { spaceRequest } from "./space/request.js";
import { vectorRequest } from "./vector/request.js";

/** @import { PanelName } from "../state/panels.js" */

/** @type {Record<PanelName, import("./panel.js").Panel>} */
export const PANELS = {
  next: { part: there(next), questions: {} },
  branches: {
    part: coming(() => import("./branches/branches.js")),
    questions: { branches: { request: branchesRequest, turn: "apart", events: true } },
  },
  lens: {
    part: coming(() => import("./lens/lens.js")),
    questions: {
      lens: { request: lensRequest, turn: "beside" },
      // it may wait for a lens to be fitted, and takes seconds for a long text
      decided: { request: decidedRequest, turn: "apart", events: true },
    },
  },
  effects: {
    part: coming(() => import("./effects/effects.js")),
    questions: { effects: { request: effectsRequest, turn: "apart", events: true } },
    paints: true,
  },
  attribution: {
    part: coming(() => import("./attribution/attribution.js")),
    questions: { attribution: { request: attributionRequest, turn: "apart" } },
    paints: true,
  },
  vector: {
    part: coming(() => import("./vector/vector.js")),
    questions: { vector: { request: vectorRequest, turn: "apart", events: true } },
    paints: true,
  },
  far: {
    part: coming(() => import("./far/far.js")),
    questions: { far: { request: farRequest, turn: "apart", events: true } },
  },
  cache: { part: coming(() => import("./cache/cache.js")), questions: {} },
  circuits: {
    part: coming(() => import("./circuits/circuits.js")),
    questions: {}, // circuits belong to the weights, not to a text (asked.js)
  },
  space: {
    part: coming(() => import("./space/space.js")),
    questions: { space: { request: spaceRequest, turn: "apart", events: true } },
  },
  // a film belongs to the weights, not to a text (asked.js); its bar is beside the heads
  film: { part: there(film), questions: {}, paints: true },
};

/**
 * A panel in its element: now if it is there from the first, else from when its tab is first opened.
 * @param {PanelName} name
 * @param {HTMLElement} root
 * @param {import("../state/store.js").Store} store
 * @param {import("./panel.js").Page} page
 */
export function mounted(name, root, store, page) {
  const isFirst = PANELS[name].part.there !== null;
  let isAsked = false;
  store.watch(["right", "model", "models"], ({ right, ...state }) => {
    if (isAsked || !(isFirst || openPanel(right, modelIn(state)) === name)) return;
    isAsked = true;
    fillWith(root, PANELS[name].part, ({ make }) => {
      make(root, store, page);
      store.update({ came: name });
    });
  });
}
