// Lets the model write: the next token, again and again, while one watches where each looks. One step for Undo.

import { button, make } from "../../dom/dom.js";
import { predictedIn } from "../../numbers/predicted.js";
import { modelIn } from "../../state/choice.js";
import { label } from "../../words/format.js";
import { spotIn } from "./append.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Listed, State } from "../../types.d.ts" */
/** @import { TokenInserter } from "./append.js" */

/** How far it writes: at most so many tokens, and whether the end of a sentence is enough. */
const LENGTHS = [
  { text: words.LENGTH.sentence, most: 60, isSentence: true },
  { text: words.LENGTH.tokens(20), most: 20, isSentence: false },
  { text: words.LENGTH.tokens(60), most: 60, isSentence: false },
];
const SENTENCE_ENDS = /[.!?…。！？]["'”’»)\]]*\s*$/u;
const PACE_MS = 250; // so that one can follow a fast model

/**
 * The row of controls: start or stop, and how each token is chosen.
 * @param {Store} store
 * @param {TokenInserter} inserter
 * @param {(text: string) => void} report
 */
export function writing(store, inserter, report) {
  const drawn = make("input");
  drawn.type = "checkbox";
  const far = make(
    "select",
    {},
    LENGTHS.map(({ text }, value) => Object.assign(make("option", { text }), { value })),
  );
  far.title = words.LENGTH.title;
  far.setAttribute("aria-label", words.LENGTH.title);
  /** How many tokens were written since the start; null: it rests. @type {number | null} */
  let written = null;
  /** The texts that it left, which a reader may have changed since. @type {readonly string[]} */
  let left = [];
  let since = 0;
  let inserts = false;
  let ended = false; // a sentence, with the last token
  /** The answer that the last token came from: the next one comes from another. @type {object | null} */
  let used = null;

  const rest = (said = "") => {
    if (written === null) return;
    written = null;
    toggle.textContent = words.WRITE;
    toggle.setAttribute("aria-pressed", "false");
    if (said) report(said);
  };

  const step = async () => {
    const { state } = store;
    if (written === null || inserts || inserter.busy || !isReady(state)) return;
    if (written > 0 && !sameTexts(state, left)) return rest(); // the reader types, or has taken it back
    const { most, isSentence } = LENGTHS[Number(far.value)];
    if (written === most || (isSentence && ended)) return rest(words.wrote(written));
    const answer = predictedIn(state);
    if (answer && answer.trace === used) return;
    if (!answer || typeof spotIn(state, answer.trace) === "string") return rest();
    const token = chosen(answer.predictions, drawn.checked);
    if (token.special) return rest(words.endsAt({ token: label(token) }));
    const wait = since + PACE_MS - performance.now();
    if (written > 0 && wait > 0) return void setTimeout(step, wait);
    since = performance.now();
    written += 1;
    ended = SENTENCE_ENDS.test(token.text);
    inserts = true;
    used = answer.trace;
    const said = await inserter.insert(token, answer.trace, { onward: written > 1 });
    inserts = false;
    if (written === null) return;
    if (store.state.texts === state.texts && store.state.targets === state.targets)
      return rest(said); // it could not be typed
    left = [...store.state.texts, ...store.state.targets];
    step();
  };

  const toggle = button(
    words.WRITE,
    () => {
      if (written !== null) return rest(words.wrote(written));
      written = 0;
      used = null;
      ended = false;
      toggle.textContent = words.STOP;
      toggle.setAttribute("aria-pressed", "true");
      step();
    },
    { class: "quiet", title: words.WRITE_TITLE },
  );
  toggle.dataset.command = words.WRITE_COMMAND;
  toggle.setAttribute("aria-pressed", "false");
  const row = make("div", { class: "writing" }, [
    toggle,
    far,
    make("label", { title: words.DRAWN.title }, [drawn, make("span", { text: words.DRAWN.text })]),
  ]);
  store.watch(["next", "status", "texts", "targets"], step);
  store.watch(["depth"], () => rest()); // elsewhere nothing would stop it
  store.watch(["model", "models", "answer", "right"], (state) => {
    const { predicts, recorded } = modelIn(state);
    row.hidden = predicts !== "next" || Boolean(recorded);
    if (row.hidden || state.right !== "next") rest();
  });
  return row;
}

/** Whether the predictions are those of the current texts. @param {Readonly<State>} state */
const isReady = ({ status, next }) => status === "ready" && next?.status === "ready";

/** @param {Readonly<State>} state @param {readonly string[]} left */
const sameTexts = ({ texts, targets }, left) =>
  [...texts, ...targets].every((text, index) => text === left[index]);

/** The likeliest of some tokens, or one drawn from them. @param {Listed[]} tokens @param {boolean} isDrawn */
function chosen(tokens, isDrawn) {
  const all = tokens.reduce((sum, { probability }) => sum + probability, 0);
  let at = isDrawn ? Math.random() * all : 0;
  return (
    tokens.find(({ probability }) => {
      at -= probability;
      return at < 0;
    }) ?? tokens[0]
  );
}
