import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { backend } from "../../../static/js/api/backend.js";
import { alone } from "../../../static/js/page/alone/alone.js";
import { click, document, texts } from "./dom.mjs";

const settled = () => new Promise(setImmediate);
const SILENT = "The server does not answer.";
const HERE = "This page computes by itself.";
const LEFT = `${HERE} The server did not answer.`;

/** The lines, on a page whose server answers or does not; `silent` breaks the silence or begins one; `files` of the engine, once they are here. */
function begin({ files = Promise.resolve(), up = false, usual = "server" } = {}) {
  document.body.innerHTML = '<header class="bar"><div id="messages"></div></header>';
  Object.defineProperty(backend, "engine", {
    configurable: true,
    value: { open: () => files },
  });
  backend.goOn(false);
  backend.prepare(
    /** @type {any} */ ({
      engine: { usual, models: ["shipped"], files: {} },
      models: [],
      limits: {},
    }),
  );
  globalThis.fetch = async () => new Response("", { status: up ? 200 : 503 });
  /** @type {any} */
  const did = { renewed: 0, retried: 0, silent: null };
  const lane = {
    silence: { watch: (/** @type {any} */ tell) => (did.silent = tell) },
    renew: () => (did.renewed += 1),
  };
  alone(/** @type {any} */ (lane), () => (did.retried += 1));
  return did;
}
beforeEach((/** @type {any} */ t) => t.mock.timers.enable({ apis: ["setTimeout"] })); // nobody waits for the next look

/** What is said, and the buttons that can be pressed. */
const seen = () => [
  ...texts("section:not([hidden]) p"),
  ...texts("section:not([hidden]) button:not([hidden])"),
];

test("a server that is silent can be left, and asked again once it is back", async () => {
  const did = begin({ up: true });
  assert.deepEqual(seen(), []);
  did.silent({ model: "shipped" });
  await settled();
  assert.deepEqual(seen(), [SILENT, "Go on without it"]);
  assert.equal(backend.isHere("shipped"), false, "the page does not switch by itself");
  click("section:not([hidden]) button");
  assert.equal(backend.isHere("shipped"), true);
  assert.deepEqual([did.renewed, did.retried], [1, 1]);
  did.silent(null);
  await settled();
  assert.deepEqual(seen(), [LEFT, "Use the server"]);
  click("section:not([hidden]) button", "Use the server");
  assert.equal(backend.isHere("shipped"), false);
  assert.deepEqual(seen(), []);
  assert.equal(did.renewed, 2);
});

test("there is no way back while the server does not answer", async () => {
  begin();
  backend.goOn(true);
  await settled();
  assert.deepEqual(seen(), [LEFT]);
});

test("that the server is silent is said before the engine is here", async () => {
  /** @type {() => void} */
  let arrive = () => {};
  const did = begin({ files: new Promise((resolve) => (arrive = () => resolve(undefined))) });
  did.silent({ model: "shipped" });
  await settled();
  assert.deepEqual(seen(), [SILENT], "a server that was stopped sends no file, and no error");
  arrive();
  await settled();
  assert.deepEqual(seen(), [SILENT, "Go on without it"]);
});

test("an answer takes the offer away", async () => {
  const did = begin();
  did.silent({ model: "shipped" });
  await settled();
  did.silent(null);
  assert.deepEqual(seen(), []);
  did.silent({ model: "shipped" });
  did.silent(null); // while the engine starts
  await settled();
  assert.deepEqual(seen(), []);
});

test("nothing is offered that the page cannot do", async () => {
  const other = begin();
  other.silent({ model: "bert" });
  await settled();
  assert.deepEqual(seen(), []);
  const without = begin({ files: Promise.reject(new Error("Gone.")) });
  without.silent({ model: "shipped" });
  await settled();
  assert.deepEqual(seen(), [SILENT], "it is said all the same");
});

test("its title says, too, why the page computes", () => {
  begin();
  backend.goOn(true);
  assert.equal(document.querySelector(".alone").title, "The server did not answer.");
  backend.goOn(false);
  backend.choose("page");
  assert.deepEqual([seen(), document.querySelector(".alone").title], [[HERE], ""]);
});

test("a page that computes because a link or a setting says so says it, too", () => {
  begin({ usual: "page" });
  assert.deepEqual(seen(), [HERE]);
  backend.choose("server");
  assert.deepEqual(seen(), []);
});
