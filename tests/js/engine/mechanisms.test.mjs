import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { LimitError } from "../../../static/js/engine/errors.js";
import { completed, MECHANISMS, SETTINGS } from "../../../static/js/engine/scratch/described.js";
import { configure, DEFAULT } from "../../../static/js/engine/scratch/mechanisms.js";

const python = JSON.parse(readFileSync(new URL("data/mechanisms.json", import.meta.url), "utf8"));

test("a page in one file completes the description that it carries", () => {
  const brief = { name: "scratch" };
  assert.equal(completed(brief).mechanisms.length, Object.keys(MECHANISMS).length);
  assert.equal(completed({ name: "shipped" }).mechanisms, undefined);
  const known = { ...brief, mechanisms: [MECHANISMS.average] };
  assert.equal(completed(known), known);
});

test("mechanisms and settings are those that the server describes, in its order", () => {
  assert.deepEqual(Object.values(MECHANISMS), python.mechanisms);
  assert.deepEqual(
    Object.keys(MECHANISMS),
    python.mechanisms.map(({ id }) => id),
  );
  assert.deepEqual(SETTINGS, python.settings);
});

/** With 12 digits of each number: the last of them may differ. @param {unknown} value */
const rounded = (value) =>
  JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === "number" ? Number(each.toPrecision(12)) : each,
    ),
  );

test("settings give the parameters and layers of Python, or its error", () => {
  for (const [mechanism, changes, expected] of python.cases) {
    const shown = `${mechanism} ${JSON.stringify(changes)}`;
    let found;
    try {
      const { parameters, modified, block } = configure(mechanism, changes);
      found = { parameters, modified, block };
    } catch (error) {
      const { message, code, field, limit } = error;
      found = { error: { message, code, field, limit } };
    }
    assert.deepEqual(rounded(found), rounded(expected), shown);
  }
});

test("without a choice it is multi-head attention, with weights as uploaded", () => {
  const weights = Uint8Array.of(1);
  const config = configure(undefined, {}, weights);
  assert.deepEqual(
    [config.name, config.mechanism.id, config.weights],
    ["scratch", DEFAULT, weights],
  );
  assert.equal(configure().weights, null);
});

test("a change stays in its own run", () => {
  configure("block", { d_model: 64, read_as: "qkv head d_head" });
  assert.equal(MECHANISMS.block.defaults.d_model, 32);
  assert.throws(() => configure("block", { d_model: 300 }), LimitError);
  assert.equal(configure("block").parameters.d_model, 32);
});
