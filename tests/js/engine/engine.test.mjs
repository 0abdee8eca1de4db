// The engine answers a request document: what it keeps, what it hands over, and what it refuses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../../../static/js/engine/engine.js";
import { opened } from "../../../static/js/engine/sources/opening.js";
import { readSafetensors } from "../../../static/js/files/safetensors.js";
import { shipped } from "./shipped.mjs";

const source = opened(shipped());
const engine = createEngine({ sources: [source] });
const SENTENCE = { texts: ["Maria saw herself."] };

/** An engine whose source counts its runs. */
function counting(limits = {}) {
  const runs = [];
  const counted = {
    info: source.info,
    ordinary_ids: source.ordinary_ids,
    trace: (inputs, options) => {
      runs.push(inputs);
      return source.trace(inputs, options);
    },
    traceIds: (rows) => source.traceIds(rows),
    muteEffects: (inputs, watched) => source.muteEffects(inputs, watched),
  };
  return { runs, counted, engine: createEngine({ sources: [counted], limits }) };
}

test("a second look at a trace runs nothing, whatever it looks at", () => {
  const { runs, engine } = counting();
  const masks = { blocked: [{ key: 1 }, { key: 2 }] };
  engine.trace({ ...SENTENCE, masks, predict: { unedited: true } });
  assert.equal(runs.length, 2); // with the edits, and without
  engine.trace({
    ...SENTENCE,
    masks: { blocked: [{ key: 2 }, { key: 1 }] },
    select: { layers: [] },
  });
  engine.stream({ ...SENTENCE, predict: null });
  assert.equal(runs.length, 2);
  engine.trace({ texts: ["Maria saw him."] });
  assert.equal(runs.length, 3);
});

test("a source that takes another's place is asked anew", () => {
  const { runs, counted, engine } = counting();
  engine.trace(SENTENCE);
  engine.add(counted);
  engine.trace(SENTENCE);
  assert.equal(runs.length, 2);
  engine.remove("shipped");
  assert.deepEqual(engine.models(), []);
});

test("an answer may be handed over: the next one has its numbers still", () => {
  const asked = { ...SENTENCE, select: { tensors: ["q", "pattern"], layers: [1] } };
  const first = engine.trace(asked);
  const before = Float32Array.from(first.tensors.get("layers.1.q").data);
  structuredClone(first, {
    transfer: Array.from(first.tensors.values(), ({ data }) => data.buffer),
  });
  assert.deepEqual(engine.trace(asked).tensors.get("layers.1.q").data, before);
});

test("each part has its own tensors, in its own form", () => {
  const { trace, tensors } = engine.trace({
    ...SENTENCE,
    parts: {
      grid: { resolution: 2, dtype: "uint8" },
      head: { tensors: ["q", "blocked_by"], layers: [2], heads: [1], dtype: "float16" },
    },
  });
  assert.equal(trace.sites.length, 3);
  assert.deepEqual(
    Array.from(tensors, ([name, { shape, data }]) => [name, shape, data.constructor.name]),
    [
      ...[0, 1, 2].map((layer) => [`grid/layers.${layer}.pattern`, [1, 8, 2, 2], "Uint8Array"]),
      ["head/layers.2.q", [1, 1, 5, 16], "Float32Array"],
      ["head/layers.2.blocked_by", [1, 1, 5, 5], "Uint8Array"],
    ],
  );
});

test("files hold what the page reads", () => {
  const asked = { ...SENTENCE, select: { tensors: ["pattern"] }, analyse: { rollout: true } };
  const { trace, tensors } = engine.trace(asked);
  const file = readSafetensors(engine.file(asked, "application/safetensors").buffer);
  assert.deepEqual(JSON.parse(file.metadata.trace), JSON.parse(JSON.stringify(trace)));
  assert.deepEqual([...file.tensors.keys()].sort(), [...tensors.keys()].sort());
  assert.deepEqual(file.tensors.get("rollout").data, tensors.get("rollout").data);
  const json = JSON.parse(new TextDecoder().decode(engine.file(asked, "application/json")));
  const pattern = Float32Array.from(json.sites[1].tensors.pattern.flat(3));
  assert.deepEqual(pattern, tensors.get("layers.1.pattern").data);
  assert.deepEqual(Float32Array.from(json.rollout.flat(2)), tensors.get("rollout").data);
});

test("limits are the server's, unless the page sets others", () => {
  const refused = (request, engine) => {
    try {
      engine.trace(request);
      return null;
    } catch ({ code, field, limit, status }) {
      return [code, field, limit, status];
    }
  };
  const long = { texts: ["a ".repeat(20_000)] };
  assert.deepEqual(refused(long, engine), ["too_many_characters", "texts.0", 20_000, 422]);
  assert.deepEqual(refused({ texts: Array(9).fill("a") }, engine), [
    "too_many_texts",
    "texts",
    8,
    422,
  ]);
  assert.deepEqual(refused({ texts: ["a"], model: "x" }, engine), [
    "unknown_model",
    "model",
    null,
    404,
  ]);
  assert.deepEqual(refused({ texts: ["ab".repeat(200_000)] }, engine), [
    "body_too_large",
    null,
    262_144,
    413,
  ]);
  const { engine: small } = counting({ tokens: 3, answer_bytes: 100, mute_tokens: 10 });
  assert.deepEqual(refused(SENTENCE, small), ["too_many_tokens", "texts.0", 3, 422]);
  assert.deepEqual(refused({ texts: ["a"] }, small), ["answer_too_large", "select", 100, 422]);
  const { engine: quick } = counting({ mute_tokens: 10 });
  assert.deepEqual(refused({ texts: ["a"], analyse: { mute_effects: {} } }, quick), [
    "too_many_runs",
    "analyse.mute_effects",
    10,
    422,
  ]);
});

test("what JSON does not keep of a request does not count", () => {
  assert.ok(engine.trace({ ...SENTENCE, select: undefined, parts: { a: { layers: [] } } }));
});
