// Lists of likely tokens, worked by hand; native.test.mjs holds them to Python.

import assert from "node:assert/strict";
import test from "node:test";
import {
  likeliest,
  listed,
  logSoftmax,
  nucleus,
  topIds,
} from "../../../static/js/engine/trace/predictions.js";

/** ln p */
const ln = (...p) => Float64Array.from(p, Math.log);
const spell = (id) => `t${id}`;

test("ln p sums to 1, at any temperature and for logits of any size", () => {
  for (const [temperature, logits] of [
    [1, [0, 1, 2]],
    [0.01, [-80, 80, 79.99]],
    [1e-300, [3, 2, 1]],
    [1e300, [3, -2, 1]],
  ]) {
    const log_p = logSoftmax(new Float32Array(logits), { model: "m", temperature });
    const sum = log_p.reduce((total, each) => total + Math.exp(each), 0);
    assert.ok(Math.abs(sum - 1) < 1e-12, `temperature ${temperature}: ${sum}`);
  }
  const log_p = logSoftmax(new Float32Array([0, Math.log(3)]), { model: "m" });
  assert.ok(Math.abs(Math.exp(log_p[1]) - 0.75) < 1e-7);
});

test("a logit that is not finite is an error that names the model", () => {
  for (const logit of [NaN, Infinity, -Infinity])
    assert.throws(() => logSoftmax(new Float32Array([1, logit]), { model: "tiny" }), {
      code: "not_finite",
      message: "tiny's logits are not finite; expected all finite.",
    });
});

test("the largest come in descending order, equal ones by id, and no more than there are", () => {
  const log_p = ln(0.1, 0.3, 0.1, 0.4, 0.1);
  assert.deepEqual(topIds(log_p, 1), [3]);
  assert.deepEqual(topIds(log_p, 4), [3, 1, 0, 2]);
  assert.deepEqual(topIds(log_p, 99), [3, 1, 0, 2, 4]);
  const random = Float64Array.from({ length: 500 }, (_, id) => Math.sin(id * id));
  const sorted = [...random.keys()].sort((a, b) => random[b] - random[a] || a - b);
  for (const n of [1, 7, 499, 500]) assert.deepEqual(topIds(random, n), sorted.slice(0, n));
  const [first, second] = likeliest(log_p, 2, spell);
  assert.deepEqual([first.id, first.text, second.id], [3, "t3", 1]);
  assert.ok(Math.abs(second.probability - 0.3) < 1e-12);
});

test("a nucleus is the fewest tokens that hold its share", () => {
  const log_p = ln(0.1, 0.5, 0.25, 0.15);
  const counts = [0.01, 0.5, 0.51, 0.75, 0.9, 0.901, 0.999].map((p) => nucleus(log_p, p).tokens);
  assert.deepEqual(counts, [1, 1, 2, 2, 3, 4, 4]);
  assert.ok(Math.abs(nucleus(log_p, 0.6).share - 0.75) < 1e-12);
  assert.deepEqual(nucleus(log_p, 1), { tokens: 4, share: 1 });
  // sums of probabilities are rounded, so a share that is missed by less than that is reached
  assert.equal(nucleus(ln(0.5, 0.5), 0.5 + 1e-10).tokens, 1);
});

test("after the likeliest come those of the unedited run and those asked for, each once", () => {
  const log_p = ln(0.1, 0.5, 0.25, 0.15);
  const unedited = { log_p: ln(0.6, 0.1, 0.1, 0.2), n: 2 };
  const found = listed(log_p, 1, spell, { special: new Set([0]), unedited, also: [1, 2] });
  assert.deepEqual(
    found.map(({ id, special }) => [id, special]),
    [
      [1, false],
      [2, false],
      [3, false],
      [0, true],
    ],
  );
  assert.ok(Math.abs(found[3].unedited - 0.6) < 1e-12);
  assert.equal(listed(log_p, 1, spell)[0].unedited, null);
});
