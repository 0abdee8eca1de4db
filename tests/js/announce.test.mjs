import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { changed, predictionInWords, rowInWords } from "../../static/js/words/announce.js";

const at = (/** @type {object} */ changes) => ({
  masks: OWN_MASKS,
  muted: [],
  layer: 1,
  head: 2,
  kind: "self",
  query: null,
  matrix: "pattern",
  view: "heatmap",
  ...changes,
});
const now = at({});

test("every toggle is named as it is now, and nothing else", () => {
  const masks = (/** @type {object} */ changes) => at({ masks: { ...OWN_MASKS, ...changes } });
  assert.equal(changed(now, now), "");
  assert.equal(changed(now, masks({ causal: false })), "Causal mask off.");
  assert.equal(changed(masks({ causal: false }), now), "The model’s own causal mask.");
  assert.equal(changed(now, masks({ padding: false })), "Padding not masked.");
  assert.equal(changed(now, masks({ padding_side: "left" })), "Padding on the left.");
  assert.equal(changed(now, masks({ window: 3 })), "Window of 3 tokens.");
  assert.equal(changed(now, at({ muted: [[1, 2]] })), "Layer 1, head 2 muted.");
  assert.equal(changed(at({ muted: [[1, 2]] }), now), "Layer 1, head 2 unmuted.");
  assert.equal(changed(now, at({ muted: [[0, 0]] })), "1 head muted.");
  assert.equal(changed(now, at({ matrix: "norms", view: "lines" })), "Norms. Lines view.");
  assert.equal(changed(now, at({ layer: 0, head: 4 })), "Layer 0, head 4.");
});

test("a row is read out from its strongest key, and an empty one says why", () => {
  const detail = {
    row: 1,
    queryLabels: ["a", "b"],
    keyLabels: ["x", "y", "z", "u", "w"],
    pattern: { cols: 5, data: [1, 0, 0, 0, 0, 0.1, 0.4, 0, 0.3, 0.2] },
  };
  assert.equal(rowInWords(detail), "“b” looks at “y” 0.4000, “u” 0.3000, “w” 0.2000.");
  const nothing = { ...detail, pattern: { cols: 5, data: new Float32Array(10) } };
  assert.equal(rowInWords(nothing), "“b” looks at nothing: every key is blocked.");
});

test("a prediction says what it was, if it was another", () => {
  const token = (/** @type {number} */ id, /** @type {number} */ probability) => ({
    id,
    text: ` t${id}`,
    probability,
  });
  assert.equal(predictionInWords(undefined, token(1, 0.5)), "");
  assert.equal(predictionInWords(token(1, 0.5), token(1, 0.5)), "Most likely token: “t1” 50.0%.");
  assert.equal(
    predictionInWords(token(1, 0.5), token(1, 0.75)),
    "Most likely token: “t1” 50.0%; it was 75.0% before.",
  );
  assert.equal(
    predictionInWords(token(1, 0.5), token(2, 0.75)),
    "Most likely token: “t1” 50.0%; before, it was “t2” 75.0%.",
  );
});
