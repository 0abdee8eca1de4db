import assert from "node:assert/strict";
import test from "node:test";
import { leadingFrom, stagesOf } from "../../static/js/panels/lens/stages.js";
import { leads } from "../../static/js/panels/lens/words.js";

const mat = 9;
const candidate = (/** @type {number} */ id) => ({ id, text: `t${id}`, probability: 0.4 });

/** Stages whose likeliest tokens are these. @param {number[]} ids */
const lens = (ids) => ({
  position: 3,
  stages: ids.map((id, index) => ({
    name: index === 0 ? "embedding" : `layers.${index - 1}`,
    layer: index === 0 ? null : index - 1,
    candidates: [candidate(id), candidate(77)],
    final: { id: mat, text: "mat", probability: index / 10 },
  })),
});

test("stages are named for the reader and keep their order and numbers", () => {
  const stages = stagesOf(lens([5, 6, mat]));
  assert.deepEqual(
    stages.map(({ name, leads, final }) => [name, leads, final.probability]),
    [
      ["embedding", false, 0],
      ["layer 0", false, 0.1],
      ["layer 1", true, 0.2],
    ],
  );
  assert.equal(stages[1].candidates[0].text, "t6");
});

test("the final prediction leads from where no later stage prefers another", () => {
  const words = (/** @type {number[]} */ ...ids) => leads("mat", leadingFrom(stagesOf(lens(ids))));
  assert.equal(words(5, 6, mat), "“mat” leads from layer 1 on");
  assert.equal(words(mat, 6, mat), "“mat” leads from layer 1 on");
  assert.equal(words(mat, mat, mat), "“mat” leads from the start");
  assert.equal(words(mat, mat, 6), "");
});
