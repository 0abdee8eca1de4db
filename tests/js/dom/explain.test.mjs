import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { VIEWS } from "../../../static/js/state/views.js";
import { asked, listed, selected } from "../explaining.mjs";
import { click, document, page, texts } from "./dom.mjs";

const { explain } = await import("../../../static/js/panels/explain/explain.js");

/** @param {object} [more] of the state */
function mounted(more) {
  page("#explain");
  const next = asked({ predictions: [[listed(9, " are", 0.378)]], predicted_at: [3] });
  const muting = asked({ predictions: [[listed(9, " are", 0.385)]] });
  const store = new Store(selected({ query: 3, next, muting, ...more }));
  explain(document.querySelector("#explain"), store);
  return { store };
}
const said = () => texts("#explain p")[0];
const buttons = () =>
  [...document.querySelectorAll("#explain button")].flatMap(({ hidden, textContent }) =>
    hidden ? [] : textContent,
  );

test("what is selected is explained, and the cell under the pointer while it is there", () => {
  const { store } = mounted();
  assert.match(said(), /^In this head, “to” gives 64% of its attention to “keys”\./);
  const before = buttons();
  store.update({ cell: [2, 0] });
  assert.match(said(), /^In this head, “keys” gives 99\.2%/);
  assert.deepEqual(buttons(), before); // which stay where they are
  store.update({ cell: null });
  assert.match(said(), /“to” gives 64%/);
  store.update({ query: 0 });
  assert.match(said(), /^“\[BOS\]” can only look at itself/);
});

test("before anything is explained there are no buttons", () => {
  mounted({ status: "error", detail: null });
  assert.deepEqual(buttons(), []);
});

test("in a view of tokens the token under the pointer is explained: a query by its row, a key in the row that is read", () => {
  const { store } = mounted({ view: "lines" });
  const before = said();
  const at = (/** @type {object | null} */ hover) => {
    store.update({ hover });
    return said();
  };
  const own = { axis: "tokens", place: 2 };
  assert.match(at({ ...own, role: "query" }), /^In this head, “keys” gives 99\.2%/);
  assert.match(
    at({ ...own, role: "key" }),
    /^In this head, “to” gives 64% of its attention to “keys”/,
  );
  assert.match(at(own), /^In this head, “keys” gives 99\.2%/); // a chip has no role
  assert.equal(at(null), before);
  store.update({ view: "heatmap" });
  assert.equal(at(own), before); // there the pointer is at a cell
});

test("what has room only in the full page is marked", () => {
  mounted();
  assert.deepEqual(
    texts("#explain p [data-only=full]").map((text) => text.trim()),
    ["1 later token is hidden by the causal mask."],
  );
});

test("the last words stay until the next answer", () => {
  const { store } = mounted();
  store.update({ status: "loading", query: 2 });
  store.update({ cell: [2, 0] });
  assert.match(said(), /“to” gives 64%/);
  store.update({ status: "ready" });
  assert.match(said(), /“keys” gives 99\.2%/);
});

/** The drawer is made when it is first opened. */
async function pressWhy() {
  await import("../../../static/js/panels/explain/drawer.js");
  click("#explain button", "Why?");
  await new Promise((resolve) => setTimeout(resolve));
}

test("the buttons lead to the arithmetic, to all heads, and to the row before", async () => {
  const { store } = mounted({ key: 1 });
  assert.deepEqual(buttons(), [
    "Why?",
    "Take this score apart",
    "Which heads matter most?",
    "What predicts “to”?",
  ]);
  click("#explain button", "Which heads matter most?");
  assert.equal(store.state.right, "effects");
  await pressWhy();
  const { drawer, view, query, key } = store.state;
  assert.deepEqual([drawer, view, query, key], [true, "heatmap", 3, 1]);
  assert.ok(document.querySelector("#explain").hidden); // the drawer says more of the same
  assert.equal(document.activeElement.textContent, "All keys");
  click("#why-drawer button", "All keys");
  assert.deepEqual([store.state.drawer, store.state.view], [false, "inside"]);
  assert.deepEqual(buttons(), ["Take this score apart", "What predicts “to”?"]);
  click("#explain button", "Take this score apart");
  assert.deepEqual([store.state.view, store.state.key], ["why", 1]);
  store.update({ view: "heatmap" });
  click("#explain button", "What predicts “to”?");
  assert.deepEqual([store.state.query, store.state.key], [2, null]);
});

test("what opens below the picture shows no numbers of another head or row", async () => {
  const { store } = mounted({ key: 1 });
  const { answer } = store.state.detail ? asked(store.state.detail.trace) : asked({});
  store.update({ inside: { status: "ready", problem: null, answer } }); // that was asked for something else
  await pressWhy();
  assert.equal(document.querySelector("#why-drawer").hidden, false);
  assert.deepEqual(texts("#why-drawer li"), []);
  store.update({
    inside: { status: "error", problem: { message: "Too much.", retry: false }, answer: null },
  });
  assert.deepEqual(texts("#why-drawer .hint"), ["Too much."]);
  assert.ok(document.querySelector(".drawer-cells").hidden);
});

test("a view that says itself what it shows has no explanation below it", () => {
  const { store } = mounted();
  const without = VIEWS.filter(({ name }) => {
    store.update({ view: name });
    return document.querySelector("#explain").hidden;
  });
  assert.deepEqual(
    without.map(({ name }) => name),
    VIEWS.flatMap((row) => ("own_words" in row ? [row.name] : [])),
  );
  assert.ok(without.some(({ name }) => name === "compare"));
  store.update({ view: "heatmap" });
  assert.equal(document.querySelector("#explain").hidden, false);
});
