// The branches of the current answer as texts: how each would stand in the sentence. Pure.

import { aligned } from "../../state/choice.js";
import { LINE_BREAK, label, quoteAt } from "../../words/format.js";
import { around, spelled, spotOf } from "../predict/spelling.js";
import * as words from "./words.js";

/** @import { Prediction, State } from "../../types.d.ts" */
/** @import { Spot } from "../predict/spelling.js" */

/**
 * @typedef {object} Told
 * @property {Spot} spot where the branches begin
 * @property {string} after the token before them, as it is quoted
 * @property {{first: Prediction & {label: string}, rest: string, text: string, ended: boolean, isOwn: boolean, reason: string, probability: number}[]} branches
 *   `rest` follows the first token; `text` is the whole sentence with the branch; `isOwn`: the sentence goes on so; `reason`: why it
 *   cannot be written there; "" if it can. `probability`: of all its tokens together
 */

/** @param {Readonly<State>} state @returns {Told | null} null until there is an answer */
export function branchesIn(state) {
  const trace = state.branches?.answer?.trace;
  const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
  const found = trace?.branches?.[text];
  if (!trace || !found) return null;
  const at = found.position;
  const spot = spotOf(
    { ...trace, predicted_at: (trace.branches ?? []).map((one) => one.position) },
    text,
    false,
  );
  if (typeof spot === "string") return null;
  const typed = aligned(state[spot.key] ?? [], state.texts.length)[text];
  const [before] = around(typed, spot);
  const spaced = found.branches.some(({ token }) => /^\s/u.test(token.text));
  return {
    spot,
    after: quoteAt(spot.row.map(label), at),
    branches: found.branches.map(({ token, special, follows, ended }) => {
      const said = ended ? follows.slice(0, -1) : follows; // an end token is not typed
      const tokens = [token, ...said];
      const written = special ? null : spelled(tokens, before, spaced);
      const start = special ? before : (spelled([token], before, spaced) ?? before);
      return {
        first: { ...token, label: label(token) },
        rest: (written === null
          ? said.map(label).join(" ")
          : written.slice(start.length)
        ).replaceAll("\n", LINE_BREAK),
        text: written ?? before,
        ended,
        isOwn: spot.row[at + 1]?.id === token.id,
        reason: special ? words.SPECIAL : written === null ? words.PART : "",
        probability: [token, ...follows].reduce((all, one) => all * one.probability, 1),
      };
    }),
  };
}
