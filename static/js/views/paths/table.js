// The edges of a path map as a table: the readable ranking, and what keys and screen readers go through.

import { button, make } from "../../dom/dom.js";
import { logits, nodeInBrief, TABLE, THROUGH, VERDICTS } from "./words.js";

/** @import { PathEdge } from "../../types.d.ts" */

/**
 * @param {PathEdge[]} edges
 * @param {import("../../types.d.ts").Token[]} tokens
 * @param {(place: number | null) => void} point called with the edge that is pointed at or has the focus
 */
export function tableOf(edges, tokens, point) {
  const rows = edges.map((edge, index) => {
    const { sender, receiver, through, promised, moved, verdict } = edge;
    const from = button(nodeInBrief(sender, tokens), () => point(index), { class: "quiet" });
    from.addEventListener("focus", () => point(index));
    const { short, name } = THROUGH[through];
    const how = make("span", { class: `paths-tag through-${through}`, text: short, title: name });
    const row = make("tr", { class: verdict }, [
      make("th", {}, [from]),
      make("td", { text: nodeInBrief(receiver, tokens) }),
      make("td", {}, [how]),
      make("td", { text: logits(promised), class: "number" }),
      make("td", { text: logits(moved), class: "number" }),
      make("td", { text: VERDICTS[verdict] }),
    ]);
    row.firstElementChild?.setAttribute("scope", "row");
    row.dataset.edge = String(index);
    return row;
  });
  const head = make(
    "tr",
    {},
    TABLE.columns.map((text) => {
      const cell = make("th", { text });
      cell.scope = "col";
      return cell;
    }),
  );
  return make("table", { class: "paths-table" }, [
    make("caption", { text: TABLE.caption }),
    make("thead", {}, [head]),
    make("tbody", {}, rows),
  ]);
}
