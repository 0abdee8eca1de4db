import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { headsDrawing, relationsIn } from "../../static/js/numbers/relations.js";
import { relationsOf } from "../../static/js/state/examples.js";

const gallery = JSON.parse(
  readFileSync(new URL("../../model/shipped/gallery.json", import.meta.url), "utf8"),
);
const sites = [1, 2].map((layer) => ({ name: `layers.${layer}`, layer, heads: [0, 1, 2, 3] }));
const state = /** @type {any} */ ({
  model: "shipped",
  relations: relationsOf(gallery, "shipped"),
  grid: { trace: { sites } },
});

test("every relation of the shipped model's examples is offered, each with what it does", () => {
  const labels = relationsIn(state).map(({ label }) => label);
  const named = gallery.flatMap((/** @type {any} */ { label }) => label ?? []);
  assert.deepEqual(labels.toSorted(), [...new Set(named)].toSorted());
  for (const label of ["subject", "reflexive", "pronoun", "determiner", "bracket"]) {
    assert.ok(labels.includes(label), label);
  }
  for (const { label, does } of relationsIn(state)) assert.match(does, /^[a-z].*[^.]$/, label);
  assert.deepEqual(relationsIn({ ...state, model: "another" }), []);
});

test("the heads that draw a relation are found, and in a quiz none", () => {
  const [entry] = gallery.filter((/** @type {any} */ { label }) => label === "subject");
  const found = headsDrawing(state, "subject");
  assert.deepEqual(
    found?.map(({ layer, head }) => [layer, head]),
    [[entry.layer, entry.head]],
  );
  assert.deepEqual(headsDrawing(state, "unknown"), []);
  assert.deepEqual(headsDrawing({ ...state, model: "another" }, "subject"), []);
  assert.equal(headsDrawing({ ...state, quiz: true }, "subject"), null);
});
