// The button that searches another attention pattern of the selected head, and what it found beside the real row.

import { busyWith } from "../../dom/busy.js";
import { button, make, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { modelIn } from "../../state/choice.js";
import { label, percent, shorten } from "../../words/format.js";
import { comparisonIn } from "./reading.js";
import { readsSources, searchRequest } from "./request.js";
import * as words from "./words.js";

/** @import { OtherAttention, State } from "../../types.d.ts" */

/** @param {import("../../state/store.js").Store} store @param {() => void} retry */
export function search(store, retry) {
  const hint = make("p");
  const go = button(words.SEARCH.button, () => {
    const request = searchRequest(store.state, modelIn(store.state));
    if (request) store.update({ searched: JSON.stringify(request) });
  });
  const said = make("p", { class: "explanations-outcome" });
  said.setAttribute("role", "status");
  const again = tryAgain(retry);
  const found = make("div", { class: "explanations-found" });
  const root = make("section", { class: "explanations-search" }, [
    make("h3", { text: words.SEARCH.title }),
    hint,
    go,
    said,
    again,
    found,
    make("p", { class: "faint", text: words.SEARCH.about }),
  ]);

  const place = /** @type {const} */ (["kind", "layer", "head", "query"]);
  const from = /** @type {const} */ ([
    "other_attention",
    "explanations",
    "searched",
    "shown",
    "view",
  ]);
  busyWith(root, store, ["other_attention"]);
  store.watch([...from, ...place, "model", "models"], (state) => {
    if (state.view !== "explanations") return;
    const request = searchRequest(state, modelIn(state));
    const comparison = comparisonIn(state);
    const asked = request !== null && state.searched === JSON.stringify(request);
    write(
      hint,
      readsSources(state)
        ? words.searchHint(state, comparison?.read ?? "")
        : words.SEARCH.wrongKind,
    );
    go.disabled = request === null;
    go.hidden = asked;
    const { status, problem, answer } = state.other_attention ?? { status: "loading" };
    const result = asked && status === "ready" ? resultOf(state, answer ?? null) : null;
    again.hidden = !asked || !problem?.retry;
    write(
      said,
      !asked
        ? ""
        : problem
          ? problem.message
          : result
            ? words.outcome(result.one)
            : words.SEARCH.running,
    );
    found.replaceChildren(...(result ? [rows(result), answers(result.one)] : []));
  });
  return root;
}

/**
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").Answer | null} answer
 * @returns {{one: OtherAttention, tokens: string[]} | null}
 */
function resultOf({ shown }, answer) {
  const trace = answer?.trace;
  const text = Math.min(shown, (trace?.tokens.length ?? 1) - 1);
  const one = trace?.other_attention?.[text];
  if (!trace || !one) return null;
  return { one, tokens: one.keys.map((at) => shorten(label(trace.tokens[text][at]), 16)) };
}

/** Both rows, a line for each key. @param {{one: OtherAttention, tokens: string[]}} result */
function rows({ one, tokens }) {
  const { pattern, other } = one;
  return table(
    words.SEARCH.caption,
    [words.TABLE.token, words.SEARCH.real, ...(other ? [words.SEARCH.other] : [])],
    tokens.map((token, index) => ({
      name: token,
      shares: [pattern[0][index], ...(other ? [other[0][index]] : [])],
    })),
  );
}

/** The likeliest answers. @param {OtherAttention} one */
function answers({ answers: each, other }) {
  return table(
    words.SEARCH.answers,
    [words.SEARCH.answer, words.SEARCH.before, ...(other ? [words.SEARCH.after] : [])],
    each.map(({ token, after }) => ({
      name: shorten(label(token), 16),
      shares: [token.probability, ...(other ? [after] : [])],
    })),
  );
}

/**
 * @param {string} caption
 * @param {string[]} columns
 * @param {{name: string, shares: number[]}[]} lines
 */
function table(caption, columns, lines) {
  const heading = (/** @type {string} */ text, /** @type {"row" | "col"} */ scope) => {
    const element = make("th", { text });
    element.scope = scope;
    return element;
  };
  const cell = (/** @type {number} */ share) => {
    const drawn = make("span", { class: "explanations-bar for" });
    drawn.style.setProperty("--start", "0");
    drawn.style.setProperty("--length", String(Math.min(1, share)));
    return make("td", {}, [drawn, make("span", { class: "number", text: percent(share) })]);
  };
  return make("table", { class: "explanations-table" }, [
    make("caption", { text: caption }),
    make("thead", {}, [
      make(
        "tr",
        {},
        columns.map((text) => heading(text, "col")),
      ),
    ]),
    make(
      "tbody",
      {},
      lines.map(({ name, shares }) => make("tr", {}, [heading(name, "row"), ...shares.map(cell)])),
    ),
  ]);
}
