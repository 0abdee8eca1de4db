// The views: one row each, which the page needs whatever view is on show. What draws a view comes when it is first looked at (view.js has
// both types); names and labels are in state/views.js, because addresses use them.

import { COMPOSITION } from "../asking/requests.js";
import { tableOf } from "../asking/table.js";
import { arrived, coming, fillWith, there } from "../dom/coming.js";
import { otherRequest, wholeRequest } from "./compare/request.js";
import { drawnIn } from "./explanations/reading.js";
import {
  lacks as explanationsLacks,
  explanationsRequest,
  searchRequest,
} from "./explanations/request.js";
import * as heatmap from "./heatmap/heatmap.js";
import { lacks as insideLacks, insideRequest } from "./inside/request.js";
import { overlayRequest } from "./lines/request.js";
import { lacks as patchLacks, patchRequest } from "./patch/request.js";
import { lacks as pathsLacks, pathsRequest } from "./paths/request.js";
import { textRequest } from "./text/weights.js";
import { lacks as whyLacks, whyRequest } from "./why/request.js";

/** @import { ViewName } from "../state/views.js" */
/** @import { Picture, View } from "./view.js" */

const FIRST_PATCHES = 20; // that are run before the others: those with the largest estimates

/** @type {Record<ViewName, View>} */
export const VIEWS = {
  heatmap: { part: there(heatmap), questions: {}, oneMatrix: true },
  lines: {
    part: coming(() => import("./lines/lines.js")),
    questions: { overlays: { request: overlayRequest, turn: "beside" } },
    oneMatrix: true,
  },
  inside: {
    part: coming(() => import("./inside/inside.js")),
    questions: { inside: { request: insideRequest, turn: "beside" } },
    oneMatrix: false,
    lacks: insideLacks,
  },
  compare: {
    part: coming(() => import("./compare/compare.js")),
    questions: {
      other: { request: otherRequest, turn: "beside" },
      whole: { request: wholeRequest, turn: "apart" },
    },
    oneMatrix: true,
  },
  text: {
    part: coming(() => import("./text/text.js")),
    questions: { text: { request: textRequest, turn: "beside" } },
    oneMatrix: false,
  },
  why: {
    part: coming(() => import("./why/why.js")),
    questions: { why: { request: whyRequest, turn: "apart" } },
    oneMatrix: false,
    lacks: whyLacks,
  },
  paths: {
    part: coming(() => import("./paths/paths.js")),
    questions: {
      paths: { request: pathsRequest, turn: "apart", events: true },
      composition: COMPOSITION,
    },
    oneMatrix: false,
    lacks: pathsLacks,
  },
  explanations: {
    part: coming(() => import("./explanations/explanations.js")),
    questions: {
      explanations: {
        request: (state, model) => explanationsRequest(state, model, []),
        turn: "apart",
        events: true,
      },
      curves: {
        request: (state, model) =>
          state.explanations?.status === "ready"
            ? explanationsRequest(state, model, state.areas ? null : drawnIn(state))
            : null,
        turn: "apart",
        events: true,
      },
      other_attention: {
        request: (state, model) => {
          const request = searchRequest(state, model);
          return request && state.searched === JSON.stringify(request) ? request : null;
        },
        turn: "apart",
        events: true,
      },
    },
    oneMatrix: false,
    lacks: explanationsLacks,
  },
  patch: {
    part: coming(() => import("./patch/patch.js")),
    questions: {
      patch: {
        request: (state, model) => patchRequest(state, model, FIRST_PATCHES),
        turn: "apart",
        events: true,
      },
      patched: {
        request: (state, model) =>
          state.patch?.status === "ready" ? patchRequest(state, model, null) : null,
        turn: "apart",
        events: true,
      },
    },
    oneMatrix: false,
    lacks: patchLacks,
  },
  dossier: {
    part: coming(() => import("./dossier/dossier.js")),
    questions: {},
    oneMatrix: false,
  },
  map: {
    part: coming(() => import("./map/map.js")),
    questions: { composition: COMPOSITION },
    oneMatrix: false,
  },
};

/** The questions of each view. */
export const OF_VIEWS = Object.values(VIEWS).map(({ questions }) => questions);

export const { SLOTS, questions, UNASKED } = tableOf(OF_VIEWS);

/**
 * A view in its element, from when it is first looked at.
 * @param {ViewName} name
 * @param {HTMLElement} root
 * @param {import("../state/store.js").Store} store
 * @param {import("./view.js").Page} page
 * @returns {Picture}
 */
export function mounted(name, root, store, page) {
  /** @type {Picture | null} */
  let picture = null;
  let isAsked = false;
  /** @type {ViewName | undefined} */
  let before;
  store.watch(["view"], ({ view }) => {
    if (isAsked) return;
    if (view !== name) {
      before = view;
      return;
    }
    isAsked = true;
    fillWith(root, VIEWS[name].part, ({ make }) => {
      picture = make(root, store, { ...page, before });
    });
  });
  return {
    drawn: async () => {
      await arrived();
      await picture?.drawn();
    },
    scene: (look) => picture?.scene?.(look) ?? null,
    legend: () => picture?.legend?.() ?? null,
  };
}
