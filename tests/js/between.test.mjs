import assert from "node:assert/strict";
import test from "node:test";
import { between, strongestLook } from "../../static/js/numbers/between.js";
import { brief, exact, inWords, labelOf, ranked } from "../../static/js/words/labels.js";

const token = { id: 1, text: "a", special: false, padding: false };
/** Two heads over n tokens, of which the thumbnails have `side`. @param {number} n @param {number} side */
function answer(n, side, axes = ["tokens", "tokens"]) {
  const data = new Uint8Array(2 * 2 * side * side); // two texts
  const at = (/** @type {number[]} */ [text, head, row, col]) =>
    ((text * 2 + head) * side + row) * side + col;
  data[at([0, 0, 2, 1])] = 51;
  data[at([0, 1, 2, 1])] = 204;
  data[at([1, 1, 2, 0])] = 255;
  const site = {
    name: "layers.3",
    layer: 3,
    heads: [4, 6],
    query_tokens: axes[0],
    key_tokens: axes[1],
  };
  return {
    trace: {
      tokens: [Array(n).fill(token), Array(n).fill(token)],
      target_tokens: null,
      sites: [site],
    },
    tensors: new Map([["layers.3.pattern", { shape: [2, 2, side, side], data }]]),
  };
}

test("every head has its weight from the query to the key", () => {
  const found = between(answer(3, 3), 0, 2, 1);
  assert.deepEqual(
    found.map(({ layer, head, scores }) => [layer, head, scores.between.value]),
    [
      [3, 4, 0.2],
      [3, 6, 0.8],
    ],
  );
  assert.equal(between(answer(3, 3), 1, 2, 0)[1].scores.between.value, 1);
});

test("heads are ranked by it, with two decimals, as a byte allows", () => {
  const [first, second] = ranked(between(answer(3, 3), 0, 2, 1), "between");
  assert.deepEqual([first.head, second.head], [6, 4]);
  assert.deepEqual([exact(first.label), brief(first.label)], ["0.80", ".80"]);
  assert.equal(inWords(first.label), "weight 0.80");
  assert.equal(first.share, 0.8);
});

test("a pooled thumbnail has no weight, and says why", () => {
  const [one] = between(answer(6, 3), 0, 5, 1);
  const label = labelOf(one, "between");
  assert.equal(label.value, null);
  assert.match(inWords(label), /not defined here: .* pooled/);
});

test("where a head looks most, with the weight, unless tokens are pooled", () => {
  const at = (/** @type {number} */ shown, /** @type {number} */ layer) =>
    strongestLook(answer(3, 3), { shown, layer, head: 6 }, 2);
  assert.deepEqual(at(0, 3), { key: 1, token, weight: 0.8 });
  assert.deepEqual(at(1, 3), { key: 0, token, weight: 1 });
  assert.equal(at(0, 9), null);
  assert.equal(strongestLook(answer(3, 3), { shown: 0, layer: 3, head: 6 }, 3), null);
  assert.equal(strongestLook(answer(6, 3), { shown: 0, layer: 3, head: 6 }, 2), null);
});
