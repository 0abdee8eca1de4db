import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { METRICS } from "../../../static/js/engine/analysis/metrics.js";
import { probe } from "../../../static/js/engine/analysis/probe.js";
import { heads } from "../../../static/js/engine/answering/probe.js";
import { sliced } from "../../../static/js/engine/slices.js";
import { isNear, scored } from "./near.mjs";
import { shippedSource } from "./shipped.mjs";

const shipped = shippedSource();

const { probe: expected } = JSON.parse(
  readFileSync(new URL("data/analyses.json", import.meta.url), "utf8"),
);

test("the probe of the shipped model is the server's, progress included", () => {
  /** @type {number[][]} */
  const steps = [];
  const found = sliced(
    (done, total) => {
      if (total === 16) steps.push([done, total]);
    },
    () => heads(shipped),
  );
  isNear({ ...found, heads: found.heads?.map(scored) }, expected);
  assert.deepEqual(
    steps,
    Array.from({ length: 16 }, (_, row) => [row + 1, 16]),
  );
});

/** A source that records its rows, and can have fewer tokens or accept fewer. @param {object} less */
function spied({ ids = 100, max_tokens = 1024 } = {}) {
  /** @type {number[][]} */
  const rows = [];
  const { info, ordinary_ids } = shipped;
  return {
    rows,
    info: { ...info, max_tokens },
    ordinary_ids: [...ordinary_ids].slice(0, ids),
    traceIds(/** @type {number[][]} */ [row]) {
      rows.push(row);
      return shipped.traceIds([row]);
    },
  };
}

for (const [less, length] of [
  [{ ids: 7 }, 7],
  [{ max_tokens: 17 }, 7],
  [{ max_tokens: 52 }, 25],
  [{ max_tokens: 51 }, 24],
]) {
  test(`a small source is probed with what there is: ${JSON.stringify(less)}`, () => {
    const spy = spied(less);
    const found = probe(spy);
    assert.equal(found.length, length);
    assert.equal(found.description.includes("(not 25,"), length < 25);
    assert.equal(spy.rows.length, 16);
    for (const row of spy.rows) {
      assert.deepEqual(row.slice(0, length), row.slice(length));
      assert.equal(new Set(row).size, length);
    }
  });
}

test("a source without room or vocabulary says so", () => {
  for (const [less, words] of [
    [{ ids: 0 }, /no vocabulary/],
    [{ max_tokens: 3 }, /too few tokens/],
  ]) {
    const spy = spied(less);
    assert.throws(() => probe(spy), { code: "unavailable", message: words });
    const { state, error, heads: none, probe: about, metrics } = heads(spy);
    assert.match(error ?? "", words);
    assert.deepEqual([state, none, about], ["failed", null, null]);
    assert.ok(metrics.length > METRICS.length / 2 && metrics.every(({ definition }) => definition));
  }
});
