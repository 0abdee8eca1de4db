// A map of the patches of one stack, as a table that arrow keys walk: a row for each layer, a column for each token or head.

import { make } from "../../dom/dom.js";
import { mark } from "../../dom/grid.js";
import { colourAt, isLight } from "../../draw/color.js";
import { layerName } from "../../words/heads.js";
import * as words from "./words.js";

/** @import { Bench, Group, Side } from "./reading.js" */
/** @import { PatchedCell } from "../../types.d.ts" */

/** @param {Bench} bench @param {Group} group @param {Side} side @param {Uint8ClampedArray} diverging */
export function map({ found, reach }, { kind, from, layers, columns }, side, diverging) {
  const byHead = found.by === "head";
  const heads = columns.map(({ name, differs, read }) => {
    const kind = `${differs ? "differs" : ""} ${read ? "read" : ""}`;
    const head = make("th", { class: kind, title: read ? words.LEGEND.read : "" }, [
      make("span", { text: byHead ? words.headLabel(name) : name }),
    ]);
    head.scope = "col";
    return head;
  });
  const rows = layers.map(({ cells, ...layer }, row) => {
    const name = make("th", { class: "patch-layer", text: layerName(layer) });
    name.scope = "row";
    return make("tr", {}, [name, ...cells.map((cell, column) => entry(cell, from + row, column))]);
  });
  const made = make("table", { class: "patch-map" }, [
    make("thead", {}, [make("tr", { class: "patch-top" }, [make("td"), ...heads])]),
    make("tbody", {}, rows),
  ]);
  made.setAttribute("role", "grid");
  made.setAttribute("aria-label", words.mapLabel(side, kind));
  return made;

  /** @param {PatchedCell} cell @param {number} row @param {number} column */
  function entry(cell, row, column) {
    const value = cell[side];
    const made = make("td", {
      text: words.inCell(value),
      class: cell.disagrees ? "disagrees" : "",
    });
    mark(made, row, column);
    if (cell.metric === null && side === "restored") {
      made.classList.add("unrun");
      made.setAttribute("aria-label", words.UNRUN);
      return made;
    }
    const colour = colourAt(diverging, (value ?? 0) / reach);
    made.style.background = `rgb(${colour.join(" ")})`;
    made.style.color = isLight(colour) ? "var(--on-light)" : "var(--on-dark)";
    return made;
  }
}
