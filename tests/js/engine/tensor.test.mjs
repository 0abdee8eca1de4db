// Operations on tensors, each against a sum written out or a case worked by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as T from "../../../static/js/engine/tensor/tensor.js";
import { close } from "./tensors.mjs";

/** Numbers that look random and are the same each time. */
const numbers = (shape) => {
  const x = T.zeros(shape);
  for (let at = 0; at < x.data.length; at++) x.data[at] = Math.sin(1 + 12.9898 * at);
  return x;
};

test("linear gives each output its row of weights, for any number of rows and outputs", () => {
  for (const rows of [1, 2, 3, 4, 5, 8, 11])
    for (const out of [1, 2, 3, 4, 7, 8]) {
      const [x, weight, bias] = [numbers([1, rows, 5]), numbers([out, 5]), numbers([out])];
      const expected = T.zeros([1, rows, out]);
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < out; j++) {
          let sum = bias.data[j];
          for (let at = 0; at < 5; at++) sum += x.data[i * 5 + at] * weight.data[j * 5 + at];
          expected.data[i * out + j] = sum;
        }
      close(T.linear(x, weight, bias), expected);
    }
});

test("matmul multiplies matrix by matrix, or all by one", () => {
  const a = T.fromLists([[[1, 2]], [[3, 0]]]);
  const b = T.fromLists([
    [
      [1, 10, 100],
      [2, 20, 200],
    ],
    [
      [4, 40, 400],
      [5, 50, 500],
    ],
  ]);
  close(T.matmul(a, b), T.fromLists([[[5, 50, 500]], [[12, 120, 1200]]]));
  close(T.matmul(a, T.reshape(T.narrow(b, 0, 0, 1), [2, 3])), {
    shape: [2, 1, 3],
    data: [5, 50, 500, 3, 30, 300],
  });
});

test("layerNorm, softmax, relu and add give the numbers worked by hand", () => {
  const x = T.fromLists([
    [1, 3],
    [-2, 2],
  ]);
  const normal = T.layerNorm(x, T.fromLists([2, 1]), T.fromLists([0, 5]), 0);
  close(
    normal,
    T.fromLists([
      [-2, 6],
      [-2, 6],
    ]),
  );
  const half = T.softmax(
    T.fromLists([
      [0, Math.log(3)],
      [1000, 1000],
    ]),
  );
  close(
    half,
    T.fromLists([
      [0.25, 0.75],
      [0.5, 0.5],
    ]),
  );
  close(
    T.relu(x),
    T.fromLists([
      [1, 3],
      [0, 2],
    ]),
  );
  close(
    T.add(x, x),
    T.fromLists([
      [2, 6],
      [-4, 4],
    ]),
  );
});

test("erf and gelu agree with tables", () => {
  const table = [0, 0, 0.1, 0.1124629160182849, 0.5, 0.5204998778130465, 1, 0.8427007929497149];
  table.push(2, 0.9953222650189527, 3, 0.9999779095030014, 7, 1);
  for (let at = 0; at < table.length; at += 2)
    for (const sign of [1, -1])
      assert.ok(Math.abs(T.erf(sign * table[at]) - sign * table[at + 1]) < 1e-9);
  close(
    T.gelu(T.fromLists([1, -1, 0])),
    T.fromLists([0.8413447460685429, -0.15865525393145707, 0]),
    1e-7,
  );
});

test("parts are taken and joined along any axis", () => {
  const x = numbers([2, 3, 4]);
  close(T.concat([T.narrow(x, 1, 0, 1), T.narrow(x, 1, 1, 3)], 1), x, 0);
  assert.deepEqual(
    [...T.gather(x, 2, [3, 0]).data.slice(0, 4)],
    [3, 0, 7, 4].map((at) => x.data[at]),
  );
  assert.deepEqual(
    T.gather({ shape: [3], data: Uint8Array.of(1, 2, 4) }, 0, [2]).data,
    Uint8Array.of(4),
  );
});

test("heads split off the last axis and merge back", () => {
  const x = numbers([2, 3, 10]);
  const heads = T.splitHeads(x, 5);
  assert.deepEqual(heads.shape, [2, 5, 3, 2]);
  // batch 1, head 4, position 2, channel 1 is channel 4 · 2 + 1 of position 2
  assert.equal(heads.data[((1 * 5 + 4) * 3 + 2) * 2 + 1], x.data[(1 * 3 + 2) * 10 + 9]);
  close(T.mergeHeads(heads), x, 0);
});

test("a number that is not finite is found, and large ones are not mistaken for it", () => {
  assert.ok(T.allFinite(T.fromLists([3e38, 3e38, -1])));
  for (const bad of [Number.NaN, Infinity, -Infinity])
    assert.ok(!T.allFinite(T.fromLists([0, bad, 1])));
  assert.ok(!T.allFinite(T.fromLists([Infinity, -Infinity])));
});
