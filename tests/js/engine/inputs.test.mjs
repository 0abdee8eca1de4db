import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { token } from "../../../static/js/engine/core/tokenizer.js";
import { HeadlightError } from "../../../static/js/engine/errors.js";
import { generateSettings } from "../../../static/js/engine/sources/generation.js";
import {
  checkCells,
  checkLength,
  checkText,
  checkUnmixed,
  mutedHeads,
  padded,
} from "../../../static/js/engine/sources/inputs.js";

const python = JSON.parse(readFileSync(new URL("data/inputs.json", import.meta.url), "utf8"));
const { infos } = python;

const row = (ends) => ends.map((end, id) => token(id, "x", end, end, false));
const inputs = (given) => ({
  targets: null,
  pairs: null,
  masks: {},
  muted: [],
  generate: null,
  settings: null,
  ...given,
});

/** The same error as in Python, or the same value; `undefined` is None. */
function assertSame(check, expected, shown) {
  let found;
  try {
    found = { gives: check() ?? null };
  } catch (error) {
    assert.ok(error instanceof HeadlightError, String(error));
    const { message, code, field, limit } = error;
    found = { error: { message, code, field, limit } };
  }
  assert.deepEqual(found, expected, JSON.stringify(shown));
}

test("inputs that a model does not take are refused as in Python", () => {
  for (const [name, given, expected] of python.mixed) {
    const check = () => checkUnmixed(inputs(given), infos[name], infos[name].settings);
    assertSame(check, expected, given);
  }
});

test("rows that are empty or too long are refused as in Python", () => {
  for (const [n, max_tokens, more, expected] of python.length) {
    const place = { what: "Text 2", field: "texts.1", max_tokens, more };
    const check = () => checkLength(row(Array(n).fill(0)), infos.stack, place);
    assertSame(check, expected, [n, max_tokens, more]);
  }
});

test("painted cells and muted heads outside the model are refused as in Python", () => {
  for (const [name, cell, expected] of python.cells) {
    const settings = { blocked: [], allowed: [{ layer: null, kind: null, ...cell }] };
    assertSame(() => checkCells(settings, infos[name]), expected, cell);
  }
  for (const [name, heads, expected] of python.muted) {
    const { n_heads, sites } = infos[name];
    const check = () => {
      const { shape, data } = mutedHeads(heads, infos[name]);
      assert.deepEqual(shape, [1, sites.length, n_heads]);
      return [sites.map((_, site) => [...data.subarray(site * n_heads, (site + 1) * n_heads)])];
    };
    assertSame(check, expected, heads);
  }
});

test("blocked cells are checked as allowed ones, under their own field", () => {
  const settings = { blocked: [{ layer: 9, kind: null }], allowed: [] };
  assert.throws(() => checkCells(settings, infos.stack), { field: "masks.blocked" });
});

test("half of a surrogate pair is refused with its field", () => {
  for (const [text, expected] of python.text) {
    assertSame(() => checkText(text, "texts.3"), expected, text);
  }
});

test("rows are padded on either side as in Python", () => {
  for (const [side, expected] of python.padded) {
    assert.deepEqual(padded(python.rows.map(row), 9, side), expected);
  }
});

test("settings of generation have Python's defaults and errors", () => {
  for (const [given, expected] of python.generates) {
    assertSame(() => generateSettings(given), expected, given);
  }
});
