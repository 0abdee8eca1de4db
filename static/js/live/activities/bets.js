// Muting bets: how likely is a token after a head is muted? The model decides.

import { button, make } from "../../dom/dom.js";
import { barTable } from "./bars.js";
import * as words from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} activity
 * @param {import("./types.d.ts").Own} mine
 * @param {import("./types.d.ts").Send} send
 * @param {import("./types.d.ts").Surroundings} page
 * @returns {import("./types.d.ts").ShowAnswers}
 */
export function betting(root, { question }, mine, send, { say }) {
  const slider = make("input", { class: "bet" });
  Object.assign(slider, { type: "range", min: "0", max: "100", step: "1" });
  slider.value = String(Math.round(100 * (mine["0"]?.after ?? question.before)));
  const number = make("output", { class: "bet-number" });
  const after = () => Number(slider.value) / 100;
  let isChosen = mine["0"] !== undefined; // where it stands at first is nobody's bet
  const write = () => {
    number.textContent = isChosen
      ? words.fromTo(question.before, after())
      : words.fromNow(question.before);
    slider.setAttribute("aria-valuetext", words.percent(after()));
  };
  slider.addEventListener("input", () => {
    isChosen = true;
    write();
  });
  write();
  const place = () => (isChosen ? send("0", { after: after() }) : say(words.MOVE_FIRST));
  const submit = button(words.PLACE_BET, place, { class: "main" });
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
export function betResults(root, { question }, { n, bins, median, truth, closest }) {
  const columns = [{ title: words.answers(n), counts: bins, n }];
  const said = [
    make("p", { text: words.outcome({ truth, before: question.before }), class: "outcome" }),
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
