// Problems and what to do about them, and remarks on the current text. The last picture always stays.

import { need } from "../dom/dom.js";
import { problemBox } from "../dom/problem.js";
import { urlOf } from "../standalone/bar.js";
import { modelIn } from "../state/choice.js";
import { MATRIX_ROWS } from "../state/matrices.js";
import { tells } from "../state/quiz.js";
import { toQuery } from "../state/url.js";
import { BLOCKED_ROWS, cannotShow, isLoading, NO_TEXT, untrainedLength } from "./words.js";

/** @import { Store } from "../state/store.js" */
/** @import { Model, State } from "../types.d.ts" */

const OF_TEXT = /\b(texts|targets|pairs)\b/; // a field of a request

/** @param {Store} store @param {() => void} retry */
export function status(store, retry) {
  const notice = need("#notice", HTMLElement);
  const signIn = () => {
    const { state } = store;
    history.replaceState(history.state, "", urlOf(toQuery(state, state.models))); // so that what was typed survives the reload
    location.reload();
  };
  problemBox(need("#problem", HTMLElement), store, { retry, signIn });

  store.watch(
    ["grid", "status", "shown", "lacks", "model", "models", "quiz", "problem"],
    (state) => {
      const { grid, shown, lacks, models, problem } = state;
      const isOlder = OF_TEXT.test(problem?.field ?? ""); // the problem is about a newer text than the picture
      const said =
        grid && !isOlder && remark(grid.trace, shown, modelIn({ model: grid.trace.model, models }));
      notice.textContent = [
        ...MATRIX_ROWS.map(
          ({ name, label }) => lacks[name] && cannotShow({ matrix: label, reason: lacks[name] }),
        ),
        !grid && isAwaited(state) && isLoading(modelIn(state).name),
        said === BLOCKED_ROWS && !tells(state) ? "" : said, // rows without a key are evidence: a quiz lets the reader find them
      ]
        .filter(Boolean)
        .join(" ");
    },
  );
}

/** Whether the model is not there yet, but will be. @param {Readonly<State>} state */
const isAwaited = (state) =>
  state.status === "loading" && !["ready", "failed"].includes(modelIn(state)?.state ?? "ready");

/**
 * @param {import("../types.d.ts").TraceJson} trace
 * @param {number} shown
 * @param {Model} model
 */
function remark(trace, shown, model) {
  const { tokens, sites } = trace;
  const row = tokens[Math.min(shown, tokens.length - 1)].filter(({ padding }) => !padding);
  if (row.every(({ special }) => special)) return NO_TEXT;
  const { name, trained_tokens: trained } = model;
  if (trained !== null && row.length > trained) {
    return untrainedLength({ n: row.length, model: name, trained });
  }
  const blocked = sites.some(({ blocked_rows }) => blocked_rows.some(({ text }) => text === shown));
  return blocked ? BLOCKED_ROWS : "";
}
