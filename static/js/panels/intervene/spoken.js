// Directions that the server knows: what the difference of two sentences says in words, and the vectors that belong to a token.

import { traceFile } from "../../api/api.js";
import { analysis } from "../../asking/requests.js";
import { modelIn } from "../../state/choice.js";
import { directionInWords, NOT_OF_HEADS, notOneToken } from "./words.js";

/** @import { Intervention, State } from "../../types.d.ts" */

const TENSORS = /** @type {const} */ ({
  mlp: "mlp_out",
  resid_pre: "resid_pre",
  resid_mid: "resid_mid",
  resid_post: "resid_post",
});
const LISTED = 5;
const DIGITS = 4; // of a vector's numbers: it goes into the address
/** Which direction of a token; the first is the server's own. */
export const OF = /** @type {const} */ (["unembedding", "embedding", "ov", "lens"]);

/**
 * A direction of a token, as numbers.
 * @param {Readonly<State>} state
 * @param {{token: string, of: typeof OF[number], layer: number}} direction `layer`: after which a lens reads
 * @returns {Promise<number[]>}
 */
export async function directionOf(state, { token, of, layer }) {
  const { tokens } = await asked(state, token, {});
  const read = tokens[0].filter((/** @type {{special: boolean}} */ { special }) => !special);
  if (read.length !== 1) throw new Error(notOneToken({ token, n: read.length }));
  const { kind, layer: ofHead, head } = state;
  const where =
    of === "ov" ? { layer: ofHead, head, ...(kind === "self" ? {} : { kind }) } : { layer };
  const each = [{ of, token: read[0].id, ...(of === "embedding" ? {} : where) }];
  const { directions } = await asked(state, token, { directions: { each } });
  return directions[0].map((/** @type {number} */ one) => Number(one.toPrecision(DIGITS)));
}

/**
 * @param {Readonly<State>} state
 * @param {Pick<Intervention, "at" | "layer" | "source" | "minus" | "vector">} one
 */
export async function directionSaid(state, { at, layer, source = "", minus, vector: given }) {
  if (at === "head") return NOT_OF_HEADS;
  if (given) return inWords(state, state.texts[state.shown], given);
  const from = await lastOf(state, source, layer, TENSORS[at]);
  const less = minus ? await lastOf(state, minus, layer, TENSORS[at]) : null;
  const vector = from.map((number, channel) => number - (less?.[channel] ?? 0));
  return inWords(state, source, vector);
}

/** @param {Readonly<State>} state @param {string} text any @param {number[]} vector */
async function inWords(state, text, vector) {
  const { decode } = await asked(state, text, { decode: { vectors: [vector], top_k: LISTED } });
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
