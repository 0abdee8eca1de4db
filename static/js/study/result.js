// What a study found: a map of the means, the largest of them, and the sentences, each of which can be looked at alone.

import { button, downloadBlob, make, scrolling, write } from "../dom/dom.js";
import { elementAt, placeOf, stepped } from "../dom/grid.js";
import { palette } from "../dom/palette.js";
import { signedMap } from "../dom/signedmap.js";
import { csvTable } from "../words/format.js";
import { headName, layerName, shortName } from "../words/heads.js";
import { barsOf } from "./bars.js";
import { columnsOf, gridOf, isUnsure, largest, numberOf } from "./reading.js";
import { fill } from "./sentences.js";
import { wiring } from "./wiring.js";
import * as words from "./words.js";

/** @import { At } from "../dom/grid.js" */
/** @import { Model, StudyCircuit, StudyPair, StudyRequest, StudyRow, StudyTable } from "../types.d.ts" */
/** @typedef {{request: StudyRequest, model: Model, n: number, pairs: StudyPair[], table: StudyTable, circuit: StudyCircuit | null}} Study */

const MOST = 12; // bars

/** @param {HTMLElement} root @param {() => "light" | "dark"} scheme */
export function resultView(root, scheme) {
  /** @type {Study | null} */
  let study = null;
  /** The sentence that is looked at alone. @type {number | null} */
  let alone = null;
  /** The cell that the reader chose; null: the one that says most. @type {At | null} */
  let chosen = null;
  const said = make("p", { class: "study-said" });
  said.setAttribute("role", "status");
  const title = make("h2");
  const steps = [
    button(words.BEFORE, () => step(-1), { class: "quiet" }),
    button(words.NEXT, () => step(1), { class: "quiet" }),
    button(words.ALL, () => look(null), { class: "quiet" }),
  ];
  const head = make("div", { class: "study-head" }, [title, ...steps]);
  const place = make("div", { class: "scrolling" });
  const read = make("p", { class: "study-read" });
  read.setAttribute("role", "status");
  const map = make("section", {}, [place, read, make("p", { class: "faint", text: words.LEGEND })]);
  const lacking = make("p", { text: words.NO_NUMBERS });
  const bars = make("ul", { class: "study-bars" });
  const sentences = make("table", { class: "study-sentences" });
  const wired = make("section");
  const parts = make("div", { class: "study-parts" }, [
    map,
    wired,
    make("section", {}, [make("h2", { text: words.LARGEST }), lacking, bars]),
  ]);
  const saves = make("p", { class: "study-saves" }, [
    button(words.SAVE_TABLE, () => saveTable(), { class: "quiet" }),
    button(words.SAVE_ALL, () => saveAll(), { class: "quiet" }),
  ]);
  const list = make("section", {}, [
    make("h2", { text: words.SENTENCES }),
    scrolling(words.SENTENCES, sentences),
    saves,
  ]);
  root.append(said, head, parts, list);
  root.hidden = true;

  /** The rows that the map shows. */
  const rows = () =>
    study === null ? [] : alone === null ? study.table.rows : (study.pairs[alone]?.rows ?? []);
  const grid = () =>
    gridOf(rows(), /** @type {Study} */ (study).model, {
      layer: layerName,
      head: (n) => `H${n}`,
      mlp: words.MLP,
    });
  /** @param {StudyRow} row */
  const nameOf = (row) =>
    words.partInWords(row, ({ layer, head }) =>
      row.kind && ["encoder", "decoder", "cross"].includes(row.kind)
        ? headName({ kind: /** @type {any} */ (row.kind), layer }, head)
        : shortName({ layer, head }),
    );
  const of = () => study?.request.of ?? "patching";

  /** @param {Study} found */
  function show(found) {
    study = found;
    if (alone !== null && alone >= found.pairs.length) alone = null;
    root.hidden = found.pairs.length === 0;
    draw();
    fill(sentences, study, alone, look);
  }

  function draw() {
    if (study === null) return;
    const { lines, columns } = grid();
    const reach = Math.max(...rows().map((row) => Math.abs(numberOf(row) ?? 0)), 1e-9);
    const { diverging } = palette(scheme());
    const focused = place.contains(document.activeElement);
    write(title, alone === null ? words.MAP : words.mapOf(alone));
    map.hidden = lines.length === 0;
    drawCircuit(study);
    place.replaceChildren(
      signedMap({
        label: alone === null ? words.MAP : words.mapOf(alone),
        columns: columns.map((text) => ({ text })),
        rows: lines.map(({ name, cells }) => ({
          name,
          cells: cells.map((row) => {
            const value =
              row === null ? null : (row.mean ?? (isPromise(row) ? numberOf(row) : null));
            const text = value === null || row === null ? "" : words.amount(of(), value);
            const isWeak = row !== null && row.mean !== null && isUnsure(row);
            return { text: text.replace(" nats", ""), value, class: isWeak ? "unsure" : "" };
          }),
        })),
        reach,
        diverging,
      }),
    );
    select(chosenOrMost(), focused);
    const most = largest(rows(), MOST);
    bars.replaceChildren(
      ...barsOf(
        most.map((row) => ({
          ...{ name: nameOf(row), value: numberOf(row) ?? 0, low: row.low, high: row.high },
          text: words.amount(of(), numberOf(row) ?? 0),
        })),
      ),
    );
    for (const [index, each] of steps.entries())
      each.disabled = index === 2 ? alone === null : study.pairs.length === 0;
    const [first] = largest(study.table.rows, 1);
    lacking.hidden = rows().length > 0 || alone === null;
    const used = study.pairs.filter(({ pair }) => pair.follows).length;
    write(
      said,
      study.circuit !== null
        ? words.circuitInWords(study.circuit)
        : first === undefined
          ? study.pairs.length > 0 && used === 0 && study.pairs.length === study.n
            ? words.ALL_FAIL
            : ""
          : words.outcome({
              part: nameOf(first),
              mean: words.meanInWords(of(), first),
              of: of(),
              n: study.table.n,
              left: study.pairs.length - used,
            }),
    );
  }

  /** Whether nothing was measured at all. @param {StudyRow} row */
  const isPromise = (row) =>
    row.estimate !== undefined && /** @type {Study} */ (study).request.exact === 0;

  /** @param {Study} found */
  function drawCircuit({ circuit }) {
    wired.hidden = circuit === null;
    if (circuit === null) return;
    wired.replaceChildren(make("h2", { text: words.WIRING }), wiring(circuit));
  }

  /** @returns {At} */
  function chosenOrMost() {
    const { lines } = grid();
    if (chosen && lines[chosen[0]]?.cells[chosen[1]]) return chosen;
    const [most] = largest(
      lines.flatMap(({ cells }) => cells.filter((row) => row !== null)),
      1,
    );
    const line = Math.max(
      0,
      lines.findIndex(({ cells }) => cells.includes(most)),
    );
    return [line, Math.max(0, lines[line]?.cells.indexOf(most) ?? 0)];
  }

  /** The cell of a place. @param {At} at */
  const rowAt = ([line, column]) => grid().lines[line]?.cells[column] ?? null;

  /** @param {At} at @param {boolean} focus */
  function select(at, focus) {
    for (const cell of place.querySelectorAll("[data-row]")) {
      if (cell instanceof HTMLElement) cell.tabIndex = -1;
      cell.classList.remove("chosen");
    }
    const cell = elementAt(place, at);
    cell?.classList.add("chosen");
    if (cell) cell.tabIndex = 0;
    if (focus) cell?.focus();
    tell(at);
  }

  /** @param {At} at */
  function tell(at) {
    const row = study === null ? null : rowAt(at);
    write(read, row === null ? "" : words.says(of(), nameOf(row), words.meanInWords(of(), row)));
  }

  place.addEventListener("pointerover", ({ target }) => {
    const at = placeOf(target);
    if (at) tell(at);
  });
  place.addEventListener("pointerleave", () => tell(chosenOrMost()));
  place.addEventListener("click", ({ target }) => {
    const at = placeOf(target);
    if (at) choose(at);
  });
  place.addEventListener("keydown", (event) => {
    const at = placeOf(event.target);
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    const { lines, columns } = grid();
    const to = stepped(at, event.key, { from: [0, 0], to: [lines.length - 1, columns.length - 1] });
    if (!to) return;
    event.preventDefault();
    choose(to);
  });
  /** @param {At} at */
  function choose(at) {
    chosen = at;
    select(at, true);
  }

  /** @param {number | null} pair */
  function look(pair) {
    alone = pair;
    if (study !== null) show(study);
  }

  /** @param {1 | -1} by */
  function step(by) {
    const n = study?.pairs.length ?? 0;
    look(alone === null ? (by > 0 ? 0 : n - 1) : (alone + by + n) % n);
  }

  function saveTable() {
    if (study === null) return;
    const names = columnsOf(study.table.rows);
    const cells = study.table.rows.map((row) =>
      names.map((name) => /** @type {any} */ (row)[name] ?? null),
    );
    downloadBlob(new Blob([csvTable(names, cells)], { type: "text/csv" }), "study.csv");
  }

  function saveAll() {
    if (study === null) return;
    const { request, pairs, table, circuit } = study;
    const text = JSON.stringify({ request, table, circuit, pairs }, null, 1);
    downloadBlob(new Blob([text], { type: "application/json" }), "study.json");
  }

  return { show, repaint: draw };
}
