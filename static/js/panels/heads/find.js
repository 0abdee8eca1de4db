// Find a head: the choice of a metric and of the scores, and the ranking of all heads.

import { button, check, make, need, radio, write } from "../../dom/dom.js";
import { translated } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { areNamed } from "../../numbers/detail.js";
import { relationsIn } from "../../numbers/relations.js";
import { hasProbe, scoredBy } from "../../state/choice.js";
import { byRelation, FINDS, findNamed, relationOf, rowOf } from "../../state/finds.js";
import { NO_PATTERN } from "../../words/heads.js";
import { exact, inWords, progressOf, ranked } from "../../words/labels.js";
import { chooseEnds, explainBetween, scoresBy, watchScores } from "./between.js";
import { explainPicture, pictureShapes, startPicture, waitingFor } from "./picture.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @typedef {ReturnType<typeof ranked>[number]} Row */

const MAX_ROWS = 128; // in the table, the highest first
const OWN = /** @type {(State["find"])[]} */ (["between", "picture"]); // their scores are those of this sentence

/** The choice of a metric. @param {HTMLFormElement} form @param {HTMLElement} said on the button that opens it @param {Store} store */
export function findForm(form, said, store) {
  const about = need("[role=status]", HTMLElement, form);
  need("[role=radiogroup]", HTMLElement, form).append(
    radio("find", "", words.STRONGEST),
    ...FINDS.map(({ metric, name }) => radio("find", metric, name)),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "by") store.update({ by: target.value === "probe" ? "probe" : "sentence" });
    if (target.name === "find") {
      const find = findNamed(target.value);
      const ranking = find === null ? { find } : { find, left: /** @type {const} */ ("find") };
      store.update(find === "picture" ? startPicture(store.state) : ranking);
    }
  });
  const relations = make("span", { class: "relations" });
  need("[role=radiogroup]", HTMLElement, form).append(relations);
  let offered = "";
  /** A choice for each relation of the model, and for the one that a link names. @param {Readonly<State>} state */
  const offer = (state) => {
    const known = relationsIn(state).map(({ label }) => label);
    const chosen = relationOf(state.find);
    const labels = chosen === null || known.includes(chosen) ? known : [...known, chosen];
    if (labels.join("\n") === offered) return;
    offered = labels.join("\n");
    relations.replaceChildren(
      ...labels.map((label) => radio("find", byRelation(label), translated(label))),
    );
  };
  watchScores(store, (state) => {
    offer(state);
    const isOwn = OWN.includes(state.find) || relationOf(state.find) !== null; // it has its own scores
    for (const input of form.querySelectorAll('input[name="by"]'))
      if (input instanceof HTMLInputElement) input.disabled = isOwn || !hasProbe(state);
    check("find", state.find ?? "", form);
    said.textContent = form.querySelector("[name=find]:checked + span")?.textContent ?? "";
    check("by", scoredBy(state), form);
    write(about, explain(state));
  });
  chooseEnds(need(".between", HTMLElement, form), store);
  pictureShapes(need(".picture-shapes", HTMLElement, form), store);
}

/** What the labels mean, or why there are none. @param {Readonly<State>} state */
function explain(state) {
  const { find, probe, scores, shown } = state;
  const by = scoredBy(state);
  if (find === "between") return explainBetween(state);
  if (find === "picture") return explainPicture(state);
  const relation = relationOf(find);
  if (relation !== null) {
    const does = translated(relationsIn(state).find(({ label }) => label === relation)?.does ?? "");
    const name = translated(relation);
    return does ? words.relationInWords({ relation: name, does }) : words.noHeadDraws(name);
  }
  if (by === "probe" && probe?.state !== "ready") return progressOf(probe);
  if (find === null) return areNamed(state) ? "" : words.NOT_NAMED; // the list of labels says what they are
  const metric = probe?.metrics.find(({ name }) => name === find);
  if (!metric) return "";
  const about = { definition: translated(metric.definition), source: cite(metric.source) };
  const share =
    by === "probe" ? probe?.sink_share : scores?.answer?.trace.scores?.[shown]?.sink_share;
  return find === "first_token" && share != null
    ? words.firstTokenInWords({ ...about, share })
    : words.metricInWords(about);
}

/** A source without its title: "Olsson et al. 2022". @param {string} source */
const cite = (source) => source.match(/^.*? \d{4}(?=,)/)?.[0] ?? source;

/** All heads, the highest first. @param {HTMLElement} panel @param {Store} store */
export function ranking(panel, store) {
  const body = need("tbody", HTMLElement, panel);
  const column = need("th:last-child", HTMLElement, panel);
  const least = need("input[type=range]", HTMLInputElement, panel);
  const output = need("output", HTMLOutputElement, panel);
  /** @type {Map<string, HTMLTableRowElement>} */
  const lines = new Map();

  least.addEventListener("input", () => store.update({ least: Number(least.value) }));

  /** @param {Readonly<State>} state */
  const mark = ({ layer, head }) => {
    for (const [name, line] of lines) {
      const selected = name === `${layer}.${head}`;
      line.classList.toggle("lit", selected);
      need("button", HTMLButtonElement, line).setAttribute("aria-pressed", String(selected));
    }
  };

  /** @param {Readonly<State>} state */
  const list = (state) => {
    const rows = ranked(scoresBy(state) ?? [], state.find);
    const undefinedReason = rows[0]?.label.value === null ? missing(rows[0]) : null; // for all heads
    const kept = undefinedReason
      ? []
      : rows.filter(({ share }) => share >= state.least).slice(0, MAX_ROWS);
    const { metrics } = state.probe ?? { metrics: [] };
    const unit = metrics.find(({ name }) => name === state.find)?.unit;
    const relation = relationOf(state.find);
    column.textContent =
      state.find === "between" ? words.WEIGHT : unit ? translated(unit) : words.STRONGEST_LABEL;
    if (relation !== null || state.find === "picture") column.textContent = words.SHARE;
    least.value = String(state.least);
    output.textContent = bound(rows, state);
    const focused = document.activeElement?.closest("tr")?.dataset.head;
    lines.clear();
    for (const row of kept) lines.set(`${row.layer}.${row.head}`, lineOf(row, state, store));
    body.replaceChildren(...lines.values());
    const rest = rows.length - kept.length;
    if (undefinedReason || rows.length === 0)
      body.append(remark(undefinedReason ?? nothing(relation, state)));
    else if (rest > 0) body.append(remark(words.moreBelow(rest)));
    mark(state);
    if (focused) lines.get(focused)?.querySelector("button")?.focus();
  };
  watchScores(store, list, ["least"]);
  store.watch(["layer", "head"], mark);
}

/** Why there are no heads to list. @param {string | null} relation @param {Readonly<State>} state */
function nothing(relation, state) {
  if (relation !== null) return words.noHeadDraws(relation);
  if (state.find === "picture") return waitingFor(state);
  return areNamed(state) ? progressOf(state.probe) : words.NOT_NAMED;
}

/** The threshold of the filter, in the unit of the values. @param {Row[]} rows @param {Readonly<State>} state */
function bound(rows, { least, find }) {
  if (rowOf(find)?.unit !== "tokens") return fixed(least, 2);
  const max = Math.max(...rows.map(({ label }) => label.value ?? 0), 0);
  return words.tokens(fixed(least * max, 1));
}

/** @param {Row} row @param {Readonly<State>} state @param {Store} store */
function lineOf({ layer, head, label, share }, { find }, store) {
  const select = button(words.shortName({ layer, head }), null, { class: "quiet" });
  select.setAttribute("aria-label", words.headLabel({ layer, head }));
  const name = find === null ? label.name || NO_PATTERN : "";
  const undefinedHere = label.value === null;
  const line = make("tr", { title: inWords(label) }, [
    make("td", {}, [select]),
    make("td", {
      text: undefinedHere ? missing({ label }) : name,
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
const missing = ({ label }) => words.notDefined(label.reason);

/** @param {string} text */
function remark(text) {
  const cell = make("td", { text, class: "faint why" });
  cell.colSpan = 3;
  return make("tr", {}, [cell]);
}
