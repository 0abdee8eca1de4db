import assert from "node:assert/strict";
import test from "node:test";
import { headRequest } from "../../static/js/asking/saved.js";
import { merged, readSafetensors } from "../../static/js/files/safetensors.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { sideRequest } from "../../static/js/views/compare/save.js";
import { rowRequest } from "../../static/js/views/inside/save.js";
import { headsOf, linesRequest } from "../../static/js/views/lines/save.js";

const model = {
  tensors: ["q", "k", "pattern", "blocked_by"],
  takes_targets: false,
  takes_pairs: false,
};
const state = {
  model: "mine",
  texts: ["a"],
  targets: [],
  pairs: null,
  masks: OWN_MASKS,
  muted: [[0, 1]],
  kind: "self",
  layer: 2,
  head: 3,
  matrix: "pattern",
  overlay: [
    [2, 3],
    [0, 5],
    [2, 1],
  ],
};

test("the whole matrix of one head is asked for, under the masks and mutes of the page", () => {
  const { select, masks, muted, predict } = headRequest(state, model);
  assert.deepEqual(select, { tensors: ["pattern", "blocked_by"], layers: [2], heads: [3] });
  assert.deepEqual([masks, muted, predict], [OWN_MASKS, [[0, 1]], null]);
  const norms = headRequest({ ...state, matrix: "norms" }, model).select.tensors;
  assert.deepEqual(norms, ["pattern", "norms", "blocked_by"]);
  assert.deepEqual(headRequest({ ...state, matrix: "rollout" }, model).analyse, { rollout: true });
  assert.deepEqual(headRequest({ ...state, kind: "cross" }, model).select.kinds, ["cross"]);
});

test("lines are of the selected head and the overlaid ones, each once", () => {
  assert.deepEqual(headsOf(state), [
    [2, 3],
    [0, 5],
    [2, 1],
  ]);
  const { layers, heads } = linesRequest(state, model).select;
  assert.deepEqual(
    [layers, heads],
    [
      [0, 2],
      [1, 3, 5],
    ],
  );
});

test("a row is asked for with what the model has", () => {
  const { tensors, rows } = rowRequest(state, model, 4).select;
  assert.deepEqual(
    [tensors, rows],
    [
      ["q", "k", "pattern", "blocked_by"],
      [4, 5],
    ],
  );
});

test("the A of a comparison is asked for as it is held", () => {
  const held = { ...state, model: "other", layer: 0, muted: [] };
  const request = sideRequest(state, held, model);
  assert.deepEqual([request.model, request.select.layers, request.muted], ["other", [0], []]);
});

/** @param {Record<string, unknown>} header @param {Uint8Array} data */
function file(header, data) {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const buffer = new Uint8Array(8 + json.length + data.length);
  new DataView(buffer.buffer).setBigUint64(0, BigInt(json.length), true);
  buffer.set(json, 8);
  buffer.set(data, 8 + json.length);
  return buffer.buffer;
}

test("two files of tensors become one, each under its name", () => {
  const numbers = new Uint8Array(Float32Array.from([1, 2, 3]).buffer);
  const whole = merged({
    a: file(
      {
        __metadata__: { trace: "{}" },
        x: { dtype: "F32", shape: [3], data_offsets: [0, 12] },
        y: { dtype: "U8", shape: [1], data_offsets: [12, 13] },
      },
      Uint8Array.from([...numbers, 9]),
    ),
    b: file({ x: { dtype: "U8", shape: [2], data_offsets: [0, 2] } }, Uint8Array.from([7, 8])),
  });
  const { metadata, tensors } = readSafetensors(whole.buffer);
  assert.deepEqual(metadata, { "a.trace": "{}" });
  assert.deepEqual([...(tensors.get("a.x")?.data ?? [])], [1, 2, 3]);
  assert.deepEqual([...(tensors.get("a.y")?.data ?? [])], [9]);
  assert.deepEqual([...(tensors.get("b.x")?.data ?? [])], [7, 8]);
  assert.equal(Number(new DataView(whole.buffer).getBigUint64(0, true)) % 8, 0);
});
