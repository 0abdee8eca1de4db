import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { bert, bloom } from "../models.mjs";
import { page, texts } from "./dom.mjs";

const { panelElement } = await import("../../../static/js/page/mounts.js");
const VECTOR = await import("../../../static/js/panels/vector/vector.js");
const { PANELS } = await import("../../../static/js/panels/panels.js");
const { panelsOf } = await import("../../../static/js/state/panels.js");

const encoder = { ...bert, name: "encoder", predicts: null };
const token = (/** @type {string} */ text) => ({ id: 7, text, special: false, padding: false });
const cosineOf = (/** @type {number} */ degrees) => Math.cos((Math.PI / 180) * degrees);
/** @param {number} layer @param {number} head @param {number | null} angle @param {string} [kind] */
const effect = (layer, head, angle, kind = "self") => ({
  kind,
  layer,
  head,
  cosine: angle === null ? null : cosineOf(angle),
  reason: angle === null ? "this head is muted already" : null,
});
const answered = {
  status: "ready",
  problem: null,
  answer: {
    trace: {
      model: "encoder",
      tokens: [[token("[CLS]"), token("river")]],
      target_tokens: null,
      vector_effects: [
        {
          pooling: "mean",
          effects: [effect(0, 0, 0.01), effect(0, 1, 25), effect(1, 0, null), effect(1, 1, 60)],
        },
      ],
    },
  },
};
/** @param {object} [more] */
const stateOf = (more = {}) => ({
  model: "encoder",
  models: [encoder, bloom],
  texts: ["river"],
  targets: [],
  pairs: null,
  masks: {},
  muted: [],
  interventions: [],
  shown: 0,
  kind: "self",
  layer: 0,
  head: 1,
  depth: "full",
  right: "vector",
  query: null,
  vector: answered,
  ...more,
});

test("heads stand by how far the vector turns without them; the selected one is told in words", () => {
  page("#predictions");
  const store = new Store(stateOf());
  const root = panelElement("vector");
  VECTOR.make(root, store, /** @type {any} */ ({ retry: () => {} }));
  const lines = [...root.querySelectorAll(".effects button")];
  assert.deepEqual(
    lines.map((line) => line.dataset.place),
    ["1.1", "0.1", "0.0", "1.0"],
  );
  assert.deepEqual(texts(".effects .number:not(.nats)"), ["60°", "25°", "<0.1°"]);
  assert.deepEqual(texts(".effects .nats"), ["0.500", "0.906", "1.000"]);
  assert.deepEqual(texts(".effects .reason"), ["this head is muted already"]);
  const said = () => root.querySelector(".summary").textContent;
  assert.equal(
    said(),
    "Without layer 0 head 1, the vector of the text turns by 25° (cosine 0.906).",
  );
  assert.equal(lines[1].getAttribute("aria-current"), "true");
  lines[0].click();
  assert.deepEqual([store.state.layer, store.state.head], [1, 1]);
  assert.match(said(), /turns by 60°/);
  store.update({ vector: { status: "loading", answer: null, problem: null } });
  assert.match(said(), /^Computing/);
  const problem = { message: "Too many runs.", retry: false };
  store.update({ vector: { status: "error", answer: null, problem } });
  assert.equal(said(), "Too many runs.");
});

test("the thumbnails are tinted by the angle, and a file has every number", () => {
  const { heads, legend } = VECTOR.paint(stateOf());
  assert.deepEqual(heads.get("1.1"), {
    tint: "falls",
    strength: 1,
    text: "60°",
    words: "without it the vector turns by 60°",
  });
  assert.equal(heads.get("1.0").tint, null);
  assert.deepEqual([legend.low, legend.high], ["0°", "60°"]);
  const lines = VECTOR.save.csv(stateOf()).trim().split("\r\n");
  assert.equal(lines.length, 5);
  assert.match(lines[1], /^"self",1,1,0\.5\d*,(60|59\.9999)/);
  assert.equal(VECTOR.paint(stateOf({ vector: null })), null);
});

test("it is for models that predict nothing and whose heads can be muted", () => {
  const { request } = PANELS.vector.questions.vector;
  assert.deepEqual(request(stateOf(), encoder, true).analyse, { vector_effects: true });
  assert.equal(request(stateOf({ right: "far" }), encoder, true), null);
  assert.equal(request(stateOf(), bert, true), null);
  assert.equal(request(stateOf({ depth: "start" }), encoder, true), null);
  assert.equal(request(stateOf({ quiz: true }), encoder, true), null, "it would tell");
  const names = (/** @type {object} */ model) => panelsOf(model).map(({ name }) => name);
  assert.equal(names(encoder)[0], "vector");
  const others = [bert, { ...encoder, lacks: "it asks for alibi" }];
  for (const model of [...others, { ...encoder, mechanisms: ["attention"] }])
    assert.ok(!names(model).includes("vector"));
});
