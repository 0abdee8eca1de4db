// The inspector as one file that opens with what the page shows, also with a reader's own data, which never leave the browser.

import { exportOwn, exportPage } from "../../api/api.js";
import { backend } from "../../api/backend.js";
import { coming } from "../../dom/coming.js";
import { isFile } from "../../standalone/bar.js";
import { toQuery } from "../../state/url.js";
import * as words from "./words.js";

/** @import { Model, State } from "../../types.d.ts" */

const READING = coming(() => import("../own/reading.js"));

/**
 * @param {Readonly<State>} state
 * @returns {Promise<Blob>}
 * @throws {Error} if it cannot be made, for the reason given
 */
export async function pageOf(state) {
  const query = toQuery(state, state.models);
  const names = new Set([state.model, ...(state.against ? [state.against.model] : [])]);
  const shown = state.models.filter(({ name }) => names.has(name));
  const own = shown.filter(({ name }) => backend.ownData(name));
  if (own.length === 0) return exportPage(query);
  const [other = null] = shown.filter((one) => !own.includes(one)).map(({ name }) => name);
  if (other !== null && !isFile && !backend.runs(other)) throw new Error(words.ownBeside(other));
  return exportOwn(query, await packed(own), other);
}

/** One after the other, since each may be large. @param {Model[]} models */
async function packed(models) {
  const reader = (await READING.come()).fileReader();
  const all = [];
  try {
    for (const model of models) {
      const recording = /** @type {Blob} */ (backend.ownData(model.name)?.recorded);
      const { text, rounded } = await reader.pack(recording);
      const { name, description } = model;
      const about = words.ownAbout({ model: name, description: description ?? "", rounded });
      all.push({ model, text, about });
    }
  } finally {
    reader.close();
  }
  return all;
}
