// What muting a head does to the prediction, asked of the model as the page asks it.

import { postTrace } from "../../api/api.js";
import { inputs, predictAs, readAt } from "../../asking/requests.js";
import { modelIn, toggleMute } from "../../state/choice.js";
import { label } from "../../words/format.js";
import { CANNOT_MUTE, NO_EFFECT } from "./words.js";

/** @typedef {import("../../types.d.ts").Choice & {models: import("../../types.d.ts").Model[]}} Selection a choice, and the models that it is one of */
/** @import { Listed } from "../../types.d.ts" */

/**
 * The probability of a token with the selected head and without it: of the watched one, else of the likeliest with the head.
 * @param {Selection} selection
 * @param {typeof postTrace} [ask]
 * @returns {Promise<{token: string, position: number, before: number, after: number}>}
 * @throws {Error} with words for the reader
 */
export async function muting(selection, ask = postTrace) {
  const model = modelIn(selection);
  if (model.lacks) throw new Error(CANNOT_MUTE);
  if (!model.predicts) throw new Error(NO_EFFECT);
  const { muted: toggled } = toggleMute(selection);
  const isMuted = (toggled ?? []).length < selection.muted.length;
  const [without, withHead] = isMuted ? [selection.muted, toggled] : [toggled, selection.muted];
  const plain = { ...selection, temperature: 1, top_k: 1, top_p: 1 };
  /** @param {typeof toggled} muted @param {number[]} tokens */
  const predicted = async (muted, tokens) => {
    const state = /** @type {any} */ ({ ...plain, muted });
    const { trace } = await ask({
      ...inputs(state, model),
      select: { layers: [] },
      predict: { ...predictAs(state, readAt(state, model)), tokens },
    });
    const text = Math.min(selection.shown, trace.tokens.length - 1);
    return { listed: trace.predictions?.[text] ?? [], position: trace.predicted_at?.[text] ?? 0 };
  };
  const { listed, position } = await predicted(
    withHead,
    selection.token === null ? [] : [selection.token],
  );
  const token = listed.find(({ id }) => id === selection.token) ?? listed[0];
  if (!token) throw new Error(NO_EFFECT);
  const muted = (await predicted(without, [token.id])).listed.find(({ id }) => id === token.id);
  if (!muted) throw new Error(NO_EFFECT);
  return { token: label(token), position, before: token.probability, after: muted.probability };
}
