// Explains heads as the page does, for tests/api/test_explain.py: with the page's own requests, readers and sentences. It talks in lines
// of JSON: first it gets {models}; for each choice that it gets, it writes {ask} as often as it needs, gets the answer of the API, in base64
// (or null: it was refused), and at last writes {said}.

import { createInterface } from "node:readline";
import { merged, parted } from "../../static/js/asking/bundle.js";
import { Ledger } from "../../static/js/asking/ledger.js";
import { nextOf, statusesOf, wishesOf } from "../../static/js/asking/wishes.js";
import { readSafetensors } from "../../static/js/files/safetensors.js";
import { explained } from "../../static/js/panels/explain/sentences.js";
import { questions, UNASKED } from "../../static/js/panels/questions.js";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { fromQuery } from "../../static/js/state/url.js";

const without = ["grid", "scores", "lens", "facts", "reference"];
const asked = questions({ without });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const hear = async () => JSON.parse((await lines.next()).value ?? "null");
const tell = (/** @type {object} */ words) => process.stdout.write(`${JSON.stringify(words)}\n`);

/** @param {object} request @returns {Promise<import("../../static/js/types.d.ts").Answer | null>} */
async function answerTo(request) {
  tell({ ask: request });
  const bytes = await hear();
  if (bytes === null) return null;
  const { buffer, byteOffset, byteLength } = Buffer.from(bytes, "base64");
  const file = /** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength));
  const { metadata, tensors } = readSafetensors(file);
  return { trace: JSON.parse(metadata.trace), tensors };
}

/** The state with all answers that it needs, as static/js/asking/loader.js finds them. @param {any} state */
async function answered(state) {
  const ledger = new Ledger();
  for (;;) {
    const wishes = wishesOf(state, asked, ledger);
    Object.assign(state, statusesOf(state, wishes, asked, ledger));
    const bundle = nextOf(wishes, false);
    if (!bundle) return state;
    const answer = await answerTo(merged(bundle));
    const parts = answer && parted(bundle, answer);
    for (const [place, { name, question, request, key }] of bundle.entries()) {
      const part = parts?.[place];
      if (part) ledger.answered(name, key);
      else ledger.refuse(name, key);
      if (!part) continue;
      const stored = { [name]: { status: "ready", answer: part, problem: null } };
      Object.assign(state, question.put?.(state, part, request) ?? stored);
      for (const [other, { completes }] of asked) if (completes === name) ledger.forget(other);
    }
  }
}

const { models } = await hear();
const example = { texts: [""], layer: 0, head: 0, query: null };
for (let choice = await hear(); choice; choice = await hear()) {
  const usual = fromQuery("?layer=0", models, example, 8);
  const masks = { ...OWN_MASKS, ...choice.masks };
  const state = { ...UNASKED, models, relations: {}, rested: true, ...usual, ...choice, masks };
  const found = explained(await answered(state), choice.cell ?? null);
  tell({ said: found?.sentences.map(({ text }) => text) ?? null, why: found?.why ?? null });
}
