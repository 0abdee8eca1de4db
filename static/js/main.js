// The inspector: one store, the views that draw it, the loader that fills it, and the URL that keeps it.

import { Loader } from "./loader.js";
import { Store } from "./store.js";
import { fromQuery, toQuery } from "./url.js";
import { chips } from "./views/chips.js";
import { exports, matrixSwitch, scheme, share } from "./views/chrome.js";
import { need } from "./views/dom.js";
import { grid } from "./views/grid.js";
import { head } from "./views/head.js";
import { keyboard } from "./views/keyboard.js";
import { masks } from "./views/masks.js";
import { headTitle, nextToken, readout, rowTable } from "./views/readout.js";
import { modelPicker, sentences } from "./views/sentence.js";
import { status } from "./views/status.js";

/** @typedef {import("./types.d.ts").Boot} Boot */

// What a fresh page shows: a head that, at "cabinet", looks past the nearer noun to the subject of the verb to come.
const EXAMPLE = {
  text: "The keys near the old cabinet are on the table.",
  layer: 2,
  head: 4,
  query: 6,
};

/** @type {Boot} */
const boot = JSON.parse(need("#boot", HTMLScriptElement).textContent ?? "");

/** @param {string} name */
const modelOf = (name) => boot.models.find((model) => model.name === name) ?? boot.models[0];

const store = new Store({
  ...fromQuery(location.search, boot.models, EXAMPLE, boot.limits.texts),
  hover: null,
  scheme: "light",
  status: "loading",
  problem: null,
  grid: null,
  detail: null,
});

scheme(store);
sentences(store, boot);
modelPicker(store, boot);
masks(store, modelOf);
chips(store);
grid(store);
headTitle(store);
matrixSwitch(store);
rowTable(store);
nextToken(store);
const words = readout(store);
const picture = head(store, { onCell: words.cell, onVector: words.vector });
exports(store, picture.save);
share();
keyboard(store, modelOf);

const loader = new Loader(store, (name) => modelOf(name).predicts);
status(store, modelOf, () => loader.retry());

store.watch(["model"], ({ model }) => {
  const { state, n_layers, n_heads, n_parameters, trained_tokens } = modelOf(model);
  const size = `${n_layers} layers × ${n_heads} heads, ${(n_parameters / 1e6).toFixed(1)} M parameters`;
  need("#model-size", HTMLElement).textContent =
    state === "ready" ? `${size}, trained context ${trained_tokens}` : "not loaded";
});

// The address follows what is on the page, so that it never holds what the server refused; a text that could not be sent
// is kept for a reload.
store.watch(["status", "shown", "matrix"], (state) => {
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
