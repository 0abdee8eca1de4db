// The inspector: one store, the views that draw it, the loader that fills it, and the URL that keeps it.

import { EffectsLoader } from "./effects.js";
import { Loader } from "./loader.js";
import { probes } from "./probes.js";
import { opening, relationsOf } from "./render/gallery.js";
import { Store } from "./store.js";
import { fromQuery, toQuery } from "./url.js";
import { chips } from "./views/chips.js";
import { exports, matrixSwitch, scheme, share } from "./views/chrome.js";
import { need } from "./views/dom.js";
import { effects } from "./views/effects.js";
import { find } from "./views/find.js";
import { gallery } from "./views/gallery.js";
import { grid } from "./views/grid.js";
import { head } from "./views/head.js";
import { keyboard } from "./views/keyboard.js";
import { lens } from "./views/lens.js";
import { masks } from "./views/masks.js";
import { headTitle, readout } from "./views/readout.js";
import { modelPicker, sentences } from "./views/sentence.js";
import { status } from "./views/status.js";
import { nextToken, rowTable } from "./views/tables.js";
import { tabs } from "./views/tabs.js";

/** @typedef {import("./types.d.ts").Boot} Boot */

/** @type {Boot} */
const boot = JSON.parse(need("#boot", HTMLScriptElement).textContent ?? "");

/** @param {string} name */
const modelOf = (name) => boot.models.find((model) => model.name === name) ?? boot.models[0];

const store = new Store({
  ...fromQuery(location.search, boot.models, opening(boot.gallery), boot.limits.texts),
  relations: { model: boot.models[0].name, drawn: relationsOf(boot.gallery) },
  hover: null,
  scheme: "light",
  status: "loading",
  problem: null,
  grid: null,
  detail: null,
  probe: null,
  effects: null,
  lacks: {},
});

scheme(store);
sentences(store, boot);
modelPicker(store, boot);
gallery(store, boot.gallery, boot.models[0].name);
masks(store, modelOf);
chips(store);
grid(store);
headTitle(store);
matrixSwitch(store);
tabs(store);
find(store);
rowTable(store);
nextToken(store);
lens(store);
const words = readout(store);
const picture = head(store, { onCell: words.cell, onVector: words.vector });
exports(store, picture.save);
share();
keyboard(store, modelOf);

const loader = new Loader(store, modelOf);
status(store, modelOf, () => loader.retry());
probes(store);
const effectsLoader = new EffectsLoader(store, modelOf); // after the other: it waits for the picture
effects(store, modelOf, () => effectsLoader.retry());

// `data-probe` says the same of the labels: they may come long after the picture.
store.watch(["probe"], ({ probe }) => {
  document.documentElement.dataset.probe = probe?.state ?? "waiting";
});

store.watch(["model"], ({ model }) => {
  const { state, n_layers, n_heads, n_parameters, trained_tokens } = modelOf(model);
  const size = `${n_layers} layers × ${n_heads} heads, ${(n_parameters / 1e6).toFixed(1)} M parameters`;
  need("#model-size", HTMLElement).textContent =
    state === "ready" ? `${size}, trained context ${trained_tokens}` : "not loaded";
});

// The address follows what is on the page, so that it never holds what the server refused; a text that could not be sent
// is kept for a reload.
store.watch(["status", "shown", "matrix", "find", "by", "least", "left", "right"], (state) => {
  if (state.status === "loading" || (state.problem && !state.problem.retry)) return;
  try {
    history.replaceState(null, "", toQuery(state, boot.models));
  } catch (error) {
    console.info("The address lags behind:", error); // browsers bound how often it may change
  }
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
store.watch(["status", "matrix", "shown", "scheme"], async ({ status: now }) => {
  const root = document.documentElement;
  if (now !== "ready") {
    root.dataset.state = now;
    return;
  }
  await library;
  await picture.drawn();
  if (store.state.status === "ready") root.dataset.state = "ready";
});
