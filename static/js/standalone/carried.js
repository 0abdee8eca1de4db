// What a page that is one file carries besides itself: the engine's worker, a model's files, a recorded trace. Each is a script element
// that the browser does not run, with `data-inside` for its name, and packed bytes for its text. server/pages/export/ makes them.

import { packed, unpacked } from "../files/letters.js";

/** What a model of each type needs: its field → the name of a file. @type {Record<string, Record<string, string>>} */
const FILES = {
  native: { config: "config.json", tokenizer: "tokenizer.json", weights: "model.safetensors" },
  recorded: { recorded: "trace.safetensors" },
};

/** @param {string} name @param {ParentNode} page @returns {HTMLScriptElement | undefined} */
const find = (name, page) =>
  [...page.querySelectorAll("script")].find(({ dataset }) => dataset.inside === name);

/**
 * @param {string} name
 * @param {ParentNode} [page]
 * @returns {Promise<ArrayBuffer>} a new one each time, so that it can be transferred
 * @throws {Error} if the page does not carry it, or it is damaged
 */
export async function insideFile(name, page = document) {
  const element = find(name, page);
  if (!element) throw new Error(`This page does not contain ${name}.`);
  return unpacked(element.textContent ?? "");
}

/** As `insideFile`, read as text. @param {string} name */
export const insideText = async (name) => new TextDecoder().decode(await insideFile(name));

/** Run a script that the page carries; its content policy knows the script by its hash. @param {string} name */
export async function runInside(name) {
  const script = document.createElement("script");
  script.type = "module";
  script.dataset.started = ""; // for again.js, which leaves it out
  script.textContent = await insideText(name);
  document.head.append(script);
}

/** Apply a style sheet that the page carries, if it does; until then, a page shows nothing. @param {string} name */
export async function styleInside(name) {
  if (!find(name, document)) return;
  const style = document.createElement("style");
  style.dataset.started = "";
  style.textContent = `${await insideText(name)}body{visibility:visible;animation:none}`;
  document.head.append(style);
}

/** @typedef {{type: string, name: string}} Row */

/**
 * Let a page say of one more model that it carries it.
 * @param {HTMLElement} page
 * @param {Row} row
 */
export async function listInside(page, row) {
  const rows = JSON.parse(new TextDecoder().decode(await insideFile("sources.json", page)));
  const element = /** @type {HTMLScriptElement} */ (find("sources.json", page));
  element.textContent = await packed(new Blob([JSON.stringify([...rows, row])]));
}

/**
 * The models that the page carries, as the engine takes them.
 * @returns {Promise<Row[]>} see engine/sources/opening.js
 */
export async function insideSources() {
  /** @type {Row[]} */
  const rows = JSON.parse(await insideText("sources.json"));
  return Promise.all(
    rows.map(async (row) => {
      const files = FILES[row.type] ?? {};
      const read = Object.entries(files).map(async ([field, file]) => [
        field,
        await insideFile(`${row.name}/${file}`),
      ]);
      return { ...row, ...Object.fromEntries(await Promise.all(read)) };
    }),
  );
}
