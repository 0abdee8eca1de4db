import assert from "node:assert/strict";
import test from "node:test";
import { bar, extent, nats, ranked, signed } from "../../static/js/panels/effects/ranked.js";
import { effectInWords } from "../../static/js/panels/effects/words.js";

const effect = (/** @type {number} */ head, /** @type {number | null} */ change) => ({
  kind: "self",
  layer: 1,
  head,
  change,
  reason: change === null ? "this head is muted already" : null,
});
const token = { id: 9, text: "mat", probability: 0.5 };

test("heads rank by the size of their change, and those without a number come last", () => {
  const effects = [effect(0, 0), effect(1, null), effect(2, 0.5), effect(3, -2), effect(4, 0)];
  assert.deepEqual(
    ranked(effects).map(({ head }) => head),
    [3, 2, 0, 4, 1],
  );
  assert.equal(extent(effects), 2);
  assert.equal(extent([effect(1, null)]), 0);
});

test("bars grow from the middle, to the left where the token loses", () => {
  assert.deepEqual(bar(-2, 2), { start: 0, length: 0.5 });
  assert.deepEqual(bar(1, 2), { start: 0.5, length: 0.25 });
  assert.deepEqual(bar(0, 2), { start: 0.5, length: 0 });
  assert.deepEqual(bar(0, 0), { start: 0.5, length: 0 });
});

test("a small change is not rounded to none", () => {
  assert.deepEqual([-2.314, 0.05, 0.0099, 0.00312, -4e-7, 0].map(nats), [
    "2.31",
    "0.05",
    "0.01",
    "0.003",
    "4e-7",
    "0",
  ]);
  assert.deepEqual([-2.314, 0.05, 0].map(signed), ["−2.31", "+0.05", "0"]);
});

test("a change in words, with the probability before and after", () => {
  assert.equal(
    effectInWords(effect(3, -2.3105), token, "mat"),
    "Without layer 1 · head 3 the log-probability of “mat” falls by 2.31 nats, from 50% to 4.96%.",
  );
  assert.match(
    effectInWords(effect(3, 0.25), token, "mat"),
    /rises by 0\.25 nats, from 50% to 64\.2%\.$/,
  );
  assert.match(effectInWords(effect(3, -20), token, "mat"), /from 50% to 1e-7%\.$/);
  assert.match(effectInWords(effect(3, 0), token, "mat"), /stays exactly as it is\.$/);
});

test("a head of an encoder–decoder is named with its kind", () => {
  assert.match(
    effectInWords({ ...effect(3, -2.3105), kind: "cross" }, token, "mat"),
    /^Without cross layer 1 · head 3 the/,
  );
});

test("a muted head says why it has no number", () => {
  assert.equal(
    effectInWords(effect(2, null), token, "mat"),
    "There is no number for layer 1 · head 2: this head is muted already.",
  );
});
