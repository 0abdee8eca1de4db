// The predictions: the most likely tokens, and how far masks and mutes moved them. A click inserts one into the text.

import { busyWith } from "../../dom/busy.js";
import { button, make, need, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { listedOf, predictedIn } from "../../numbers/predicted.js";
import { modelIn } from "../../state/choice.js";
import { isApart } from "../../state/history.js";
import { label } from "../../words/format.js";
import { spotIn, TokenInserter } from "./append.js";
import { line } from "./line.js";
import { rowsOf } from "./rows.js";
import { sampling } from "./sampling.js";
import { save } from "./save.js";
import * as words from "./words.js";
import { writing } from "./writing.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

/**
 * @param {HTMLElement} panel with a table
 * @param {Store} store
 * @param {{retry: () => void, openEffects: () => void, undo: () => void}} actions
 */
export function predictions(panel, store, { retry, openEffects, undo }) {
  const table = need("table", HTMLTableElement, panel);
  const title = need("th", HTMLElement, table);
  const body = need("tbody", HTMLElement, table);
  const inserter = new TokenInserter(store);
  const watchColumn = make("th", words.COLUMNS.watched);
  const changeColumn = make("th", { ...words.COLUMNS.change, class: "change" });
  for (const th of [watchColumn, changeColumn]) th.scope = "col";
  title.after(watchColumn, changeColumn);

  const summary = make("p", { class: "source" });
  const compared = make("p", { text: words.COMPARED, class: "source" });
  const again = tryAgain(retry);
  const message = make("span");
  message.setAttribute("role", "status");
  const takeBack = button(words.UNDO, undo, { class: "quiet" });
  const report = (/** @type {string} */ text) => {
    write(message, text);
    inserted.hidden = text === "";
  };
  const hint = make("p", { class: "source" });
  const mutes = button(words.MUTE_EACH, openEffects, {
    class: "quiet",
    title: words.MUTE_EACH_TITLE,
  });
  mutes.dataset.tells = ""; // it ranks the heads
  const inserted = make("div", { class: "written" }, [message, takeBack]);
  table.before(inserted);
  table.after(
    summary,
    compared,
    again,
    hint,
    mutes,
    writing(store, inserter, report),
    sampling(store),
  );

  /** Lines are reused, so that readers who insert tokens with the keyboard keep their place. @type {ReturnType<typeof line>[]} */
  const lines = [];

  /** @param {number} place */
  const insert = async (place) => {
    const { state } = store;
    const answer = answerOf(state);
    const token = answer?.predictions[place];
    // they are of the current text even while the picture is on its way, as to another head
    const isCurrent = state.status !== "error" && state.next?.status === "ready";
    if (!answer || !token || !isCurrent || inserter.busy) return;
    report(
      token.special
        ? words.cannotAppend({ token: label(token), reason: words.SPECIAL })
        : await inserter.insert(token, answer.trace),
    );
  };

  /** @param {number} place */
  const watch = (place) => {
    const answer = answerOf(store.state);
    if (!answer) return;
    const { id } = answer.predictions[place];
    store.update({ token: id === store.state.token ? null : id });
  };

  store.watch(["past"], ({ past }) => {
    const step = past.at(-1);
    takeBack.hidden = !step || !isApart(step); // it would undo something else
  });
  store.watch(["texts", "targets", "pairs"], () => {
    // a message about an older text is out of date; while a token is being inserted, its own message follows
    report(inserter.busy ? message.textContent : "");
  });

  busyWith(table, store, ["next"]);
  store.watch(["next", "shown", "token", "models", "model"], (state) => {
    const problem = state.next?.problem;
    const answer = answerOf(state);
    again.hidden = !problem?.retry;
    table.hidden = hint.hidden = !answer;
    mutes.hidden = !answer || Boolean(modelIn(state).lacks);
    compared.hidden = changeColumn.hidden = !answer?.compared;
    write(
      summary,
      problem?.message ?? (answer ? words.held(answer.likeliest, answer.nucleus) : ""),
    );
    if (!answer) return;
    const { trace, rows, watched } = answer;
    write(title, words.predictedAt(answer.position));
    const spot = spotIn(state, trace);
    const reason = typeof spot === "string" ? spot : "";
    write(hint, reason ? words.noInsertion(reason) : words.HINTS[hintOf(spot)]);
    while (lines.length < rows.length) {
      const place = lines.length;
      lines.push(
        line(
          () => insert(place),
          () => watch(place),
        ),
      );
    }
    rows.forEach((row, index) => {
      lines[index].show(row, row.token.id === watched, reason);
    });
    const shown = lines.slice(0, rows.length).map(({ element }) => element);
    if (body.childElementCount !== shown.length) body.replaceChildren(...shown); // replacing them would lose the focus
  });
}

/** @param {ReturnType<typeof spotIn>} spot */
function hintOf(spot) {
  if (typeof spot !== "string" && spot.fills) return "fill";
  return typeof spot !== "string" && spot.start !== null ? "cut" : "end";
}

/** The predictions for the current text, and how they are listed. @param {Readonly<State>} state */
function answerOf(state) {
  const predicted = predictedIn(state);
  if (!predicted) return null;
  const { predictions, nucleus } = predicted;
  const n = listedOf(predictions, state.top_k, nucleus);
  return {
    ...predicted,
    likeliest: predictions.slice(0, n),
    rows: rowsOf(predictions, n),
    /** The token whose log-probability the mute effects show. */
    watched: state.token ?? predictions[0]?.id,
  };
}

/** @type {import("../panel.js").Part["make"]} */
const made = (root, store, { retry, undo, open }) =>
  predictions(root, store, { retry, undo, openEffects: () => open("effects") });

export { made as make, save };
