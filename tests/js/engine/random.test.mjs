import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Generator } from "../../../static/js/engine/random.js";

const cases = JSON.parse(readFileSync(new URL("data/random.json", import.meta.url), "utf8"));

const isNear = (found, expected) => {
  assert.equal(found.length, expected.length);
  found.forEach((number, i) => {
    assert.ok(Math.abs(number - expected[i]) <= 1e-6, `${number} at ${i}: expected ${expected[i]}`);
  });
};

for (const { seed, randn, many, uniform, double, exponential } of cases) {
  const generator = () => new Generator(BigInt(seed));

  test(`normal numbers are those of torch with seed ${seed}, few or many, one draw after another`, () => {
    const drawn = generator();
    for (const expected of randn) isNear([...drawn.randn(expected.length)], expected);
  });

  test(`a long draw with seed ${seed} passes the end of the twister's state`, () => {
    const drawn = generator().randn(2000);
    isNear(
      [0, 623, 624, 1247, 1248, 1990, 1999].map((at) => drawn[at]),
      many,
    );
  });

  test(`uniform and exponential numbers are exactly those of torch with seed ${seed}`, () => {
    const [single, wide, decay] = [generator(), generator(), generator()];
    assert.deepEqual(
      uniform.map(() => single.uniform()),
      uniform,
    );
    assert.deepEqual(
      double.map(() => wide.uniformDouble()),
      double,
    );
    isNear(
      exponential.map(() => decay.exponential()),
      exponential,
    );
  });
}

test("a seed may be a plain number", () => {
  assert.deepEqual(new Generator(7).randn(20), new Generator(7n).randn(20));
});
