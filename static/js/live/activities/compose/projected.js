// What the projector shows, read as the inspector reads an address, so that the model decides what is right.

import { postTrace } from "../../../api/api.js";
import { getModels, getProbe } from "../../../api/server.js";
import { inputs, kinds } from "../../../asking/requests.js";
import { matrixOf } from "../../../numbers/matrix.js";
import { modelIn } from "../../../state/choice.js";
import { fromQuery, toQuery } from "../../../state/url.js";
import { label } from "../../../words/format.js";
import * as words from "./words.js";

/** @import { Model } from "../../../types.d.ts" */
/** @import { Selection } from "../measured.js" */

const MAX_STATE = 4000; // characters
const MAX_TEXTS = 64;
const EXAMPLE = { texts: [""], layer: 0, head: 0, query: null }; // a link that is shared names its text and its head
export const TOKENS = [2, 8]; // that a drawing may have

/**
 * @param {string} query what a link holds, without its "?"
 * @param {(model: string, signal: AbortSignal) => Promise<Model[]>} [ask]
 * @returns {Promise<Selection>}
 * @throws {Error} with words for the teacher
 */
export async function projected(query, ask = getModels) {
  if (!query) throw new Error(words.NOT_PROJECTED);
  const asked = new URLSearchParams(query).get("model") ?? "";
  const models = await ask(asked, new AbortController().signal);
  const selection = { ...fromQuery(`?${query}`, models, EXAMPLE, MAX_TEXTS), models };
  const model = modelIn(selection);
  if (model.state !== "ready") throw new Error(words.NOT_LOADED(selection.model));
  return selection;
}

/**
 * A state for the class that gives nothing away: a quiz that only the teacher reveals.
 * @param {Selection} selection
 * @returns {string} what a link holds, without its "?"
 */
export function quizOf(selection) {
  const { models, ...choice } = selection;
  const asked = { ...choice, quiz: true, closed: true, depth: /** @type {const} */ ("start") };
  const query = toQuery(asked, models, { shared: true }).slice(1);
  if (query.length > MAX_STATE) throw new Error(words.TOO_LONG_STATE);
  return query;
}

/**
 * The tokens and the pattern of the selected head, as a drawing can hold them. Of a causal model, the first tokens look at nothing behind
 * them, so they are a drawing of their own.
 * @param {Selection} selection
 * @param {typeof postTrace} [ask]
 */
export async function patternOf(selection, ask = postTrace) {
  const model = modelIn(selection);
  const { layer, head } = selection;
  const state = /** @type {any} */ (selection);
  const { trace, tensors } = await ask({
    ...inputs(state, model),
    select: { tensors: ["pattern", "blocked_by"], layers: [layer], heads: [head], ...kinds(state) },
    predict: null,
  });
  const text = Math.min(selection.shown, trace.tokens.length - 1);
  const [site] = trace.sites;
  const tensor = tensors.get(`${site.name}.pattern`);
  const blocked = tensors.get(`${site.name}.blocked_by`);
  if (!tensor || !blocked) throw new Error(words.NOT_PROJECTED);
  const tokens = (trace[site.query_tokens] ?? trace.tokens)[text].filter(({ padding }) => !padding);
  const { cols, data } = matrixOf(tensor, text, 0);
  const bits = matrixOf({ ...blocked, shape: blocked.shape }, text, 0);
  return drawable(
    tokens.map(label),
    (query, key) => data[query * cols + key],
    (query, key) => bits.data[query * bits.cols + key] !== 0,
  );
}

/**
 * @param {string[]} tokens
 * @param {(query: number, key: number) => number} weight
 * @param {(query: number, key: number) => boolean} isBlocked
 * @throws {Error} if they are too few or too many to draw
 */
export function drawable(tokens, weight, isBlocked) {
  const [fewest, most] = TOKENS;
  if (tokens.length < fewest) throw new Error(words.tooFewTokens(fewest));
  const causal = tokens.every((_, query) =>
    tokens.every((_, key) => key <= query || isBlocked(query, key)),
  );
  if (!causal && tokens.length > most) throw new Error(words.tooManyTokens(most));
  const kept = tokens.slice(0, most);
  const truth = kept.map((_, query) => kept.map((_, key) => weight(query, key)));
  return { tokens: kept, causal, truth };
}

/** The scores of the model's heads on the probe. @param {string} model */
export async function probed(model) {
  const { probe } = await getProbe(model, new AbortController().signal);
  if (!probe.heads) throw new Error(words.NOT_SCORED);
  return probe.heads;
}
