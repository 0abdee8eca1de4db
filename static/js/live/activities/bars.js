// Results as bars, with their counts and percent; several rounds stand side by side.

import { make } from "../../dom/dom.js";
import { optionsOf } from "./vote.js";
import { ANSWER, answers, counted, NOBODY, RIGHT, ROUNDS } from "./words.js";

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {number[]} counts
 * @property {number} n answers, of which the counts are shares
 */

/**
 * A table of bars.
 * @param {{first: string, labels: string[], columns: Column[], marked?: number | null, mark?: string}} options `first`: what the labels
 *   are; `marked`: the row that is right, and `mark` the word for it
 */
export function barTable({ first, labels, columns, marked = null, mark = RIGHT }) {
  const head = [first, ...columns.map(({ title }) => title)].map((text) => {
    const th = make("th", { text });
    th.scope = "col";
    return th;
  });
  const rows = labels.map((label, row) => {
    const th = make("th", { text: label });
    th.scope = "row";
    if (row === marked) th.append(" ", make("b", { text: `✓ ${mark}`, class: "right" }));
    const cells = columns.map(({ counts, n }) => bar(counts[row] ?? 0, n));
    return make("tr", { class: row === marked ? "marked" : "" }, [th, ...cells]);
  });
  return make("table", { class: "tally" }, [
    make("thead", {}, [make("tr", {}, head)]),
    make("tbody", {}, rows),
  ]);
}

/** @param {number} count @param {number} n */
function bar(count, n) {
  const share = n > 0 ? count / n : 0;
  const filled = make("span", { class: "share" });
  filled.style.setProperty("--share", String(share));
  return make("td", {}, [filled, make("span", { text: counted(count, share) })]);
}

/**
 * The results of a vote: both rounds side by side, and the right answer marked.
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} activity
 * @param {import("./types.d.ts").VoteResults} results
 */
export function voteResults(root, { question }, { rounds, n, correct }) {
  const columns = rounds.map((counts, round) => ({
    title: rounds.length > 1 ? ROUNDS[round] : answers(n[round] ?? 0),
    counts,
    n: n[round] ?? 0,
  }));
  if (columns.every((column) => column.n === 0)) {
    root.replaceChildren(make("p", { text: NOBODY }));
    if (correct === null) return;
  } else root.replaceChildren();
  root.append(
    barTable({
      first: ANSWER,
      labels: optionsOf(question),
      columns,
      marked: correct,
    }),
  );
}
