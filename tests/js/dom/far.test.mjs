import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

globalThis.ResizeObserver = /** @type {any} */ (
  class {
    observe() {}
  }
);

const { panelElement } = await import("../../../static/js/page/mounts.js");
const { far } = await import("../../../static/js/panels/far/far.js");

const tokens = Array.from({ length: 9 }, (_, id) => ({
  id,
  text: ` w${id}`,
  special: false,
  padding: false,
}));
/** @param {number} head @param {number} query @param {number} key @param {number} weight */
const link = (head, query, key, weight) => ({
  site: "self.1",
  layer: 1,
  head,
  query,
  key,
  weight,
  distance: Math.abs(query - key),
});

/** @param {object[]} links @param {object} [more] */
function panel(links, more = {}) {
  page("#predictions");
  const answer = {
    trace: {
      model: "shipped",
      tokens: [tokens],
      target_tokens: null,
      far_links: [{ links, searched: links.length * 10 }],
    },
  };
  const store = new Store({
    model: "shipped",
    models: [shipped],
    texts: ["a b"],
    targets: [],
    shown: 0,
    right: "far",
    kind: "self",
    layer: 0,
    head: 0,
    query: null,
    key: null,
    zoom: null,
    detail: null,
    far_least: null,
    far_in: "all",
    far_first: false,
    far: { status: "ready", problem: null, answer },
    ...more,
  });
  far(panelElement("far"), store, () => {});
  return store;
}
const summary = () => document.querySelector("#far-panel .summary").textContent;

test("links are listed as a table, and a click jumps to one", () => {
  const store = panel([link(2, 8, 1, 0.75), link(0, 2, 7, 0.25)]);
  assert.deepEqual(texts(".far-links tbody tr:first-child > *"), [
    "0.7500",
    "w8",
    "w1",
    "← 7",
    "L1 · H2",
  ]);
  assert.equal(texts(".far-links tbody tr:last-child .number")[0], "5 →");
  assert.equal(summary(), "Click a link to see it in the picture.");
  assert.equal(document.querySelector(".far-links [aria-current]"), null);
  const buttons = [...document.querySelectorAll(".far-links button")];
  assert.equal(
    buttons[1].getAttribute("aria-label"),
    "In layer 1 head 0, “w2” attends to “w7”, 5 tokens after it, with weight 0.2500. Show it.",
  );
  buttons[1].click();
  const { layer, head, query, key, zoom } = store.state;
  assert.deepEqual([layer, head, query, key, zoom], [1, 0, 2, 7, null]);
  assert.match(summary(), /^In layer 1 head 0, “w2” attends to “w7”/);
  assert.equal(texts(".far-links [aria-current] td")[0], "0.2500");
  assert.match(texts("#far-panel .source")[0], /largest weights of 20 cells/);
});

test("the settings are the reader's choice", () => {
  const store = panel([link(2, 8, 1, 0.75)]);
  assert.deepEqual(texts("#far-panel output"), ["4 tokens apart"]);
  click("#far-panel input[value=head]");
  click("#far-panel input[type=checkbox]");
  const slider = document.querySelector("#far-panel input[type=range]");
  slider.value = "0";
  slider.dispatchEvent(new Event("input"));
  const { far_in, far_first, far_least } = store.state;
  assert.deepEqual([far_in, far_first, far_least], ["head", true, 2]);
  assert.deepEqual(texts("#far-panel output"), ["2 tokens apart"]);
  store.update({ far_least: 100, far_in: "all" });
  assert.deepEqual(texts("#far-panel output"), ["100 tokens apart"]);
  assert.equal(document.querySelector("#far-panel input[value=all]").checked, true);
});

test("what there is not is said in words", () => {
  panel([]);
  assert.match(summary(), /^Nothing here is at least 4 tokens apart/);
  assert.equal(document.querySelector(".far-links").hidden, true);
  panel([], { far: null });
  assert.equal(summary(), "Looking for far links …");
  const problem = { message: "This would take about 40 s.", retry: false };
  panel([], { far: { status: "error", problem, answer: null } });
  assert.equal(summary(), "This would take about 40 s.");
});

test("where no links are found, the reason stands in place of the overview", () => {
  const problem = { message: "This needs a server.", retry: false };
  const store = panel([], { far: { status: "error", problem, answer: null } });
  const [overview, said] = document.querySelector("#far-panel").children;
  assert.ok(overview.hidden);
  assert.equal(said.textContent, "This needs a server.");
  store.update({ far: null });
  assert.equal(overview.hidden, false);
  assert.ok(said.previousElementSibling.classList.contains("far-settings"));
});

test("the overview is a slider over the tokens, for the keyboard, too", () => {
  panel([link(2, 8, 1, 0.75)]);
  const overview = document.querySelector(".far-overview");
  assert.equal(overview.getAttribute("role"), "slider");
  assert.equal(overview.getAttribute("aria-label"), "Overview of the text");
  assert.equal(overview.tabIndex, 0);
});
