import assert from "node:assert/strict";
import test from "node:test";
import { sample } from "../../../static/js/engine/analysis/sample.js";
import { Generator } from "../../../static/js/engine/tensor/random.js";

// In Python: rng = random.Random(0); [rng.sample(range(items), len(each)) for each in drawn]
// biome-ignore format: lists of numbers
const CASES = [
  { items: 5, drawn: [[3, 4, 0, 1, 2], [3, 2], [3]] },
  { items: 40, drawn: [[24, 26, 2, 16, 32, 31], [25, 19, 30, 22]] },
  {
    items: 277, // the longest list out of which Python swaps what it has drawn
    drawn: [[197, 215, 20, 132, 261, 248, 207, 155, 244, 183, 111, 258, 71, 144, 264, 48, 128, 75, 158, 50, 37, 169, 120, 143, 25]],
  },
  {
    items: 278, // the shortest from which it draws again
    drawn: [[197, 215, 20, 132, 261, 248, 207, 155, 244, 183, 111, 258, 71, 144, 48, 128, 272, 75, 158, 50, 37, 169, 241, 51, 181]],
  },
  {
    items: 6230,
    drawn: [
      [3155, 6209, 3445, 331, 2121, 4188, 3980, 3317, 2484, 3904, 2933, 4779, 1789, 4134, 1140, 2308, 1144, 6191, 776, 5065, 2052, 4362, 5776, 4930, 1203],
      [2540, 809, 5978],
    ],
  },
];

for (const { items, drawn } of CASES) {
  test(`samples of ${items} items are those of Python's random.Random(0)`, () => {
    const generator = Generator.ofKey([0]);
    const list = Array.from({ length: items }, (_, index) => index * 2);
    for (const expected of drawn) {
      const found = sample(generator, list, expected.length);
      assert.deepEqual(
        found,
        expected.map((place) => place * 2),
      );
    }
  });
}
