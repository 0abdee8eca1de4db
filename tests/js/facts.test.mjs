// Every row of the shared tables (static/js/facts/) has its code.

import assert from "node:assert/strict";
import { test } from "node:test";
import { METRICS } from "../../static/js/engine/analysis/metrics.js";
import ADDRESSES from "../../static/js/facts/addresses.json" with { type: "json" };
import NAMES from "../../static/js/facts/measures.json" with { type: "json" };
import { MEASURES } from "../../static/js/numbers/measures.js";
import { CODECS, ROWS } from "../../static/js/state/address/rows.js";

test("every metric sums cells or has a number for each row", () => {
  assert.ok(METRICS.length > 10);
  for (const { name, cells, value } of METRICS) assert.notEqual(!cells, !value, name);
});

test("every measure of a lesson's figure can be measured", () => {
  assert.deepEqual(Object.keys(MEASURES).toSorted(), NAMES.toSorted());
});

test("a row of the address is read and written by the kind of its values, or by a codec", () => {
  const kinds = ["one_of", "whole", "number", "share", "flag", "word"];
  const plain = ADDRESSES.filter((row) => !("of" in row));
  for (const row of plain.filter((each) => !kinds.some((kind) => kind in each))) {
    const { read, write } = CODECS[row.key] ?? {};
    assert.ok(read && write, row.key);
  }
  const known = new Set(ROWS.map(({ key }) => key));
  assert.deepEqual(
    Object.keys(CODECS).filter((key) => !known.has(key)),
    [],
  );
});
