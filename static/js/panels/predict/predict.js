// The predictions: the most likely tokens, and how far masks and mutes moved them. A click inserts one into the text.

import { button, make, need } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { modelIn } from "../../state/choice.js";
import { label, shorten } from "../../words/format.js";
import { placeOf } from "../head/tables.js";
import { spotIn, Writer } from "./append.js";
import { line, SPECIAL } from "./line.js";
import { held, listedOf, rowsOf } from "./rows.js";
import { sampling } from "./sampling.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */

const AGAINST = "± compared with the model without your masks and mutes";

/** @param {Store} store @param {() => void} again */
export function predictions(store, again) {
  const title = need("#next-title", HTMLElement);
  const table = need("#next", HTMLTableElement);
  const body = need("#next tbody", HTMLElement);
  const writer = new Writer(store);
  const watchHead = make("th", {
    text: "◎",
    title: "The token whose log-probability the mute effects show",
  });
  const change = make("th", {
    text: "± edits",
    class: "change",
    title: `${AGAINST}, in percentage points`,
  });
  for (const th of [watchHead, change]) th.scope = "col";
  title.after(watchHead, change);

  const words = make("p", { class: "source" });
  const against = make("p", { text: AGAINST, class: "source" });
  const retry = tryAgain(again);
  const written = make("span");
  written.setAttribute("role", "status");
  const takeBack = () => {
    writer.undo();
    written.textContent = "It was removed again.";
    finish();
  };
  const undo = button("Undo", takeBack, { class: "quiet" });
  const hint = make("p", { class: "source" });
  const openEffects = () => {
    store.update({ right: "effects" });
    need("#effects-tab", HTMLElement).focus();
  };
  const mutes = button("Mute each head in turn", openEffects, {
    class: "quiet",
    title: "How much the watched token loses or gains without each head",
  });
  const after = make("div", { class: "written" }, [written, undo]);
  table.before(sampling(store), after);
  table.after(words, against, retry, hint, mutes);

  /** Lines are reused, so that readers who insert tokens with the keyboard keep their place. @type {ReturnType<typeof line>[]} */
  const lines = [];

  /** @param {number} place */
  const write = async (place) => {
    const { state } = store;
    const found = answerOf(state);
    const token = found?.predictions[place];
    const isCurrent = state.status === "ready" && state.next?.status === "ready";
    if (!found || !token || !isCurrent || writer.busy) return;
    written.textContent = token.special
      ? `“${label(token)}” cannot be appended: ${SPECIAL}.`
      : await writer.write(token, found.trace);
    finish();
  };

  /** @param {number} place */
  const choose = (place) => {
    const found = answerOf(store.state);
    if (!found) return;
    const { id } = found.predictions[place];
    store.update({ token: id === store.state.token ? null : id });
  };

  const finish = () => {
    undo.hidden = !writer.undoable;
    after.hidden = written.textContent === "";
  };

  store.watch(["texts", "targets", "pairs"], () => {
    // a message about an older text is out of date, as is any message while a token is being inserted
    if (!writer.busy) written.textContent = "";
    finish();
  });

  store.watch(["next", "shown", "token", "models", "model"], (state) => {
    const problem = state.next?.problem;
    const found = answerOf(state);
    table.setAttribute("aria-busy", String(state.next?.status === "loading"));
    retry.hidden = !problem?.retry;
    table.hidden = hint.hidden = !found;
    mutes.hidden = !found || Boolean(modelIn(state).lacks);
    against.hidden = change.hidden = !found?.compared;
    words.textContent = problem?.message ?? (found ? held(found.likeliest, found.nucleus) : "");
    if (!found) return;
    const { trace, rows, watched } = found;
    title.textContent = found.where;
    const spot = spotIn(state, trace);
    const nowhere = typeof spot === "string" ? spot : "";
    hint.textContent = nowhere ? `No token can be inserted: ${nowhere}.` : HINTS[hintOf(spot)];
    while (lines.length < rows.length) lines.push(line(lines.length, write, choose));
    rows.forEach((row, place) => {
      lines[place].show(row, row.token.id === watched, nowhere);
    });
    const shown = lines.slice(0, rows.length).map(({ element }) => element);
    if (body.childElementCount !== shown.length) body.replaceChildren(...shown); // replacing them would lose the focus
  });

  // another model has other tokens
  let { model } = store.state;
  store.watch(["model"], (state) => {
    if (state.model === model) return;
    model = state.model;
    store.update({ token: null });
  });
}

const HINTS = {
  fill: "Click a token to insert it; ◎ watches it.",
  cut: "Click a token to continue with it from there: the text after it is removed. ◎ watches it.",
  end: "Click a token to append it; ◎ watches it.",
};

/** @param {ReturnType<typeof spotIn>} spot */
const hintOf = (spot) =>
  typeof spot !== "string" && spot.fills
    ? "fill"
    : typeof spot !== "string" && spot.start !== null
      ? "cut"
      : "end";

/** The predictions for the current text. @param {Readonly<State>} state */
function answerOf({ next, shown, models, top_k, token }) {
  const trace = next?.answer?.trace;
  const text = Math.min(shown, (trace?.tokens.length ?? 1) - 1);
  const predictions = trace?.predictions?.[text];
  const position = trace?.predicted_at?.[text];
  if (!trace || !predictions || position === undefined) return null;
  const nucleus = trace.nucleus?.[text];
  const n = listedOf(predictions, top_k, nucleus);
  const fills = modelIn({ model: trace.model, models }).predicts === "fill";
  const read = (trace.target_tokens ?? trace.tokens)[text][position];
  return {
    trace,
    predictions,
    nucleus,
    likeliest: predictions.slice(0, n),
    rows: rowsOf(predictions, n),
    compared: predictions.some(({ unedited }) => unedited !== null),
    /** The token whose log-probability the mute effects show. */
    watched: token ?? predictions[0]?.id,
    where: `${placeOf({ fills })} “${shorten(label(read), 16)}”`,
  };
}
