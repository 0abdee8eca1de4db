// Inserts a predicted token into the text, spelled so that it is read as the same token again: a step of its own for Undo.

import { postTrace } from "../../api/api.js";
import { inputs } from "../../asking/requests.js";
import { aligned, modelIn, tellsClasses } from "../../state/choice.js";
import { apart, goingOn } from "../../state/history.js";
import { label } from "../../words/format.js";
import { around, exact, spellings, spotOf } from "./spelling.js";
import { appendFailed, cannotInsert, INSERTED, OF_CLASSES, partOfCharacter } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Listed, State, TraceJson } from "../../types.d.ts" */
/** @import { Spot } from "./spelling.js" */
/** @typedef {Pick<State, "texts" | "targets" | "pairs">} Typed */

/** What a predicted token replaces, or the reason why it cannot be inserted. @param {Readonly<State>} state @param {TraceJson} trace */
export function spotIn(state, trace) {
  const { predicts, recorded, lacks } = modelIn(state);
  if (recorded) return lacks;
  if (tellsClasses({ predicts })) return OF_CLASSES;
  return spotOf(trace, Math.min(state.shown, trace.tokens.length - 1), predicts === "fill");
}

export class TokenInserter {
  #store;
  /** Whether a token is being inserted. */
  busy = false;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /**
   * Insert a token of the current answer into the text.
   * @param {Listed} token
   * @param {TraceJson} trace the answer
   * @param {{onward?: boolean}} [how] `onward`: Undo takes it back together with the one before
   * @returns {Promise<string>} a message about what was done
   */
  async insert(token, trace, { onward = false } = {}) {
    const { state } = this.#store;
    const spot = spotIn(state, trace);
    const name = { token: label(token) };
    if (typeof spot === "string") return cannotInsert({ ...name, reason: spot });
    const typed = typedIn(state, spot);
    const [before, after] = around(typed, spot);
    const spaced = (trace.predictions?.[spot.text] ?? []).some(({ text }) => /^\s/u.test(text));
    const candidates = spellings(token.text, before, spaced).map((text) => before + text + after);
    if (candidates.length === 0) return partOfCharacter(name);
    this.busy = true;
    try {
      const exactText = await this.#firstExact(state, spot, token.id, candidates);
      if (this.#store.state !== state && !sameText(this.#store.state, state)) return ""; // the reader has typed in the meantime
      const inserted = withText(state, spot, exactText ?? candidates[0]);
      (onward ? goingOn : apart)(inserted[spot.key]);
      this.#store.update({ ...inserted, query: null }); // so that the page shows what comes next
      const cut = after === "" && before.length < typed.trimEnd().length;
      const messages = exactText === null ? INSERTED.misread : INSERTED;
      return messages[spot.fills ? "fill" : cut ? "cut" : "end"](name);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return appendFailed({ ...name, reason });
    } finally {
      this.busy = false;
    }
  }

  /**
   * The first of some texts in which the model reads the token at the right position; null if there is none. The page requests
   * the same inputs next, so nothing runs twice.
   * @param {Readonly<State>} state
   * @param {Spot} spot
   * @param {number} id
   * @param {string[]} candidates
   */
  async #firstExact(state, spot, id, candidates) {
    for (const candidate of candidates) {
      const next = { ...state, ...withText(state, spot, candidate) };
      const request = { ...inputs(next, modelIn(state)), select: { layers: [] }, predict: null };
      const { trace } = await postTrace(request, new AbortController().signal);
      if (exact(spot, id, (trace.target_tokens ?? trace.tokens)[spot.text])) return candidate;
    }
    return null;
  }
}

/** The text of a spot. @param {Readonly<State>} state @param {Spot} spot */
const typedIn = (state, { key, text }) => aligned(state[key] ?? [], state.texts.length)[text];

/**
 * The texts with another one at a spot.
 * @param {Readonly<State>} state
 * @param {Spot} spot
 * @param {string} typed
 */
export const withText = (state, { key, text }, typed) => ({
  [key]: aligned(state[key] ?? [], state.texts.length).with(text, typed),
});

/** @param {Partial<Typed>} now @param {Partial<Typed>} then what it lacks is not compared */
const sameText = (now, then) =>
  /** @type {const} */ (["texts", "targets", "pairs"]).every(
    (key) => then[key] === undefined || now[key] === then[key],
  );
