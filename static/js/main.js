// The inspector: one store, the views that draw it, the loader that fills it, and the URL that keeps it.

import { otherRequest, wholeRequest } from "./against.js";
import { Asker } from "./asker.js";
import { fit, modelIn } from "./choice.js";
import { history as edits } from "./history.js";
import { Loader } from "./loader.js";
import { Models } from "./models.js";
import { probes } from "./probes.js";
import { opening, relationsOf } from "./render/gallery.js";
import { overlayRequest } from "./render/lines/heads.js";
import { repainter } from "./repaint.js";
import { effectsRequest, nextRequest } from "./requests.js";
import { Store } from "./store.js";
import { fromQuery, toQuery } from "./url.js";
import { announce } from "./views/announce.js";
import { chips } from "./views/chips.js";
import { matrixSwitch, scheme, viewSwitch } from "./views/chrome.js";
import { colourBar, colours } from "./views/colours.js";
import { compare } from "./views/compare/compare.js";
import { need } from "./views/dom.js";
import { effectLegend } from "./views/effectgrid.js";
import { effects } from "./views/effects.js";
import { find } from "./views/find.js";
import { gallery } from "./views/gallery.js";
import { grid } from "./views/grid.js";
import { head } from "./views/head.js";
import { inside } from "./views/inside/inside.js";
import { insideRequest } from "./views/inside/request.js";
import { keyboard } from "./views/keyboard.js";
import { kindSwitch, segmentFilter } from "./views/kinds.js";
import { lens } from "./views/lens.js";
import { lines } from "./views/lines/lines.js";
import { overlayTrouble } from "./views/lines/tools.js";
import { masks } from "./views/masks.js";
import { paint } from "./views/paint.js";
import { notePainted, paintTools } from "./views/paint-tools.js";
import { modelPicker } from "./views/picker.js";
import { predictions } from "./views/predict/predict.js";
import { headTitle, readout } from "./views/readout.js";
import { save } from "./views/save/save.js";
import { sentences } from "./views/sentence.js";
import { status } from "./views/status.js";
import { rowTable } from "./views/tables.js";
import { tabs } from "./views/tabs.js";

/** @typedef {import("./types.d.ts").Boot} Boot */

/** @type {Boot} */
const boot = JSON.parse(need("#boot", HTMLScriptElement).textContent ?? "");

const store = new Store({
  ...fromQuery(location.search, boot.models, opening(boot.gallery), boot.limits.texts),
  models: boot.models,
  relations: { model: boot.models[0].name, drawn: relationsOf(boot.gallery) },
  hover: null,
  scheme: "light",
  status: "loading",
  problem: null,
  grid: null,
  detail: null,
  probe: null,
  next: null,
  effects: null,
  overlays: null,
  inside: null,
  other: null,
  whole: null,
  brush: null,
  past: [],
  future: [],
  lacks: {},
});

// first of all, so that no view is asked to draw a head that the model does not have
store.watch(["model", "models"], (state) => store.update(fit(state, modelIn(state))));
edits(store);

colours(store);
scheme(store);
sentences(store, boot);
modelPicker(store);
gallery(store, boot.gallery, boot.models[0].name);
masks(store);
chips(store);
kindSwitch(store);
segmentFilter(store);
grid(store);
headTitle(store);
colourBar(store);
matrixSwitch(store);
tabs(store);
find(store);
rowTable(store);
lens(store);
const words = readout(store);
/** @param {[number, number] | null} cell */
const onCell = (cell) => {
  words.cell(cell);
  loader.point(cell?.[0] ?? null);
};
const picture = head(store, {
  onCell,
  onVector: words.vector,
  onVectors: () => loader.vectors(),
});
paintTools(store);
paint(store, picture, onCell);
const pictures = {
  heatmap: picture,
  lines: lines(store),
  inside: inside(store, () => looking.retry()),
  compare: compare(store, () => {
    comparing.retry();
    comparingWith.retry();
  }),
};
viewSwitch(store);
save(store, pictures, boot);
keyboard(store);

const loader = new Loader(store, new Models(store), repainter(store, notePainted));
status(store, () => loader.retry());
probes(store);
announce(store); // after the loader: it speaks of answers, not of questions
// after the other: they wait for the picture
const trace = /** @type {const} */ ([
  "model",
  "models",
  "texts",
  "targets",
  "pairs",
  "masks",
  "muted",
]);
const settings = /** @type {const} */ (["temperature", "top_k", "top_p"]);
const predicting = new Asker(
  store,
  "next",
  [...trace, ...settings, "right", "kind", "query", "token"],
  (state) => nextRequest(state, modelIn(state)),
);
predictions(store, () => predicting.retry());
const muting = new Asker(store, "effects", [...trace, "right", "kind", "query", "token"], (state) =>
  effectsRequest(state, modelIn(state)),
);
effects(store, () => muting.retry());
const within = /** @type {const} */ ([
  "view",
  "kind",
  "layer",
  "head",
  "query",
  "shown",
  "segments",
]);
const looking = new Asker(store, "inside", [...trace, ...within, "detail"], (state) =>
  insideRequest(state, modelIn(state)),
);
effectLegend(store);
const beside = /** @type {const} */ (["view", "overlay", "layer", "head", "detail", "kind"]);
const overlays = new Asker(store, "overlays", [...trace, ...beside, "matrix", "lacks"], (state) =>
  overlayRequest(state, modelIn(state)),
);
overlayTrouble(store, () => overlays.retry());
const compares = /** @type {const} */ (["view", "against", "matrix"]);
const comparing = new Asker(
  store,
  "other",
  [...trace, ...compares, "shown", "query"],
  otherRequest,
);
const selected = /** @type {const} */ (["kind", "layer", "head"]);
const comparingWith = new Asker(store, "whole", [...trace, ...compares, ...selected], wholeRequest);

// `data-probe` says the same of the labels: they may come long after the picture.
store.watch(["probe"], ({ probe }) => {
  document.documentElement.dataset.probe = probe?.state ?? "waiting";
});

// The address follows what is on the page, so that it never holds what the server refused; a text that could not be sent
// is kept for a reload.
const seen = /** @type {const} */ ([
  "status",
  "shown",
  "query",
  "matrix",
  "view",
  "pinned",
  "overlay",
  "mass",
  "specials",
  "key",
  "step",
  "against",
  "token",
  "temperature",
  "top_k",
  "top_p",
  "scale",
  "log",
  "segments",
  "find",
  "by",
  "least",
]);
const write = (/** @type {typeof store.state} */ state) => {
  if (state.status === "loading" || (state.problem && !state.problem.retry)) return;
  try {
    history.replaceState(null, "", toQuery(state, state.models));
  } catch (error) {
    console.info("The address lags behind:", error); // browsers bound how often it may change
  }
};
store.watch([...seen, "left", "right"], write);
let zooming = 0; // a drag changes it many times a second: the address follows when it rests
store.watch(["zoom"], () => {
  clearTimeout(zooming);
  zooming = setTimeout(() => write(store.state), 150);
});

// plotly is large: it is fetched once the heads stand on the page.
/** @type {Promise<void>} */
const library = new Promise((resolve) => {
  store.watch(["grid"], ({ grid: answer }) => {
    if (!answer || document.querySelector("script[data-plotly]")) return;
    const script = document.createElement("script");
    script.dataset.plotly = "";
    script.src = boot.plotly_url;
    script.addEventListener("load", () => {
      picture.usePlotly(/** @type {any} */ (globalThis).Plotly);
      resolve();
    });
    script.addEventListener("error", () => resolve()); // the canvas picture stays
    requestAnimationFrame(() =>
      setTimeout(() => {
        performance.mark("heads"); // all heads, and the selected one, are on the screen: see benchmarks/first_view.py
        document.head.append(script);
      }),
    );
  });
});

// `data-state` says what a test or a script may wait for: the picture of what is selected now.
const asked = /** @type {const} */ (["next", "overlays", "inside", "other", "whole"]);
const drawnFrom = /** @type {const} */ ([
  "status",
  "view",
  "matrix",
  "shown",
  "scheme",
  "scale",
  "log",
]);
store.watch([...drawnFrom, ...asked], async () => {
  const root = document.documentElement;
  const now = whole(store.state);
  root.dataset.state = now === "ready" ? "loading" : now; // another view is still to be drawn
  if (now !== "ready") return;
  await library;
  await pictures[store.state.view].drawn();
  if (whole(store.state) === "ready") root.dataset.state = "ready";
});

/** The status of all that is drawn. @param {typeof store.state} state */
function whole(state) {
  if (state.status !== "ready") return state.status;
  return asked.some((slot) => state[slot]?.status === "loading") ? "loading" : "ready";
}
