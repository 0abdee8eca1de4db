import assert from "node:assert/strict";
import test from "node:test";
import { rangeOf, unreached } from "../../static/js/numbers/matrices.js";
import {
  excessTokens,
  MATRIX_NAMES,
  nextMatrix,
  UNLIMITED,
} from "../../static/js/state/matrices.js";

const matrix = (/** @type {number[]} */ ...data) => ({
  rows: 1,
  cols: data.length,
  data: Float32Array.from(data),
});

test("a share runs from 0 to 1, a length from 0, and a sign has its neutral in the middle", () => {
  const numbers = matrix(-3, 0, 2);
  assert.deepEqual(rangeOf("pattern", numbers), { low: 0, high: 1, steps: "linear" });
  assert.deepEqual(rangeOf("rollout", numbers, "root"), { low: 0, high: 1, steps: "root" });
  assert.deepEqual(rangeOf("scores", numbers, "root"), { low: -3, high: 3, steps: "linear" });
  assert.deepEqual(rangeOf("norms", matrix(0, 0.5, 4)), { low: 0, high: 4, steps: "linear" });
  assert.deepEqual(rangeOf("norms", matrix(0, 0)), { low: 0, high: 1, steps: "linear" });
});

test("the matrices go round, past those that cannot be had", () => {
  const round = (/** @type {object} */ lacks, given = MATRIX_NAMES) => {
    const seen = [];
    let name = MATRIX_NAMES[0];
    do {
      seen.push(name);
      name = nextMatrix(name, given, lacks);
    } while (name !== MATRIX_NAMES[0] && seen.length <= MATRIX_NAMES.length);
    return seen;
  };
  assert.deepEqual(round({}), MATRIX_NAMES);
  const without = (/** @type {string} */ gone) => MATRIX_NAMES.filter((name) => name !== gone);
  assert.deepEqual(round({ norms: "no W_O" }), without("norms"));
  assert.deepEqual(round({ rollout: "two stacks", lens: "no head" }), without("rollout"));
});

test("over all layers only what no path reaches is blocked", () => {
  const blocked = { rows: 1, cols: 4, data: Uint8Array.of(0, 4, 4, 1) };
  const found = unreached(blocked, matrix(0, 0.25, 0, 0));
  assert.deepEqual([...found.data], [0, 0, 4, 1]);
  assert.deepEqual([...blocked.data], [0, 4, 4, 1]);
});

test("a text that is too long for a matrix is noticed, and some matrices have no limit", () => {
  const grid = (/** @type {number} */ n) => /** @type {any} */ ({ trace: { tokens: [Array(n)] } });
  assert.equal(excessTokens({ matrix: "flow", grid: null }), null);
  assert.equal(excessTokens({ matrix: "flow", grid: grid(24) }), null);
  assert.equal(excessTokens({ matrix: "flow", grid: grid(25) }), 25);
  assert.equal(excessTokens({ matrix: "rollout", grid: grid(1000) }), null);
  const unlimited = UNLIMITED.map(({ name }) => name);
  assert.ok(["pattern", "rollout"].every((name) => unlimited.includes(name)));
  assert.ok(!unlimited.includes("flow"));
});
