import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { page } from "./dom.mjs";

const { firstHead } = await import("../../../static/js/page/depth.js");

const MANY = Array.from({ length: 10 }, (_, layer) => ({
  name: `layers.${layer}`,
  kind: "self",
  layer,
  n_heads: 8,
}));
const large = { ...shipped, name: "large", sites: MANY, lacks: "", predicts: "next" };
const tokens = [[..."abc"].map((text) => ({ text }))];

/** The patterns of two heads, of which the second looks at the token before. @param {string} model */
const grid = (model) => ({
  trace: { model, tokens, sites: [{ name: "layers.0", layer: 0, heads: [0, 1] }] },
  tensors: new Map([
    [
      "layers.0.pattern",
      {
        shape: [1, 2, 3, 3],
        data: Uint8Array.from([255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0]),
      },
    ],
  ]),
});

/** The head on show once what muting the heads does is known. @param {object} model @param {string} depth @param {string} [search] */
async function shown(model, depth, search = "") {
  page("#depth");
  const choice = { model: model.name, depth, kind: "self", layer: 0, head: 0, shown: 0 };
  const store = new Store({ ...choice, texts: ["abc"], targets: [], pairs: null, models: [model] });
  store.update({ masks: {}, muted: [], interventions: [], quiz: false, against: null, grid: null });
  const effects = [{ kind: "self", layer: 7, head: 5, change: -2 }];
  firstHead(store, search, async () => ({ trace: { tokens, mute_estimates: [{ effects }] } }));
  store.update({ grid: grid(model.name) });
  const before = [store.state.layer, store.state.head];
  await new Promise((done) => setTimeout(done));
  return [before, [store.state.layer, store.state.head]];
}

test("a model opens on a head that looks somewhere, then on the one that matters most", async () => {
  const found = [
    [0, 1],
    [7, 5],
  ];
  assert.deepEqual(await shown(large, "start"), found);
  assert.deepEqual(await shown(large, "full"), found);
  assert.deepEqual(await shown({ ...large, sites: MANY.slice(0, 3) }, "full"), found);
});

test("a head in the address stays, and so does the first one of what one builds, and where somebody presents", async () => {
  const first = [
    [0, 0],
    [0, 0],
  ];
  assert.deepEqual(await shown(large, "full", "?layer=0&head=0"), first);
  assert.deepEqual(await shown({ ...large, sites: MANY.slice(0, 3), predicts: "" }, "full"), first);
  assert.deepEqual(await shown(large, "present"), first);
});

test("Back leads to the head that was there; a model chosen in the page opens on its own", async () => {
  const moved = async (/** @type {string} */ bar) => {
    page("#depth");
    history.replaceState(null, "", bar);
    const choice = { model: "small", depth: "full", kind: "self", layer: 0, head: 0, shown: 0 };
    const models = [{ ...large, name: "small" }, large];
    const store = new Store({ ...choice, texts: ["abc"], targets: [], pairs: null, models });
    store.update({
      masks: {},
      muted: [],
      interventions: [],
      quiz: false,
      against: null,
      grid: null,
    });
    firstHead(store, "", async () => ({ trace: { tokens, mute_estimates: [] } }));
    store.update({ model: "large" });
    store.update({ grid: grid("large") });
    return store.state.head;
  };
  assert.equal(await moved("?model=large&layer=0&head=0"), 0);
  assert.equal(await moved("?layer=0&head=0"), 1); // what was shown before the model was chosen
  assert.equal(await moved("?model=large"), 1);
});
