// A map of the patches of one stack: a row for each layer, a column for each token or head.

import { signedMap } from "../../dom/signedmap.js";
import { layerName } from "../../words/heads.js";
import * as words from "./words.js";

/** @import { Bench, Group, Side } from "./reading.js" */

/** @param {Bench} bench @param {Group} group @param {Side} side @param {Uint8ClampedArray} diverging */
export function map({ found, reach }, { kind, from, layers, columns }, side, diverging) {
  const byHead = found.by === "head";
  return signedMap({
    label: words.mapLabel(side, kind),
    columns: columns.map(({ name, differs, read }) => ({
      text: byHead ? words.headLabel(name) : name,
      class: `${differs ? "differs" : ""} ${read ? "read" : ""}`,
      title: read ? words.LEGEND.read : "",
    })),
    rows: layers.map(({ cells, ...layer }) => ({
      name: layerName(layer),
      cells: cells.map((cell) => {
        const unrun = cell.metric === null && side === "restored";
        return {
          text: words.inCell(cell[side]),
          value: unrun ? null : (cell[side] ?? 0),
          class: cell.disagrees ? "disagrees" : "",
          label: unrun ? words.UNRUN : "",
        };
      }),
    })),
    reach,
    diverging,
    from,
  });
}
