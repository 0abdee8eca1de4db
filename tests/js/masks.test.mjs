import assert from "node:assert/strict";
import test from "node:test";
import { AFFECTS, ROWS } from "../../static/js/engine/masks/rules.js";
import { bitsAt, changedMasks, MASKS, OWN_MASKS } from "../../static/js/state/masks.js";
import { editsInWords } from "../../static/js/words/picture.js";

const at = (query, key, more = {}) => ({
  query,
  key,
  cross: false,
  ownCausal: true,
  order: { [query]: query, [key]: key },
  ...more,
});
/** The bits of every cell of a text of n tokens. */
const grid = (masks, n, more = {}) =>
  Array.from({ length: n }, (_, query) =>
    Array.from({ length: n }, (_, key) => bitsAt({ ...OWN_MASKS, ...masks }, at(query, key, more))),
  );

test("every mask is written to an address and read back", () => {
  const values = {
    causal: false,
    padding: false,
    padding_side: "left",
    window: 3,
    prefix: 2,
    sinks: 1,
  };
  for (const { name, address, read, write, usual } of MASKS) {
    assert.deepEqual(read(new URLSearchParams()), usual, name);
    if (!(name in values)) continue;
    const query = new URLSearchParams(write(values[name]).map((text) => [address, text]));
    assert.deepEqual(read(query), values[name], name);
  }
  assert.deepEqual(
    changedMasks({ ...OWN_MASKS, ...values }).map(({ name }) => name),
    Object.keys(values),
  );
});

test("every mask with a rule has its function, and no other", () => {
  const ruled = Object.entries(ROWS).flatMap(([name, { rule }]) => (rule ? [name] : []));
  assert.deepEqual(ruled.sort(), Object.keys(AFFECTS).sort());
});

test("what makes no sense in an address is the default", () => {
  for (const { name, address, read, usual } of MASKS) {
    for (const text of ["", "x", "-1", "0", "1.5", "null", "9999999"]) {
      assert.deepEqual(read(new URLSearchParams([[address, text]])), usual, `${name}=${text}`);
    }
  }
});

test("a prefix frees the future among the first tokens alone", () => {
  assert.deepEqual(grid({ prefix: 2 }, 4), [
    [0, 0, 1, 1],
    [0, 0, 1, 1],
    [0, 0, 0, 1],
    [0, 0, 0, 0],
  ]);
  assert.deepEqual(grid({ prefix: 2 }, 3, { cross: true }), grid({}, 3, { cross: true }));
});

test("sinks stay visible outside the window, and the future stays blocked", () => {
  assert.deepEqual(grid({ window: 2, sinks: 1 }, 4), [
    [0, 1, 5, 5],
    [0, 0, 1, 5],
    [0, 0, 0, 1],
    [0, 4, 0, 0],
  ]);
});

test("padding is none of the first tokens", () => {
  const order = { 0: 0, 1: Number.POSITIVE_INFINITY };
  assert.equal(bitsAt({ ...OWN_MASKS, prefix: 9, sinks: 9 }, at(0, 1, { order })), 3);
});

test("masks are told in words", () => {
  const masks = { ...OWN_MASKS, prefix: 1, sinks: 2 };
  assert.equal(editsInWords({ masks, muted: [] }), "prefix of 1 · 2 sinks");
  const announced = (name, value) => MASKS.find((row) => row.name === name)?.wording.now(value);
  assert.equal(announced("prefix", 1), "Prefix of 1 token.");
  assert.equal(announced("sinks", null), "Sinks off.");
});
