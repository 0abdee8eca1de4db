// The inspector: one store, the views that draw it, the loader that fills it, and the URL that keeps it.

import { answers, lane, UNASKED } from "./answers.js";
import { fit, modelIn } from "./choice.js";
import { keysThatFollow } from "./choices.js";
import { history as edits } from "./history.js";
import { probes } from "./probes.js";
import { NAMES } from "./questions.js";
import { opening, relationsOf } from "./render/gallery.js";
import { Store } from "./store.js";
import { fromQuery, toQuery } from "./url.js";
import { announce } from "./views/announce.js";
import { chips } from "./views/chips.js";
import { matrixSwitch, scheme, viewSwitch } from "./views/chrome.js";
import { colourBar, colours } from "./views/colours.js";
import { compare } from "./views/compare/compare.js";
import { beside, tools } from "./views/compare/held.js";
import { need } from "./views/dom.js";
import { tellDrawn } from "./views/drawn.js";
import { effectLegend } from "./views/effectgrid.js";
import { effects } from "./views/effects.js";
import { find } from "./views/find.js";
import { gallery } from "./views/gallery.js";
import { grid } from "./views/grid.js";
import { head } from "./views/head.js";
import { inside } from "./views/inside/inside.js";
import { keyboard } from "./views/keyboard.js";
import { kindSwitch, segmentFilter } from "./views/kinds.js";
import { lens } from "./views/lens.js";
import { lines } from "./views/lines/lines.js";
import { masks } from "./views/masks.js";
import { paint } from "./views/paint.js";
import { notePainted, paintTools } from "./views/paint-tools.js";
import { modelPicker } from "./views/picker.js";
import { loadPlotly } from "./views/plotly.js";
import { predictions } from "./views/predict/predict.js";
import { hatchLegend, headTitle, readout } from "./views/readout.js";
import { save } from "./views/save/save.js";
import { scratchPanel } from "./views/scratch/panel.js";
import { rowSums } from "./views/scratch/sums.js";
import { sentences } from "./views/sentence.js";
import { status } from "./views/status.js";
import { rowTable } from "./views/tables.js";
import { tabs } from "./views/tabs.js";
import { waiting } from "./views/waiting.js";

/** @typedef {import("./types.d.ts").Boot} Boot */

/** @type {Boot} */
const boot = JSON.parse(need("#boot", HTMLScriptElement).textContent ?? "");

const store = new Store({
  ...fromQuery(location.search, boot.models, opening(boot.gallery), boot.limits.texts),
  models: boot.models,
  relations: { model: boot.models[0].name, drawn: relationsOf(boot.gallery) },
  ...UNASKED,
});

// first of all, so that no view is asked to draw a head that the model does not have
store.watch(["model", "models", "scratch"], (state) => store.update(fit(state, modelIn(state))));
edits(store);

colours(store);
scheme((name) => store.update({ scheme: name }));
sentences(store, boot);
modelPicker(store);
gallery(store, boot.gallery, boot.models[0].name);
masks(store);
chips(store);
kindSwitch(store);
segmentFilter(store);
grid(store);
headTitle(store);
hatchLegend(need("#legend", HTMLElement), store);
colourBar(store);
matrixSwitch(store);
tabs(store);
find(store);
rowTable(need("#row", HTMLTableElement), store);
lens(store);
const words = readout(need("#readout", HTMLElement), store);
/** @param {[number, number] | null} cell */
const onCell = (cell) => {
  words.cell(cell);
  asking.point(cell?.[0] ?? null);
};
const picture = head(store, {
  onCell,
  onVector: words.vector,
  onVectors: () => asking.vectors(),
});
paintTools(store);
paint(store, picture, onCell);
rowSums(store, picture);
const pictures = {
  heatmap: picture,
  lines: lines(need("#lines-view", HTMLElement), store, () => asking.retry()),
  inside: inside(need("#inside-view", HTMLElement), store, () => asking.retry()),
  compare: compare(need("#compare-view", HTMLElement), store, () => asking.retry(), [tools(store)]),
};
beside(store);
viewSwitch(store);
const measuring = scratchPanel(store, () => asking.retry());
save(store, pictures, boot);
keyboard(store);

const asking = answers(store, {
  names: NAMES,
  onPainted: notePainted,
  requests: {
    facts: (state) => measuring.facts(state),
    reference: (state) => measuring.reference(state),
  },
});
status(store, () => asking.retry());
waiting(lane);
probes(store);
announce(store); // after the answers: it speaks of them, not of questions
predictions(store, () => asking.retry());
effects(store, () => asking.retry());
effectLegend(store);

// `data-probe` says the same of the labels: they may come long after the picture.
store.watch(["probe"], ({ probe }) => {
  document.documentElement.dataset.probe = probe?.state ?? "waiting";
});

// The address follows what is on the page, so that it never holds what the server refused; a text that could not be sent
// is kept for a reload.
const write = (/** @type {typeof store.state} */ state) => {
  if (state.status === "loading" || (state.problem && !state.problem.retry)) return;
  try {
    history.replaceState(null, "", toQuery(state, state.models));
  } catch (error) {
    console.info("The address lags behind:", error); // browsers bound how often it may change
  }
};
store.watch(["status", ...keysThatFollow("now")], write);
let resting = 0;
store.watch(keysThatFollow("rest"), () => {
  clearTimeout(resting);
  resting = setTimeout(() => write(store.state), 150);
});

// plotly comes once the heads stand on the page; without it the canvas picture stays.
/** @type {Promise<void>} */
const library = new Promise((resolve) => {
  let asked = false;
  store.watch(["grid"], ({ grid: answer }) => {
    if (!answer || asked) return;
    asked = true;
    requestAnimationFrame(() =>
      setTimeout(async () => {
        performance.mark("heads"); // all heads, and the selected one, are on the screen: see benchmarks/first_view.py
        const plotly = await loadPlotly(boot.plotly_url, need("#heatmap-view", HTMLElement));
        if (plotly) picture.usePlotly(plotly);
        resolve();
      }),
    );
  });
});

tellDrawn(document.documentElement, store, asking.status, async () => {
  await library;
  await pictures[store.state.view].drawn();
});
