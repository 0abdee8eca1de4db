import assert from "node:assert/strict";
import test from "node:test";
import { PANELS as ROWS } from "../../../static/js/panels/panels.js";
import { questions } from "../../../static/js/panels/questions.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { openPanel, PANELS, panelLabel, panelsOf } from "../../../static/js/state/panels.js";
import { hushed } from "../../../static/js/state/quiz.js";
import { questions as ofViews } from "../../../static/js/views/views.js";
import { bert, shipped, unloaded } from "../models.mjs";

const inspected = /** @type {any} */ ({
  model: "shipped",
  models: [shipped],
  texts: ["a b"],
  targets: [],
  pairs: null,
  masks: OWN_MASKS,
  muted: [],
  kind: "self",
  layer: 1,
  head: 2,
  query: null,
  token: null,
  lacks: {},
  quiz: false,
  view: "heatmap",
  status: "ready",
  depth: "full",
});
const named = PANELS.map(({ name }) => name);

test("each panel that has a name has a row, and no other", async () => {
  assert.deepEqual(Object.keys(ROWS).sort(), [...named].sort());
  const parts = await Promise.all(Object.values(ROWS).map(({ part }) => part.come()));
  assert.equal(new Set(parts.map(({ save }) => save.name)).size, named.length);
});

test("a panel that paints the heads says so in its row, before its part has come", async () => {
  for (const [name, { part, paints = false }] of Object.entries(ROWS))
    assert.equal("paint" in (await part.come()), paints, name);
});

test("a panel asks its questions while its tab is open, and no other panel's", () => {
  const table = questions();
  for (const model of [shipped, { ...shipped, predicts: null }]) {
    for (const { name: right } of panelsOf(model)) {
      const state = { ...inspected, models: [model], right };
      for (const panel of named) {
        for (const name of Object.keys(ROWS[panel].questions)) {
          const request = table.get(name)?.request(state, model, true);
          assert.equal(request !== null, panel === right, `${name} while ${right} is open`);
        }
      }
    }
  }
});

test("a page without panels asks none of their questions", () => {
  const own = Object.values(ROWS).flatMap((row) => Object.keys(row.questions));
  assert.ok(own.length > 1);
  for (const name of own) assert.equal(ofViews().has(name), false, name);
});

test("the training is shown of a model that has a film, and of its steps", () => {
  const has = (/** @type {object} */ more) =>
    panelsOf({ ...shipped, ...more }).some(({ name }) => name === "film");
  assert.deepEqual(
    [has({}), has({ film: [0, 9] }), has({ film: null, step: 0 })],
    [false, true, true],
  );
});

test("a model that predicts nothing has only the panels that need no prediction", () => {
  const mute = { ...shipped, predicts: null };
  const everywhere = PANELS.filter((panel) => !("filmed" in panel || "writes" in panel));
  const without = everywhere.filter((panel) => !("predicts" in panel));
  assert.deepEqual(panelsOf(mute), without);
  assert.deepEqual(
    panelsOf(shipped),
    everywhere.filter((panel) => !("silent" in panel)),
  );
  assert.equal(openPanel("lens", shipped), "lens");
  assert.equal(openPanel("lens", mute), without[0]?.name ?? "lens");
  assert.equal(openPanel("lens", unloaded("later")), "lens", "it may predict");
});

test("the cache is that of mechanisms that look back alone", () => {
  const has = (/** @type {object} */ more) =>
    panelsOf({ ...shipped, ...more }).some(({ name }) => name === "cache");
  const built = { mechanisms: [{}], causal: true, takes_targets: false };
  assert.deepEqual(
    [has({}), has(built), has({ ...built, causal: false }), has({ ...built, takes_targets: true })],
    [false, true, false, false],
  );
});

test("the first tab is called after what the model predicts", () => {
  assert.equal(panelLabel(PANELS[0], shipped), "Next token");
  assert.equal(panelLabel(PANELS[0], bert), "Fill");
  assert.equal(panelLabel(PANELS[0], { predicts: "class" }), "Class");
  assert.equal(panelLabel(PANELS[1], bert), PANELS[1].label);
});

test("a quiz opens with a panel that tells nothing", () => {
  const open = hushed({ ...inspected, right: "effects" }).right;
  assert.equal("tells" in (PANELS.find(({ name }) => name === open) ?? {}), false);
});
