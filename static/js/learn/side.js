// What stands beside the heatmap of a figure, as beside that of the inspector: a cell or a row in words, what the hatching means,
// and the numbers of the row.

import { make } from "../dom/dom.js";
import { detailOf } from "../numbers/detail.js";
import { hatchLegend, readout } from "../panels/head/readout.js";
import { rowTable } from "../panels/head/tables.js";
import { rowInWords } from "../words/announce.js";
import { ROW_NUMBERS, restingRow, WHY_BLOCKED } from "./words.js";

/** @param {import("../state/store.js").Store} store */
export function sidePanels(store) {
  const line = make("p", { class: "figure-readout" });
  line.setAttribute("role", "status");
  const legend = make("ul", { class: "legend" });
  legend.setAttribute("aria-label", WHY_BLOCKED);
  const { details, table } = rowNumbers();
  const root = make("div", { class: "figure-side" }, [line, legend, details]);

  /** @type {[query: number, key: number] | null} */
  let pointed = null;
  const words = readout(line, store, () => {
    const detail = detailOf(store.state);
    return detail ? restingRow(rowInWords(detail, true)) : "";
  });
  store.watch(["query", "next"], () => {
    if (!pointed) words.cell(null); // describe the new row
  });
  hatchLegend(legend, store);
  rowTable(table, store);
  store.watch(["view"], ({ view }) => {
    root.hidden = view !== "heatmap";
  });
  return {
    root,
    /** @param {[query: number, key: number] | null} cell under the pointer */
    point: (cell) => {
      pointed = cell;
      words.cell(cell);
    },
  };
}

/** The current row as a table, folded: for readers who cannot see the picture, or want its numbers. */
function rowNumbers() {
  const heads = [make("th"), make("th")]; // the table names its columns itself
  for (const head of heads) head.scope = "col";
  const table = make("table", { class: "bars" }, [
    make("thead", {}, [make("tr", {}, heads)]),
    make("tbody"),
  ]);
  const summary = make("summary", { text: ROW_NUMBERS });
  return { table, details: make("details", { class: "figure-numbers" }, [summary, table]) };
}
