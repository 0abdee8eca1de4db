// Muting bets: how likely is a token after a head is muted? The model decides.

import { button, make } from "../../dom/dom.js";
import { barTable } from "./bars.js";
import * as words from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} activity
 * @param {import("./types.d.ts").Own} mine
 * @param {import("./types.d.ts").Send} send
 * @returns {import("./types.d.ts").ShowAnswers}
 */
export function betting(root, { question }, mine, send) {
  const slider = make("input", { class: "bet" });
  Object.assign(slider, { type: "range", min: "0", max: "100", step: "1" });
  slider.value = String(Math.round(100 * (mine["0"]?.after ?? question.before)));
  const number = make("output", { class: "bet-number" });
  const after = () => Number(slider.value) / 100;
  const write = () => {
    number.textContent = words.fromTo(question.before, after());
    slider.setAttribute("aria-valuetext", words.percent(after()));
  };
  slider.addEventListener("input", write);
  write();
  const submit = button(words.PLACE_BET, () => send("0", { after: after() }), { class: "main" });
  root.replaceChildren(
    make("label", { class: "bet-line" }, [make("span", { text: words.BET }), slider, number]),
    submit,
  );
  return (_own, open) => {
    slider.disabled = !open;
    submit.setAttribute("aria-disabled", String(!open));
  };
}

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} activity
 * @param {import("./types.d.ts").BetResults} results
 */
export function betResults(root, { question, phase }, { n, bins, median, truth, closest }) {
  const columns = [{ title: words.answers(n), counts: bins, n }];
  const isSaid = phase === "revealed" && question.why; // the reason begins with it
  const said = [
    ...(isSaid
      ? []
      : [make("p", { text: words.outcome({ truth, before: question.before }), class: "outcome" })]),
    ...(median === null || n === 0
      ? []
      : [make("p", { text: words.betsInWords(median, closest) })]),
  ];
  root.replaceChildren(
    ...said,
    barTable({
      first: words.BETS,
      labels: bins.map((_, index) => words.tenth(index)),
      columns,
      marked: Math.min(bins.length - 1, Math.floor(truth * bins.length)),
      mark: words.MODEL,
    }),
  );
}
