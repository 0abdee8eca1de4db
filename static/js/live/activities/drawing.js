// Draw, then reveal: everyone draws the pattern that they expect of a head; then the average stands beside the truth.

import { button, make } from "../../dom/dom.js";
import { MINUS, PLUS } from "../../language/language.js";
import { paintGrid } from "./cells.js";
import { differenceColour, empty, isBlocked, painted, weightColour } from "./patterns.js";
import { thumb } from "./thumb.js";
import * as words from "./words.js";

/** @import { Rows } from "./types.d.ts" */

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} activity
 * @param {import("./types.d.ts").Own} mine
 * @param {import("./types.d.ts").Send} send
 * @param {import("./types.d.ts").Surroundings} page
 * @returns {import("./types.d.ts").ShowAnswers}
 */
export function drawing(root, { question }, mine, send, { say }) {
  /** @type {Rows} */
  let cells = mine["0"]?.cells ?? empty(question.tokens.length);
  let isOpen = false;
  const grid = paintGrid(question, (query, key, level) => {
    if (!isOpen) return;
    cells = painted(cells, query, key, level);
    grid.show(cells, isOpen);
    tell();
  });
  /** What was sent last. @type {Rows | undefined} */
  let sent;
  const submit = button(
    words.SEND_DRAWING,
    () => {
      if (cells.flat().some(Boolean)) send("0", { cells });
      else say(words.EMPTY_DRAWING);
    },
    { class: "main" },
  );
  const tell = () => {
    const isSent = sent !== undefined && String(sent) === String(cells);
    const text = isSent ? words.DRAWING_SENT : sent ? words.SEND_CHANGES : words.SEND_DRAWING;
    submit.textContent = text;
    submit.setAttribute("aria-disabled", String(!isOpen || isSent));
  };
  const hints = [words.HOW_TO_DRAW, ...(question.causal ? [words.CAUSAL] : [])];
  root.replaceChildren(
    ...hints.map((text) => make("p", { text, class: "hint" })),
    grid.root,
    submit,
  );
  return (own, open) => {
    isOpen = open;
    sent = own["0"]?.cells;
    tell();
    grid.show(cells, open);
  };
}

/** The empty grid. @param {HTMLElement} root @param {import("./types.d.ts").Activity} activity */
export function projectGrid(root, { question }) {
  const grid = paintGrid(question, () => {});
  grid.show(empty(question.tokens.length), false);
  root.append(grid.root);
}

/**
 * The average, the truth and their difference, with the most common mistake marked.
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} activity
 * @param {import("./types.d.ts").DrawingResults} results
 */
export function drawingResults(root, { question }, results) {
  const { n, average, truth, difference, mistake, typical } = results;
  const { tokens, causal } = question;
  const tables = [
    { title: words.AVERAGE, rows: average, colour: weightColour },
    { title: words.TRUTH, rows: truth, colour: weightColour },
    { title: words.DIFFERENCE, rows: difference, colour: differenceColour, signed: true },
  ].filter(({ title }) => n > 0 || title === words.TRUTH);
  const said = mistake
    ? words.mistakeInWords(tokens[mistake.query], tokens[mistake.key], mistake)
    : "";
  root.replaceChildren(
    make("p", { text: n > 0 ? words.answers(n) : words.NOBODY, class: "faint" }),
    make(
      "div",
      { class: "weights-beside" },
      tables.map((each) => weights(each, tokens, causal, mistake)),
    ),
    ...(said ? [make("p", { text: said, class: "mistake-said" })] : []),
    ...(typical.length > 1 ? strip(typical, n) : []),
  );
}

/** The drawings that most others are like. @param {import("./types.d.ts").DrawingResults["typical"]} typical @param {number} n */
function strip(typical, n) {
  const one = (/** @type {typeof typical[0]} */ { cells, n: like }) =>
    make("li", {}, [
      thumb(
        cells.map((row) => row.map((value) => Math.round(255 * value))),
        words.A_DRAWING,
      ),
      make("span", { text: words.drewIt(like, n) }),
    ]);
  return [make("h3", { text: words.TYPICAL }), make("ul", { class: "typical" }, typical.map(one))];
}

/**
 * @param {{title: string, rows: Rows, colour: (value: number) => ReturnType<typeof weightColour>, signed?: boolean}} table
 * @param {string[]} tokens
 * @param {boolean} causal
 * @param {import("./types.d.ts").DrawingResults["mistake"]} mistake
 */
function weights({ title, rows, colour, signed = false }, tokens, causal, mistake) {
  const head = (/** @type {string} */ text, /** @type {string} */ scope) => {
    const th = make("th", { title: text }, [make("span", { text })]);
    th.scope = scope;
    return th;
  };
  const body = tokens.map((query, i) =>
    make("tr", {}, [
      head(query, "row"),
      ...tokens.map((key, j) => {
        if (isBlocked(causal, i, j)) return make("td", { class: "blocked" });
        const value = rows[i][j];
        const number = Math.round(100 * value);
        const text = `${signed && number > 0 ? PLUS : number < 0 ? MINUS : ""}${Math.abs(number)}`;
        const { from, to, share, depth } = colour(value);
        const cell = make("td", {
          text,
          class: depth,
          title: words.weightInWords(query, key, `${text}%`),
        });
        cell.style.setProperty("--from", `var(${from})`);
        cell.style.setProperty("--to", `var(${to})`);
        cell.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
        cell.classList.toggle("mistake", mistake?.query === i && mistake.key === j);
        return cell;
      }),
    ]),
  );
  return make("table", { class: "weights" }, [
    make("caption", { text: title }),
    make("thead", {}, [make("tr", {}, [make("td"), ...tokens.map((token) => head(token, "col"))])]),
    make("tbody", {}, body),
  ]);
}
