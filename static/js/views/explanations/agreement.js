// The agreement of each pair of explanations, as a table.

import { make, scrolling } from "../../dom/dom.js";
import { translated } from "../../language/gettext.js";
import * as words from "./words.js";

/** @import { Comparison } from "./reading.js" */

export function agreement() {
  const table = make("table", { class: "explanations-agreement" });
  const root = make("details", {}, [
    make("summary", { text: words.MATRIX.title }),
    scrolling(words.MATRIX.caption, table),
  ]);
  return {
    root,
    /** @param {Comparison} comparison */
    show({ columns, tau }) {
      const each = columns.map(({ one }) => one);
      table.replaceChildren(
        make("caption", { class: "unseen", text: words.MATRIX.caption }),
        make("thead", {}, [
          make("tr", {}, [
            make("td"),
            ...each.map(({ label }) => heading(translated(label), "col")),
          ]),
        ]),
        make(
          "tbody",
          {},
          each.map((row) =>
            make("tr", {}, [
              heading(translated(row.label), "row"),
              ...each.map((column) => cell(tau(row.name, column.name), row === column)),
            ]),
          ),
        ),
      );
    },
  };
}

/** @param {string} text @param {"row" | "col"} scope */
function heading(text, scope) {
  const element = make("th", { text });
  element.scope = scope;
  return element;
}

/** @param {number | null} tau @param {boolean} same */
function cell(tau, same) {
  const side = tau !== null && tau < 0 ? "against" : "for";
  const element = make("td", { text: words.tauText(tau), class: same ? "same" : side });
  element.style.setProperty("--strength", String(same ? 0 : Math.abs(tau ?? 0)));
  return element;
}
