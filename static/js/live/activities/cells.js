// A small grid to draw the pattern of a head in: by taps, or with the arrow keys and 0 to 3.

import { make } from "../../dom/dom.js";
import { cellAfter, isBlocked, nextLevel } from "./patterns.js";
import * as words from "./words.js";

/**
 * @param {import("./types.d.ts").DrawingQuestion} question
 * @param {(query: number, key: number, level: number) => void} paint
 */
export function paintGrid({ tokens, causal }, paint) {
  const n = tokens.length;
  const root = make("div", { class: "paint-grid" });
  root.setAttribute("role", "grid");
  root.setAttribute("aria-label", words.GRID);
  root.style.setProperty("--n", String(n));
  /** @type {[query: number, key: number]} */
  let here = [0, 0];
  /** @type {import("./types.d.ts").Rows} */
  let shown = [];

  const cells = tokens.map((query, i) =>
    tokens.map((key, j) => {
      const cell = make("div", { class: "paint-cell" });
      cell.setAttribute("role", "gridcell");
      if (isBlocked(causal, i, j)) {
        cell.classList.add("blocked");
        cell.setAttribute("aria-label", words.blockedInWords(query, key));
        return cell;
      }
      cell.addEventListener("click", () => {
        go([i, j]);
        paint(i, j, nextLevel(shown[i][j]));
      });
      return cell;
    }),
  );
  /** @param {[query: number, key: number]} place */
  const go = (place) => {
    cells[here[0]][here[1]].tabIndex = -1;
    here = place;
    cells[here[0]][here[1]].tabIndex = 0;
    cells[here[0]][here[1]].focus();
  };
  for (const row of cells)
    for (const cell of row) if (!cell.classList.contains("blocked")) cell.tabIndex = -1;
  cells[0][0].tabIndex = 0;

  root.addEventListener("keydown", (event) => {
    const [i, j] = here;
    const next = cellAfter(here, event.key, { n, causal });
    if (next) go(next);
    else if (event.key === " " || event.key === "Enter") paint(i, j, nextLevel(shown[i][j]));
    else if (/^[0-3]$/.test(event.key)) paint(i, j, Number(event.key));
    else return;
    event.preventDefault(); // the page would scroll
    event.stopPropagation(); // the inspector has keys of its own
  });

  const header = (
    /** @type {string} */ text,
    /** @type {string} */ role,
    /** @type {string} */ name,
  ) => {
    const element = make("div", { text, class: name, title: text });
    element.setAttribute("role", role);
    return element;
  };
  const row = (/** @type {Node[]} */ parts) => {
    const element = make("div", { class: "paint-row" }, parts);
    element.setAttribute("role", "row");
    return element;
  };
  root.append(
    row([
      header("", "columnheader", "paint-corner"),
      ...tokens.map((token) => header(token, "columnheader", "paint-key")),
    ]),
    ...tokens.map((token, i) =>
      row([header(words.looksAt(token), "rowheader", "paint-query"), ...cells[i]]),
    ),
  );
  return {
    root,
    /** @param {import("./types.d.ts").Rows} levels @param {boolean} open whether it can be painted */
    show: (levels, open) => {
      shown = levels;
      root.setAttribute("aria-readonly", String(!open));
      for (const [i, row] of levels.entries()) {
        for (const [j, level] of row.entries()) {
          const cell = cells[i][j];
          if (cell.classList.contains("blocked")) continue;
          cell.dataset.level = String(level);
          cell.textContent = level ? String(level) : "";
          cell.setAttribute("aria-label", words.cellInWords(tokens[i], tokens[j], level));
        }
      }
    },
  };
}
