// Runs the engine for Python: a JSON document a line, one answer a line. scripts/_fuzz/engine.py talks to it.
//
//     node tests/js/engine/driver.mjs FOLDER        the folder of the shipped model
//     {"kind": "trace", "request": {…}}  →  {"answer": {"trace": {…}, "tensors": {name: {shape, dtype, base64}}}}
//     {"kind": "stream" | "models" | "heads" | "limits", …}  →  {"answer": …}
//     or {"error": {code, message, field, limit, status}}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { LIMITS } from "../../../static/js/engine/answering/limits.js";
import { createEngine } from "../../../static/js/engine/engine.js";
import { HeadlightError } from "../../../static/js/engine/errors.js";
import { opened } from "../../../static/js/engine/sources/opening.js";

const bytes = (/** @type {string} */ name) => {
  const { buffer, byteOffset, byteLength } = readFileSync(join(process.argv[2], name));
  return buffer.slice(byteOffset, byteOffset + byteLength);
};

const engine = createEngine({
  sources: [
    opened({
      type: "native",
      name: "shipped",
      config: bytes("config.json"),
      tokenizer: bytes("tokenizer.json"),
      weights: bytes("model.safetensors"),
    }),
    opened({ type: "scratch" }),
  ],
});

const KINDS = {
  trace({ request }) {
    const { trace, tensors } = engine.trace(request);
    return { trace, tensors: Object.fromEntries(Array.from(tensors, written)) };
  },
  stream: ({ request }) => engine.stream(request),
  models: () => engine.models(),
  heads: ({ model }) => engine.heads(model),
  limits: () => LIMITS,
};

function written([name, { shape, data }]) {
  const dtype = data instanceof Uint8Array ? "uint8" : "float32";
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
  return [name, { shape, dtype, base64 }];
}

function answered(message) {
  try {
    return { answer: KINDS[message.kind](message) };
  } catch (error) {
    if (!(error instanceof HeadlightError)) return { crash: String(error?.stack ?? error) };
    const { code, message: words, field, limit, status } = error;
    return { error: { code, message: words, field, limit, status } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answered(JSON.parse(line)))}\n`);
}
