import assert from "node:assert/strict";
import test from "node:test";
import {
  BLOCKS,
  blockOf,
  boundaryLines,
  boundaryOf,
  boxesOutside,
  isOutside,
  nextBlock,
  shrunk,
  spanOf,
} from "../../static/js/numbers/segments.js";

/** "AAABB.." as tokens: a dot is padding, which the API puts into segment 0. @param {string} text */
const tokens = (text) =>
  [...text].map((name) => ({ segment: name === "B" ? 1 : 0, padding: name === "." }));

test("the second segment begins at its first token, wherever padding stands", () => {
  assert.equal(boundaryOf(tokens("AAABB")), 3);
  assert.equal(boundaryOf(tokens("AAABB..")), 3);
  assert.equal(boundaryOf(tokens("..AAABB")), 5);
  assert.equal(boundaryOf(tokens("AAA")), null);
  assert.deepEqual(spanOf(tokens("..AAABB"), 0), [2, 5]);
  assert.deepEqual(spanOf(tokens("AAABB.."), 1), [3, 5]);
  assert.deepEqual(spanOf(tokens("AAA"), 1), [0, 0]);
});

test("the boundary is a line across each axis, between two cells", () => {
  const row = tokens("AAABB..");
  assert.deepEqual(boundaryLines(row, row), [
    { x0: 2.5, x1: 2.5, y0: -0.5, y1: 6.5 },
    { x0: -0.5, x1: 6.5, y0: 2.5, y1: 2.5 },
  ]);
  assert.deepEqual(boundaryLines(tokens("AA"), tokens("AA")), []);
});

test("a block is from the queries of one segment to the keys of another; padding is in none", () => {
  const row = tokens("AAABB..");
  assert.deepEqual(blockOf(row, row, "AB"), { queries: [0, 3], keys: [3, 5] });
  assert.deepEqual(blockOf(row, row, "BA"), { queries: [3, 5], keys: [0, 3] });
  assert.equal(blockOf(row, row, "all"), null);
  assert.equal(blockOf(tokens("AAA"), tokens("AAA"), "AB"), null);
});

test("boxes outside a block cover every cell that is outside, once, and none that is inside", () => {
  const row = tokens("..AAABB.");
  for (const value of BLOCKS) {
    const block = blockOf(row, row, value);
    const boxes = boxesOutside(block, 8, 8);
    for (let query = 0; query < 8; query += 1) {
      for (let key = 0; key < 8; key += 1) {
        const over = boxes.filter(
          ({ x0, x1, y0, y1 }) => key > x0 && key < x1 && query > y0 && query < y1,
        );
        assert.equal(over.length, isOutside(block, query, key) ? 1 : 0, `${value} ${query} ${key}`);
      }
    }
  }
});

test("in a thumbnail a pixel is inside if any of its cells is", () => {
  const block = { queries: [0, 30], keys: [30, 100] };
  const small = shrunk(block, { rows: 100, cols: 100 }, { rows: 8, cols: 9 });
  assert.deepEqual(small, { queries: [0, 3], keys: [2, 9] }); // of 2.4 and of 2.7
  const same = { rows: 100, cols: 100 };
  assert.deepEqual(shrunk(block, same, same), block);
});

test("the blocks go round", () => {
  const seen = ["all"];
  for (let i = 0; i < 5; i += 1) seen.push(nextBlock(seen[i]));
  assert.deepEqual(seen, ["all", "AA", "AB", "BA", "BB", "all"]);
});
