// Masks by 100 random settings are those of Python (data/make_masks.py), and the cases that a reader of the rules would ask about.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Mask, siteMask } from "../../../static/js/engine/masks/mask.js";
import {
  BLOCKED_BY,
  maskSettings,
  unedited,
  within,
} from "../../../static/js/engine/masks/rules.js";

const cases = JSON.parse(readFileSync(new URL("data/masks.json", import.meta.url), "utf8"));

/** Nested lists of 0 and 1 as bits. */
const bits = (list) => {
  const shape = [];
  for (let inner = list; Array.isArray(inner); inner = inner[0]) shape.push(inner.length);
  return { shape, data: Uint8Array.from(list.flat(Infinity)) };
};

const maskOf = ({ settings, site, real_keys, own }) =>
  siteMask(settings, { ...site, real_keys: bits(real_keys), own: own && bits(own) });

const cell = (given) => ({
  text: null,
  layer: null,
  head: null,
  query: null,
  key: null,
  kind: null,
  ...given,
});

/** The bits of one text and head, a line for each query. */
const lines = (mask) => {
  const { shape, data } = mask.blockedBy();
  return Array.from({ length: shape[2] }, (_, query) =>
    [...data.subarray(query * shape[3], (query + 1) * shape[3])].join(" "),
  );
};

test("random settings block the cells that they block in Python, for the same reasons", () => {
  for (const [number, each] of cases.entries()) {
    const mask = maskOf(each);
    const { shape, data } = mask.blockedBy();
    assert.deepEqual(shape, each.shape, `case ${number}`);
    assert.equal(Buffer.from(data).toString("hex"), each.blocked_by, `case ${number}`);
    assert.equal(mask.isOpen, each.is_open, `case ${number}`);
    assert.deepEqual(mask.blocked_rows, each.blocked_rows, `case ${number}`);
    assert.deepEqual(mask.blocked_columns, each.blocked_columns, `case ${number}`);
    assert.deepEqual(
      mask.allows().data,
      data.map((bits) => Number(bits === 0)),
    );
  }
});

test("some rows are those of the whole, whether the matrix is kept or not", () => {
  for (const each of cases) {
    const [start, stop] = each.rows;
    const mask = maskOf(each);
    const { shape, data } = mask.blockedBy();
    const [, , n_query, n_key] = shape;
    const expected = [...data].filter((_, at) => {
      const query = Math.floor(at / n_key) % n_query;
      return query >= start && query < stop;
    });
    assert.deepEqual([...mask.blockedBy(start, stop).data], expected);
    assert.deepEqual([...mask.reasons(start, stop).data], expected);
    assert.deepEqual(mask.allows(start, stop).shape, shape.with(2, stop - start));
  }
});

test("a long mask is read in stripes, and its blocked rows are found in all of them", () => {
  const blocked = [0, 255, 256, 599].map((query) => cell({ query }));
  const mask = new Mask({
    n_query: 600,
    n_key: 600,
    settings: maskSettings({ causal: true, blocked }),
  });
  assert.deepEqual(
    mask.blocked_rows.map(({ index }) => index),
    [0, 255, 256, 599],
  );
  assert.deepEqual(mask.blocked_columns, [{ text: 0, head: null, index: 599 }]);
  const row = mask.blockedBy(256, 257).data;
  assert.deepEqual([row[0], row[256], row[257]], [8, 8, 9]);
});

test("sinks lift the window and a prefix lifts the causal mask; neither lifts anything else", () => {
  const of = (settings) =>
    lines(
      new Mask({ n_query: 4, n_key: 4, settings: maskSettings({ causal: true, ...settings }) }),
    );
  assert.deepEqual(of({ window: 2 }), ["0 1 5 5", "0 0 1 5", "4 0 0 1", "4 4 0 0"]);
  assert.deepEqual(of({ window: 2, sinks: 1 }), ["0 1 5 5", "0 0 1 5", "0 0 0 1", "0 4 0 0"]);
  assert.deepEqual(of({ window: 2, prefix: 3 }), ["0 0 4 5", "0 0 0 5", "4 0 0 1", "4 4 0 0"]);
});

test("a mask is open only if no rule of its site can block", () => {
  const of = (given, real = [1, 1, 1]) =>
    siteMask(maskSettings(given), {
      layer: 0,
      n_query: 3,
      n_key: 3,
      n_heads: 1,
      causal: false,
      real_keys: { shape: [1, 3], data: Uint8Array.from(real) },
    }).isOpen;
  assert.ok(of({}));
  assert.ok(of({ prefix: 2, sinks: 1, allowed: [cell({ query: 0 })] }));
  assert.ok(!of({}, [1, 1, 0]));
  assert.ok(of({ padding: false }, [1, 1, 0]));
  for (const given of [{ causal: true }, { window: 9 }, { blocked: [cell({ key: 0 })] }])
    assert.ok(!of(given));
});

test("an allowed cell wins over every mask", () => {
  const cells = [cell({ query: 0, key: 1 })];
  const settings = maskSettings({ causal: true, window: 1, blocked: cells, allowed: cells });
  assert.deepEqual(lines(new Mask({ n_query: 2, n_key: 2, settings })), ["0 0", "4 0"]);
});

test("the bits are those that the page reads", () => {
  const bits = { CAUSAL: 1, PADDING: 2, WINDOW: 4, PAINTED: 8, MODEL: 16 };
  assert.deepEqual({ ...BLOCKED_BY, ...bits }, BLOCKED_BY);
  assert.equal(new Set(Object.values(BLOCKED_BY)).size, Object.keys(BLOCKED_BY).length);
});

test("unedited settings keep the padding side alone", () => {
  const settings = maskSettings({ causal: false, padding: false, padding_side: "left", sinks: 3 });
  assert.deepEqual(unedited(settings), maskSettings({ padding_side: "left" }));
});

test("painted cells past the texts that are read so far are left out", () => {
  const [near, far] = [cell({ query: 2 }), cell({ key: 3 })];
  const settings = within(maskSettings({ blocked: [near, far], allowed: [far] }), 3);
  assert.deepEqual([settings.blocked, settings.allowed], [[near], []]);
});

test("an empty window and a painted cell outside are refused by name", () => {
  for (const name of ["window", "prefix", "sinks"])
    assert.throws(() => maskSettings({ [name]: 0 }), {
      code: "invalid_input",
      field: `masks.${name}`,
      message: `Expected \`${name}\` to be at least 1 token; got 0.`,
    });
  for (const [axis, index] of [
    ["text", 1],
    ["head", 2],
    ["query", 3],
    ["key", 4],
  ])
    for (const field of ["blocked", "allowed"]) {
      const settings = maskSettings({ [field]: [cell({ [axis]: index })] });
      assert.throws(() => new Mask({ n_query: 3, n_key: 4, n_heads: 2, settings }), {
        field: `masks.${field}`,
        message: new RegExp(`names ${axis} ${index}, but this trace has ${index} `),
      });
    }
});
