// The switch of the views: what a model cannot show is grey, with the reason; the view that is open is always in it.

import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { bloom, shipped } from "../models.mjs";
import { document, page } from "./dom.mjs";

const { viewSwitch } = await import("../../../static/js/page/chrome.js");
const { viewElement } = await import("../../../static/js/page/mounts.js");
const { VIEWS } = await import("../../../static/js/views/views.js");
const { VIEWS: ROWS } = await import("../../../static/js/state/views.js");

function mounted(/** @type {object} */ more) {
  page();
  const store = new Store({
    models: [shipped, bloom],
    model: "shipped",
    view: "heatmap",
    matrix: "pattern",
    grid: null,
    quiz: false,
    ...more,
  });
  viewSwitch(store, Object.fromEntries(ROWS.map(({ name }) => [name, viewElement(name)])));
  const of = (/** @type {string} */ name) =>
    document.querySelector(`#view [value=${name}]`).closest("label");
  return { store, of };
}

test("what a model cannot show is grey, and says why", () => {
  const { store, of } = mounted({ model: "bloom" });
  const grey = ROWS.filter(({ name }) => of(name).classList.contains("lacking"));
  assert.deepEqual(
    grey,
    ROWS.filter(({ name }) => VIEWS[name].lacks?.(bloom)),
  );
  assert.match(of("inside").title, /cannot look inside the heads of this model: it asks for alibi/);
  for (const { name } of grey) assert.equal(of(name).title, VIEWS[name].lacks(bloom), name);
  assert.equal(of("lines").title, "from each token to what it looks at");
  store.update({ model: "shipped" });
  assert.equal(document.querySelectorAll("#view .lacking").length, 0);
  assert.equal(of("inside").title, "one row computed step by step, with every number");
});

test("a view of another depth is in the switch while it is open", () => {
  const { store, of } = mounted({ view: "compare" });
  const menu = document.querySelector("#why-menu");
  assert.deepEqual([of("compare").dataset.only, of("map").dataset.only], [undefined, "full"]);
  assert.equal(menu.dataset.only, "full");
  store.update({ view: "why" });
  assert.deepEqual([of("compare").dataset.only, of("why").dataset.only], ["full", undefined]);
  assert.equal(menu.dataset.only, undefined);
});
