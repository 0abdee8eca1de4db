import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { token } from "../../../static/js/engine/core/tokenizer.js";
import { NumericsError } from "../../../static/js/engine/errors.js";
import { sliced } from "../../../static/js/engine/slices.js";
import { generate, generateSettings } from "../../../static/js/engine/sources/generation.js";

const python = JSON.parse(readFileSync(new URL("data/generation.json", import.meta.url), "utf8"));

const END = 3;
const spell = (id) => `w${id}`;
const start = () => [token(7, "a", 0, 1, false)];
const idsOf = (row) => row.filter((one) => one.generated).map((one) => one.id);

/** A model that says these, whatever it is asked; and how many tokens it was shown each time. */
function saying(...rows) {
  const shown = [];
  const model = (grown) => {
    const step = shown.length;
    shown.push(Math.max(...grown.map((row) => row.length)));
    const data = new Float32Array(grown.length * 5);
    rows.forEach((ids, row) => {
      data[row * 5 + ids[Math.min(step, ids.length - 1)]] = 1;
    });
    return { shape: [grown.length, 5], data };
  };
  return { shown, model };
}

/** As in data/make_generation.py. */
function logits(rows) {
  const { n_vocab } = python;
  const data = new Float32Array(rows.length * n_vocab);
  rows.forEach((row, at) => {
    for (let id = 0; id < n_vocab; id++)
      data[at * n_vocab + id] = ((id * 7919 + 31 * row.length + 101 * at) % 8191) / 512;
  });
  return { shape: [rows.length, n_vocab], data };
}

for (const { settings, ids } of python.cases) {
  test(`with ${JSON.stringify(settings)} the tokens are those of Python`, () => {
    const rows = [start(), start()].map(([one]) => [{ ...one, end: 0 }]);
    const grown = generate(rows, generateSettings(settings), logits, { spell });
    assert.deepEqual(grown.rows.map(idsOf), ids);
  });
}

test("a row ends with an end token and the others go on", () => {
  const { shown, model } = saying([1, END, 2, 2], [2, 1, 1, 4]);
  const settings = generateSettings({ n_tokens: 4 });
  const grown = generate([start(), start()], settings, model, { spell, ends: new Set([END]) });
  assert.deepEqual(grown.rows.map(idsOf), [
    [1, END],
    [2, 1, 1, 4],
  ]);
  assert.deepEqual(
    grown.rows[0].slice(1).map((one) => one.special),
    [false, true],
  );
  assert.deepEqual(
    grown.rows[1].slice(1, 3).map((one) => [one.text, one.start, one.end]),
    [
      ["w2", 1, 1],
      ["w1", 1, 1],
    ],
  );
  assert.deepEqual(shown, [1, 2, 3, 4]);
});

test("nothing runs once all rows have ended", () => {
  const { shown, model } = saying([END], [1, END]);
  const settings = generateSettings({ n_tokens: 9 });
  generate([start(), start()], settings, model, { spell, ends: new Set([END]) });
  assert.equal(shown.length, 2);
});

test("typed rows stay as they are, and known tokens need no model", () => {
  const rows = [start()];
  const settings = generateSettings({ n_tokens: 2, known: [[4, 2]] });
  const grown = generate(rows, settings, () => assert.fail("it ran"), { spell });
  assert.equal(rows[0].length, 1);
  assert.equal(grown.rows[0][0], rows[0][0]);
  assert.deepEqual(idsOf(grown.rows[0]), [4, 2]);
});

test("each token is a step of progress", () => {
  const steps = [];
  const { model } = saying([1]);
  sliced(
    (done, total) => steps.push([done, total]),
    () => generate([start()], generateSettings({ n_tokens: 2 }), model, { spell }),
  );
  assert.deepEqual(steps, [
    [0, 2],
    [1, 2],
  ]);
});

test("a logit that is not finite is an error", () => {
  const model = () => ({ shape: [1, 2], data: Float32Array.of(1, Number.NaN) });
  const run = () => generate([start()], generateSettings({ n_tokens: 1 }), model, { spell });
  assert.throws(run, NumericsError);
});

test("a row is cut and goes on with a given token", () => {
  const { shown, model } = saying([1, END], [2, 2]);
  const row = [...start(), token(9, "b", 1, 2, false)];
  const settings = generateSettings({ n_tokens: 4, start: { after: 0, ids: [END, 4] } });
  const grown = generate([row, row], settings, model, { spell, ends: new Set([END]) });
  assert.deepEqual(
    grown.rows.map((one) => one.map(({ id }) => id)),
    [
      [7, END],
      [7, 4, 2, 2, 2],
    ],
  );
  assert.deepEqual(shown, [2, 3, 4]); // the first row had ended already
  assert.deepEqual(
    grown.log_p.map((one) => one.length),
    [0, 3],
  );
  assert.ok(Math.abs(Math.exp(grown.log_p[1][0]) - Math.E / (Math.E + 4)) < 1e-6);
});
