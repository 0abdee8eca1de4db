// What the difference of two sentences says, in words: the tokens that it speaks for and against where it is added.

import { traceFile } from "../../api/api.js";
import { analysis } from "../../asking/requests.js";
import { modelIn } from "../../state/choice.js";
import { directionInWords, NOT_OF_HEADS } from "./words.js";

/** @import { Intervention, State } from "../../types.d.ts" */

const TENSORS = /** @type {const} */ ({
  mlp: "mlp_out",
  resid_pre: "resid_pre",
  resid_mid: "resid_mid",
  resid_post: "resid_post",
});
const LISTED = 5;

/**
 * @param {Readonly<State>} state
 * @param {Pick<Intervention, "at" | "layer" | "source" | "minus">} one
 */
export async function directionSaid(state, { at, layer, source = "", minus }) {
  if (at === "head") return NOT_OF_HEADS;
  const from = await lastOf(state, source, layer, TENSORS[at]);
  const less = minus ? await lastOf(state, minus, layer, TENSORS[at]) : null;
  const vector = from.map((number, channel) => number - (less?.[channel] ?? 0));
  const { decode } = await asked(state, source, { decode: { vectors: [vector], top_k: LISTED } });
  return directionInWords(/** @type {any} */ (decode)[0]);
}

/** What a part gives at the last token of a sentence. @param {Readonly<State>} state @param {string} text @param {number} layer @param {string} name @returns {Promise<number[]>} */
async function lastOf(state, text, layer, name) {
  const request = { stream: { tensors: [name], layers: [layer] } };
  const { stream } = await asked(state, text, request);
  const [found] = Object.values(/** @type {any} */ (stream));
  return found[name][0].at(-1);
}

/** One sentence as the model reads it, without what the reader changed, but with the masks. @param {Readonly<State>} state @param {string} text @param {object} analyse @returns {Promise<any>} */
async function asked(state, text, analyse) {
  const { blocked, allowed, ...masks } = /** @type {any} */ (state.masks);
  const alone = { texts: [text], targets: [], pairs: null, muted: [], interventions: [] };
  const request = analysis({ ...state, ...alone, masks }, modelIn(state), analyse);
  const file = await traceFile(/** @type {any} */ (request), "application/json");
  return JSON.parse(await file.text());
}
