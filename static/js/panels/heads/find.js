// Find a head: the choice of a metric and of the scores, and the ranking of all heads.

import { button, check, make, need, radio } from "../../dom/dom.js";
import { modelIn, scoredBy } from "../../state/choice.js";
import { BY_METRIC, FINDS } from "../../state/finds.js";
import { exact, inWords, progressOf, ranked } from "../../words/labels.js";
import { ends, endsInWords, predictedFrom, scoresBy, watchScores } from "./between.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {ReturnType<typeof ranked>[number]} Row */

const MAX_ROWS = 128; // in the table, the highest first
const STRONGEST =
  "Each head’s highest share of attention above 0.30, or the relation between words that it draws; “broad” if its attention is almost even.";

/** @param {Store} store */
export function find(store) {
  choices(store);
  ends(store);
  ranking(store);
}

/** The form below the heads. @param {Store} store */
function choices(store) {
  const form = need("#find", HTMLFormElement);
  const about = need("#find-about", HTMLElement);
  need("#find-by-what", HTMLElement).append(
    radio("find", "", "strongest"),
    ...FINDS.map(({ metric, name }) => radio("find", metric, name)),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "by") store.update({ by: target.value === "probe" ? "probe" : "sentence" });
    if (target.name === "find") {
      const found = FINDS.find(({ metric }) => metric === target.value)?.metric ?? null;
      store.update(found === "between" ? { find: found, left: "find" } : { find: found });
    }
  });
  watchScores(store, (state) => {
    for (const input of form.querySelectorAll('input[name="by"]'))
      if (input instanceof HTMLInputElement)
        input.disabled = state.find === "between" || Boolean(modelIn(state).mechanisms); // from scratch: there is no probe
    check("find", state.find ?? "", form);
    check("by", scoredBy(state), form);
    about.textContent = explain(state);
  });
}

/** What the labels mean, or why there are none. @param {Readonly<State>} state */
function explain(state) {
  const { find, probe, scores, shown } = state;
  const by = scoredBy(state);
  if (find === "between")
    return `Every head’s weight ${endsInWords(state)}, in this sentence. ${predictedFrom(state)}`;
  if (by === "probe" && probe?.state !== "ready") return progressOf(probe);
  if (find === null) return STRONGEST;
  const metric = probe?.metrics.find(({ name }) => name === find);
  const share =
    by === "probe" ? probe?.sink_share : scores?.answer?.trace.scores?.[shown]?.sink_share;
  const sinks =
    find === "first_token" && share != null ? `Here ${Math.round(100 * share)}% are. ` : "";
  return metric ? `${metric.definition} ${sinks}(${cite(metric.source)})` : "";
}

/** "Olsson et al. 2022": a source without its title. @param {string} source */
const cite = (source) => source.match(/^.*? \d{4}(?=,)/)?.[0] ?? source;

/** All heads, the highest first. @param {Store} store */
function ranking(store) {
  const body = need("#ranking tbody", HTMLElement);
  const what = need("#ranking-what", HTMLElement);
  const least = need("#least", HTMLInputElement);
  const output = need("#least-value", HTMLOutputElement);
  /** @type {Map<string, HTMLTableRowElement>} */
  const lines = new Map();

  least.addEventListener("input", () => store.update({ least: Number(least.value) }));

  /** @param {Readonly<State>} state */
  const mark = ({ layer, head }) => {
    for (const [name, line] of lines) {
      const here = name === `${layer}.${head}`;
      line.classList.toggle("lit", here);
      need("button", HTMLButtonElement, line).setAttribute("aria-pressed", String(here));
    }
  };

  /** @param {Readonly<State>} state */
  const list = (state) => {
    const rows = ranked(scoresBy(state) ?? [], state.find);
    const nowhere = rows[0]?.label.value === null ? missing(rows[0]) : null; // not defined for any head
    const kept = nowhere ? [] : rows.filter(({ share }) => share >= state.least).slice(0, MAX_ROWS);
    const { metrics } = state.probe ?? { metrics: [] };
    const unit = metrics.find(({ name }) => name === state.find)?.unit;
    what.textContent = state.find === "between" ? "weight" : (unit ?? "strongest label");
    least.value = String(state.least);
    output.textContent = bound(rows, state);
    const focused = document.activeElement?.closest("tr")?.dataset.head;
    lines.clear();
    for (const row of kept) lines.set(`${row.layer}.${row.head}`, lineOf(row, state, store));
    body.replaceChildren(...lines.values());
    const rest = rows.length - kept.length;
    if (nowhere || rows.length === 0) body.append(remark(nowhere ?? progressOf(state.probe)));
    else if (rest > 0) body.append(remark(`${rest} more ${rest === 1 ? "head" : "heads"} below`));
    mark(state);
    if (focused) lines.get(focused)?.querySelector("button")?.focus();
  };
  watchScores(store, list, ["least"]);
  store.watch(["layer", "head"], mark);
}

/** The threshold of the filter, in the unit of the values. @param {Row[]} rows @param {Readonly<State>} state */
function bound(rows, { least, find }) {
  if (!find || BY_METRIC[find].unit !== "tokens") return least.toFixed(2);
  const most = Math.max(...rows.map(({ label }) => label.value ?? 0), 0);
  return `${(least * most).toFixed(1)} tokens`;
}

/** @param {Row} row @param {Readonly<State>} state @param {Store} store */
function lineOf({ layer, head, label, share }, { find }, store) {
  const select = button(`L${layer}·H${head}`, null, { class: "quiet" });
  select.setAttribute("aria-label", `layer ${layer}, head ${head}`);
  const named = find === null ? label.name || "no strong pattern" : "";
  const undefinedHere = label.value === null;
  const line = make("tr", { title: inWords(label) }, [
    make("td", {}, [select]),
    make("td", {
      text: undefinedHere ? missing({ label }) : named,
      class: undefinedHere ? "faint why" : label.metric ? "" : "faint",
    }),
    make("td", { text: exact(label) }),
  ]);
  line.dataset.head = `${layer}.${head}`;
  line.style.setProperty("--share", String(share));
  line.addEventListener("click", () => store.update({ layer, head }));
  return line;
}

/** @param {Pick<Row, "label">} row */
const missing = ({ label }) => `not defined here: ${label.reason}`;

/** @param {string} text */
function remark(text) {
  const cell = make("td", { text, class: "faint why" });
  cell.colSpan = 3;
  return make("tr", {}, [cell]);
}
