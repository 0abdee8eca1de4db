// Parts of the page that come later: once for all who ask, again after a failure, and with words meanwhile.

import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { document, page } from "./dom.mjs";

const { arrived, coming, fillWith, openedBy, there } = await import(
  "../../../static/js/dom/coming.js"
);
const { mounted: mountedView, VIEWS } = await import("../../../static/js/views/views.js");
const { mounted: mountedPanel, PANELS } = await import("../../../static/js/panels/panels.js");
const { NOT_LOADED } = await import("../../../static/js/words/problem.js");

/** A module that can be had, or not. */
function served() {
  const server = { n: 0, isDown: false };
  const load = async () => {
    server.n += 1;
    if (server.isDown) throw new Error("no network");
    return { name: `module ${server.n}` };
  };
  return { server, part: coming(load) };
}

test("a part comes once, for all who ask", async () => {
  const { server, part } = served();
  assert.equal(part.there, null);
  const [one, other] = await Promise.all([part.come(), part.come()]);
  assert.deepEqual([one, server.n], [other, 1]);
  assert.equal(part.there, one);
});

test("a part that could not come is asked for again", async () => {
  const { server, part } = served();
  server.isDown = true;
  await assert.rejects(part.come(), /This part of the page could not be loaded/);
  server.isDown = false;
  assert.equal((await part.come()).name, "module 2");
});

test("what is there fills its place at once; all else leaves it busy until it has come", async () => {
  const root = document.createElement("div");
  const names = /** @type {string[]} */ ([]);
  fillWith(root, there({ name: "first" }), ({ name }) => names.push(name));
  assert.deepEqual(names, ["first"]);
  const { part } = served();
  fillWith(root, part, ({ name }) => names.push(name));
  assert.equal(root.getAttribute("aria-busy"), "true");
  await arrived();
  assert.equal(root.hasAttribute("aria-busy"), false);
  assert.deepEqual(names, ["first", "module 1"]);
});

test("a part that could not come says so in its place, with a way on", async (t) => {
  t.mock.method(console, "error", () => {});
  const root = document.createElement("div");
  const { server, part } = served();
  server.isDown = true;
  fillWith(root, part, () => assert.fail("there is nothing to fill it with"));
  await arrived();
  assert.match(root.textContent ?? "", new RegExp(NOT_LOADED.slice(0, 30)));
  assert.equal(root.querySelectorAll("button").length, 1);
  assert.equal(root.hasAttribute("aria-busy"), false);
});

test("what a button opens is made when it is first pressed, and opened by the same press", async (t) => {
  t.mock.method(console, "error", () => {});
  const { server, part } = served();
  const opener = document.createElement("button");
  const [opened, said] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  /** @param {{name: string}} module */
  const fill = ({ name }) => {
    opener.addEventListener("click", () => opened.push(name));
    return name;
  };
  const made = openedBy(opener, part, fill, (words) => said.push(words));
  server.isDown = true;
  opener.click();
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual([opened, said], [[], [NOT_LOADED]]);
  server.isDown = false;
  for (const _ of [1, 2]) opener.click(); // while it comes
  assert.equal(await made(), "module 2");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(opened, ["module 2"]);
  opener.click();
  assert.deepEqual([opened.length, said.length], [2, 1]);
});

/** @param {object} more */
const storeOf = (more) =>
  new Store(/** @type {any} */ ({ model: "shipped", models: [shipped], came: null, ...more }));

/** Another part in a row, which has not come yet. @param {import("node:test").TestContext} t @param {any} row @param {unknown} make */
function replaced(t, row, make) {
  const { part } = row;
  row.part = coming(async () => ({ make }));
  t.after(() => {
    row.part = part;
  });
}

test("a view is made when it is first looked at, and only then", async (t) => {
  const made = t.mock.fn(() => ({ drawn: async () => {} }));
  replaced(t, VIEWS.map, made);
  const store = storeOf({ view: "heatmap" });
  const picture = mountedView("map", document.createElement("div"), store, /** @type {any} */ ({}));
  store.update({ view: "text" });
  assert.equal(picture.scene?.(), null);
  store.update({ view: "map" });
  store.update({ view: "lines" });
  store.update({ view: "map" });
  await picture.drawn();
  assert.equal(made.mock.callCount(), 1);
  assert.equal(made.mock.calls[0].arguments[2].before, "text", "to which it may lead back");
});

test("a panel is made when its tab is first opened, and the page is told", async (t) => {
  page("#predictions");
  const made = t.mock.fn();
  replaced(t, PANELS.far, made);
  const store = storeOf({ right: "next" });
  mountedPanel("far", document.createElement("div"), store, /** @type {any} */ ({}));
  await arrived();
  assert.equal(made.mock.callCount(), 0);
  store.update({ right: "far" });
  await arrived();
  assert.equal(made.mock.callCount(), 1);
  assert.equal(store.state.came, "far", "what it paints can be painted now");
});
