// Writes a page that is a file, with recordings of a reader's own data put into it. The page is an <html> element that nobody sees.

import { gettext } from "../language/gettext.js";
import { listInside } from "./carried.js";

/** @import { Model } from "../types.d.ts" */
/**
 * A recording for a page to carry.
 * @typedef {object} Added
 * @property {Model} model
 * @property {Blob} text its file, packed as files/packed.js does: it may be large, so it never becomes a part of the document
 * @property {string} about what to tell the reader of the page
 */

const TOO_OLD = gettext(
  "This browser cannot write a page as a file. Use one from 2024 or later, or copy the file that you opened.",
);

/**
 * @param {HTMLElement} page changed by this
 * @param {string} query that it opens with, with its "?"
 * @param {Added[]} [added]
 * @returns {Promise<Blob>}
 * @throws {Error} in a browser from before 2024, which cannot write a page
 */
export async function written(page, query, added = []) {
  page.dataset.file = query;
  const boot = /** @type {HTMLScriptElement} */ (page.querySelector("#boot"));
  for (const one of added) {
    boot.textContent = withModel(boot.textContent ?? "", one.model);
    await add(page, one);
  }
  const holder = page.ownerDocument.createElement("div");
  if (!("getHTML" in holder)) throw new Error(TOO_OLD);
  holder.append(page);
  const parts = [];
  let html = /** @type {string} */ (holder.getHTML());
  for (const { text } of added.toReversed()) {
    const at = html.lastIndexOf(`</${boot.localName}>`); // the elements of recordings are the last scripts
    parts.unshift(text, html.slice(at));
    html = html.slice(0, at);
  }
  return new Blob(["<!doctype html>\n", html, ...parts, "\n"], { type: "text/html" });
}

/** @param {HTMLElement} page @param {Added} added */
async function add(page, { model, about }) {
  const { ownerDocument: document } = page;
  await listInside(page, { type: "recorded", name: model.name });
  const line = document.createElement("p");
  line.textContent = about;
  page.querySelector("#about-file")?.append(line);
  const element = document.createElement("script");
  element.type = "application/octet-stream";
  element.dataset.inside = `${model.name}/trace.safetensors`;
  page.querySelector("body")?.append(element);
}

/**
 * The initial data with one more model. It is the first where the page has no examples, which are of the first model.
 * @param {string} json
 * @param {Model} model
 */
function withModel(json, model) {
  /** @type {import("../types.d.ts").Boot} */
  const boot = JSON.parse(json);
  const { models, gallery, engine } = boot;
  const all = gallery.length > 0 ? [...models, model] : [model, ...models];
  const names = all.map(({ name }) => name);
  const whole = { ...boot, models: all, engine: { ...engine, models: names } };
  return JSON.stringify(whole).replaceAll("<", "\\u003c"); // so that no text in it ends the element
}
