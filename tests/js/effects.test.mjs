import assert from "node:assert/strict";
import test from "node:test";
import {
  bar,
  brief,
  extent,
  nats,
  ranked,
  withProbabilities,
} from "../../static/js/panels/effects/ranked.js";
import {
  axisLabels,
  effectInWords,
  lineLabel,
  noneInWords,
  pictureValue,
  withoutHead,
} from "../../static/js/panels/effects/words.js";
import { effectsCsv } from "../../static/js/panels/save/csv.js";

const effect = (
  /** @type {number} */ head,
  /** @type {number | null} */ change,
  kind = "self",
) => ({
  kind,
  layer: 1,
  head,
  change,
  reason: change === null ? "this head is muted already" : null,
});
const token = { id: 9, text: "mat", probability: 0.5 };
/** @param {ReturnType<typeof effect>[]} effects */
const answered = (...effects) => withProbabilities({ position: 3, token, effects });
/** @param {number | null} change @param {number} [probability] */
const one = (change, probability = 0.5) => {
  const effects = [effect(3, change)];
  return withProbabilities({ position: 3, token: { ...token, probability }, effects })[0];
};

test("a change of the log-probability becomes a probability", () => {
  assert.ok(Math.abs((one(-1.0906, 0.723).after ?? 0) - 0.243) < 5e-4);
  assert.equal(one(0).after, 0.5);
  assert.equal(one(5).after, 1); // rounding takes it no higher
  assert.equal(one(null).after, null);
});

test("heads rank by how far the probability moves, and those without a number come last", () => {
  // 0.5 nats more is 32 points, 0.9 nats less is 30
  const effects = answered(...[0, null, 0.5, -0.9, 0].map((change, head) => effect(head, change)));
  assert.deepEqual(
    ranked(effects).map(({ head }) => head),
    [2, 3, 0, 4, 1],
  );
  assert.ok(Math.abs(extent(effects) - 0.5 * (Math.exp(0.5) - 1)) < 1e-12);
  assert.equal(extent(answered(effect(1, null))), 0);
});

test("bars grow from the middle, to the left where the token loses", () => {
  assert.deepEqual(bar(-2, 2), { start: 0, length: 0.5 });
  assert.deepEqual(bar(1, 2), { start: 0.5, length: 0.25 });
  assert.deepEqual(bar(0, 2), { start: 0.5, length: 0 });
  assert.deepEqual(bar(0, 0), { start: 0.5, length: 0 });
  assert.deepEqual(axisLabels({ before: 0.723, extent: 0.4804 }), [
    "helps: −48.0 points",
    "72.3%",
    "+48.0: hurts",
  ]);
});

test("a small change is not rounded to none", () => {
  const changes = [-2.314, 0.05, 0.0099, 0.00312, -4e-7, 0];
  assert.deepEqual(changes.map(nats), ["−2.31", "+0.05", "+0.01", "+0.003", "−4e-7", "0"]);
  const points = [-0.4804, 0.0994, 0.0996, -0.0006, 0.0004, 0, null];
  assert.deepEqual(points.map(brief), ["−48", "+9.9", "+10", "−0.1", "≈0", "0", "–"]);
});

test("a change is told in percent, then in nats, with what the head does in a word", () => {
  const said = (/** @type {number | null} */ change, /** @type {number} */ p) =>
    effectInWords(one(change, p), "mat").replace("Without layer 1 · head 3, ", "");
  assert.equal(
    effectInWords(one(-1.09, 0.723), "herself"),
    "Without layer 1 · head 3, “herself” falls from 72.3% to 24.3% (−1.09 nats): this head helps it.",
  );
  assert.equal(
    said(0.25, 0.5),
    "“mat” rises from 50.0% to 64.2% (+0.25 nats): this head hurts it.",
  );
  assert.equal(
    said(-20, 0.5),
    "“mat” falls from 50.0% to < 0.1% (−20.00 nats): this head helps it.",
  );
  assert.equal(
    said(-1, 0.0004), // one decimal would show no difference
    "“mat” falls from 0.04% to 0.0147% (−1.00 nats): this head helps it.",
  );
  assert.equal(said(4e-7, 0.5), "“mat” stays at 50.0% (+4e-7 nats).");
  assert.equal(said(0, 0.5), "“mat” stays at exactly 50.0%.");
  assert.equal(
    effectInWords(one(null), "mat"),
    "There is no number for layer 1 · head 3: this head is muted already.",
  );
});

test("lines, thumbnails and pictures tell the same", () => {
  const told = [-1.09, 0.25, 4e-7].map((change) => one(change, 0.723));
  assert.deepEqual(told.map(lineLabel), [
    "layer 1 · head 3 helps: 72.3% → 24.3% without it (−1.09 nats)",
    "layer 1 · head 3 hurts: 72.3% → 92.8% without it (+0.25 nats)",
    "layer 1 · head 3: stays at 72.3% (+4e-7 nats)",
  ]);
  assert.equal(lineLabel(one(null)), "layer 1 · head 3: this head is muted already");
  assert.deepEqual(told.map(withoutHead), [
    "helps: 72.3% → 24.3% without it",
    "hurts: 72.3% → 92.8% without it",
    "72.3% without it, too",
  ]);
  assert.equal(pictureValue(told[0]), "24.3% (−1.09 nats)");
});

test("a head of an encoder–decoder is named with its kind", () => {
  const [cross] = answered(effect(3, -2.3105, "cross"));
  assert.match(effectInWords(cross, "mat"), /^Without cross layer 1 · head 3,/);
});

test("the table has nats and both probabilities, and empty fields where there is no number", () => {
  const lines = effectsCsv({ token, effects: answered(effect(2, null), effect(3, -20)) });
  const [head, none, fallen] = lines.trim().split("\r\n");
  assert.equal(
    head,
    '"kind","layer","head","change of the log-probability in nats","probability","probability without the head","token id","token","reason"',
  );
  assert.equal(none, '"self",1,2,,0.5,,9,"mat","this head is muted already"');
  assert.equal(fallen, `"self",1,3,-20,0.5,${0.5 * Math.exp(-20)},9,"mat",""`);
});

test("where no head has a number the reason is said once", () => {
  const muted = {
    kind: "self",
    layer: 0,
    head: 0,
    change: null,
    reason: "this head is muted already",
  };
  assert.match(noneInWords([muted, { ...muted, head: 1 }]), /^Every head is already muted/);
  assert.equal(noneInWords([muted, { ...muted, change: 0, reason: null }]), "");
  assert.equal(
    noneInWords([{ ...muted, reason: "it is deaf" }]),
    "No head has a number: it is deaf.",
  );
  assert.equal(noneInWords([]), "");
});
