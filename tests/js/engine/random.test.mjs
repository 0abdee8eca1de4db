import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Generator } from "../../../static/js/engine/tensor/random.js";

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

test("a generator seeded by words is that of Python's random.Random", () => {
  const drawn = (key) => {
    const generator = Generator.ofKey(key);
    return Array.from({ length: 3 }, () => generator.bits());
  };
  // three times random.Random(seed).getrandbits(32), for 0, 7 and 2**40 + 3
  assert.deepEqual(drawn([0]), [3626764237, 1654615998, 3255389356]);
  assert.deepEqual(drawn([7]), [1390851128, 4071050724, 647892279]);
  assert.deepEqual(drawn([3, 256]), [943978446, 261273136, 2359950418]);
});
