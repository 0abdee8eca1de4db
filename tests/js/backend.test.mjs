import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { getModels, getProbe, postTrace, questions, traceFile } from "../../static/js/api/api.js";
import { Backend, backend } from "../../static/js/api/backend.js";

const model = (/** @type {string} */ name) => /** @type {any} */ ({ name, state: "loading" });
const models = ["shipped", "bert", "scratch"].map(model);
const limits = { texts: 8, characters: 100, tokens: 64 };
/** @param {"server" | "page"} usual */
const boot = (usual) => ({
  limits,
  models,
  engine: { usual, models: ["shipped", "scratch"], files: {} },
});
const { signal } = new AbortController();

/** What was asked of the server. @type {string[]} */
const fetched = [];
globalThis.fetch = async (/** @type {any} */ address) => {
  fetched.push(address);
  return new Response(JSON.stringify({ models: ["shipped", "bert", "scratch", "new"].map(model) }));
};
beforeEach(() => {
  fetched.length = 0;
});

test("the address decides where a model is computed; without it, the server's setting", () => {
  const one = new Backend();
  one.prepare(boot("server"));
  const here = () => ["shipped", "bert", "scratch"].filter((name) => one.isHere(name));
  assert.deepEqual(here(), []);
  one.choose("page");
  assert.deepEqual(here(), ["shipped", "scratch"]); // the page cannot run the others
  one.choose("server");
  assert.deepEqual(here(), []);
  one.prepare(boot("page"));
  assert.deepEqual(here(), ["shipped", "scratch"]);
  one.choose("server");
  assert.deepEqual(here(), []);
});

test("a reader can leave the server and come back, and everybody hears of it", () => {
  const one = new Backend();
  one.prepare(boot("server"));
  /** @type {boolean[]} */
  const told = [];
  one.watch(() => told.push(one.isHere("shipped")));
  one.goOn(true);
  one.goOn(false);
  assert.deepEqual(told, [false, true, false]);
});

test("what runs in the page is asked of its engine alone", async () => {
  backend.prepare(boot("page"));
  const ready = (/** @type {string} */ name) => ({ ...model(name), state: "ready" });
  /** @type {any} */
  const engine = {
    postTrace: async (/** @type {any} */ request) => ({ trace: request, tensors: new Map() }),
    traceFile: async () => new Blob(["here"]),
    getModels: async () => ["shipped", "scratch", "mine"].map(ready),
    getProbe: async () => ({ probe: "here", after: null }),
    add: async (/** @type {any} */ { name }) => ready(name),
  };
  Object.defineProperty(backend, "engine", { value: engine });
  Object.defineProperty(backend, "hasEngine", { value: true });
  const request = { model: "shipped" };
  const answer = await postTrace(request, signal);
  assert.equal(questions.get(answer), request);
  assert.equal(await (await traceFile(request, "application/json")).text(), "here");
  assert.equal((await getProbe("scratch", signal)).probe, "here");
  assert.equal((await backend.add({ type: "recorded", name: "mine" })).name, "mine");
  const known = await getModels("shipped", signal);
  assert.deepEqual(
    known.map(({ name, state }) => [name, state]),
    [
      ["shipped", "ready"],
      ["bert", "loading"],
      ["scratch", "ready"],
      ["mine", "ready"],
    ],
  );
  assert.deepEqual(fetched, []);

  assert.deepEqual(
    (await getModels("bert", signal)).map(({ name }) => name),
    ["shipped", "bert", "scratch", "new", "mine"],
  );
  backend.choose("server");
  const there = await getModels("shipped", signal);
  assert.deepEqual(there.map(({ state }) => state).slice(0, 3), ["loading", "loading", "loading"]);
  assert.deepEqual((await postTrace({ model: "mine" }, signal)).trace, { model: "mine" }); // only the page has it
  assert.deepEqual(fetched, ["/api/models?model=bert", "/api/models?model=shipped"]);
});
