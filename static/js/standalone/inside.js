// What a page that is one file carries besides itself: the engine's worker, a model's files, a recorded trace. Each is a script element
// that the browser does not run, with `data-inside` for its name, and gzip'd bytes in base64 for its text. server/export/ makes them.

import { readSafetensors } from "../files/safetensors.js";

/** @param {string} name */
const find = (name) => [...document.scripts].find(({ dataset }) => dataset.inside === name);

/** Whether the page carries this. @param {string} name */
export const isInside = (name) => find(name) !== undefined;

/**
 * @param {string} name
 * @returns {Promise<ArrayBuffer>} a new one each time, so that it can be transferred
 * @throws {Error} if the page does not carry it, or it is damaged
 */
export async function insideFile(name) {
  const element = find(name);
  if (!element) throw new Error(`This page does not contain ${name}.`);
  const text = atob(element.textContent ?? "");
  const packed = Uint8Array.from(text, (each) => each.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** As `insideFile`, read as text. @param {string} name */
export const insideText = async (name) => new TextDecoder().decode(await insideFile(name));

/** @typedef {{type: "native" | "recorded", name: string} | {type: "scratch"}} Row */

/**
 * The models that the page carries, as the engine takes them: see engine/serving.js.
 * @returns {Promise<object[]>}
 */
export async function insideSources() {
  /** @type {Row[]} */
  const rows = JSON.parse(await insideText("sources.json"));
  return Promise.all(
    rows.map(async (row) => {
      if (row.type === "scratch") return row;
      return { ...row, ...(await (row.type === "native" ? native : recorded)(row.name)) };
    }),
  );
}

/** A checkpoint. @param {string} name */
async function native(name) {
  const [config, tokenizer, weights] = await Promise.all(
    ["config.json", "tokenizer.json", "model.safetensors"].map((file) =>
      insideFile(`${name}/${file}`),
    ),
  );
  return { config, tokenizer, weights };
}

/** One trace. @param {string} name */
async function recorded(name) {
  const { metadata, tensors } = readSafetensors(await insideFile(`${name}/trace.safetensors`));
  const read = (/** @type {string} */ key) => JSON.parse(metadata[key]);
  return {
    recorded: { trace: read("trace"), tensors, inputs: read("inputs"), info: read("info") },
  };
}
