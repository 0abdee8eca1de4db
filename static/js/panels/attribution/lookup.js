// The token that somebody types, as the model reads it after other words.

import { postTrace } from "../../api/api.js";
import { inputs } from "../../asking/requests.js";
import { modelIn } from "../../state/choice.js";
import { OWN_MASKS } from "../../state/masks.js";
import { label } from "../../words/format.js";
import { severalTokens, TYPE_ONE, unknown } from "./words.js";

/** @import { State, Token } from "../../types.d.ts" */

const BEFORE = "a"; // a word before it, since many vocabularies write the beginning of a text differently

/** A text in which the typed token follows a word; a sign stands at its end. @param {string} typed */
export const textWith = (typed) =>
  /^[\p{L}\p{N}]/u.test(typed) ? `${BEFORE} ${typed}` : `${BEFORE}${typed}`;

/**
 * The first token after the word.
 * @param {Token[]} tokens of `textWith(typed)`
 * @param {string} typed
 * @param {number | null} unknownId
 * @returns {{id: number | null, said: string}} null: there is no such token; `said`: what the reader should know, or ""
 */
export function tokenIn(tokens, typed, unknownId) {
  const own = tokens.filter(({ special, padding, end }) => !special && !padding && end > 1);
  const [first] = own;
  if (!first) return { id: null, said: TYPE_ONE };
  if (first.id === unknownId) return { id: null, said: unknown(label({ text: typed })) };
  const said =
    own.length > 1 ? severalTokens({ typed: label({ text: typed }), first: label(first) }) : "";
  return { id: first.id, said };
}

/** @param {string} typed @param {Readonly<State>} state */
export async function lookUp(typed, state) {
  const text = typed.trim();
  if (text === "") return { id: null, said: TYPE_ONE };
  const near = state.next?.answer?.trace.predictions?.flat().find((one) => label(one) === text);
  if (near) return { id: near.id, said: "" };
  const model = modelIn(state);
  const alone = { ...state, texts: [textWith(text)], targets: [""], pairs: null };
  const request = {
    ...inputs({ ...alone, masks: OWN_MASKS, muted: [] }, model),
    select: { layers: [] },
    predict: null,
  };
  const { trace } = await postTrace(request, new AbortController().signal);
  return tokenIn(trace.tokens[0], text, model.unknown_id);
}
