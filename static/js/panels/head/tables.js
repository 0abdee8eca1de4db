// The selected row as a table with bars.

import { make, need, write } from "../../dom/dom.js";
import { exactRow } from "../../numbers/detail.js";
import { rangeOf } from "../../numbers/matrices.js";
import { isOutside } from "../../numbers/segments.js";
import { numberAt, seenOf } from "../../numbers/units.js";
import { MATRICES } from "../../state/matrices.js";
import { shorten, weight } from "../../words/format.js";
import { NO_DISTRIBUTION, rowTitle, rowTitleIn } from "./words.js";

/** @import { Store } from "../../state/store.js" */

const MAX_ROWS = 64; // keys, the strongest first

/**
 * The selected row as a table, strongest key first.
 * @param {HTMLTableElement} table with two columns, and no rows yet
 * @param {Store} store
 * @param {{most?: number, said?: (value: number) => string}} [options] `most`: keys that are listed; `said`: a weight in words
 */
export function rowTable(table, store, { most = MAX_ROWS, said = weight } = {}) {
  const title = need("thead th", HTMLElement, table);
  const unit = need("thead th:last-child", HTMLElement, table);
  const body = need("tbody", HTMLElement, table);
  // `next` has the position of the predictions, which is the row until the reader chooses one
  const places = /** @type {const} */ (["query", "hover", "segments", "units", "specials"]);
  store.watch(["detail", "next", "shown", "matrix", ...places], (now) => {
    const { state, detail } = seenOf(now);
    if (!detail) return;
    const { row, keys, keyLabels } = detail;
    const name = state.matrix === "scores" ? "pattern" : state.matrix; // a row of scores is listed by its weights
    const matrix = detail[name];
    if (!matrix) return; // still loading
    const query = shorten(detail.queryLabels[row], 16);
    const { row: does } = MATRICES[name];
    const isOne = state.detail?.trace.tokens.length === 1;
    write(
      title,
      isOne ? rowTitle({ query, does }) : rowTitleIn({ query, does, n: detail.text + 1 }),
    );
    unit.textContent = MATRICES[name].unit;
    const { high } = rangeOf(name, matrix);
    const exact = exactRow(detail, name, row);
    if (!exact) return body.replaceChildren(note("…")); // the numbers of a long text come after the picture
    const ranked = keys
      .map((_, key) => ({ key, value: exact.values[key] }))
      .filter(({ key }) => !exact.blocked[key])
      .sort((a, b) => b.value - a.value || a.key - b.key)
      .slice(0, most);
    body.replaceChildren(
      ...ranked.map(({ key, value }) => {
        const place = String(numberAt(detail, "keys", key));
        const line = barRow(keyLabels[key], said(value), value / high, place);
        const { hover } = state;
        line.classList.toggle("lit", hover?.axis === detail.site.key_tokens && hover.place === key);
        line.classList.toggle("outside", isOutside(detail.block, row, key));
        return line;
      }),
    );
    if (ranked.length === 0) body.append(note(NO_DISTRIBUTION));
  });
}

/**
 * A line of a table with a bar behind it.
 * @param {string} name
 * @param {string} value
 * @param {number} share length of the bar, 0 to 1
 * @param {string} place a small number before the name
 */
function barRow(name, value, share, place) {
  const first = make("td", { title: name, verbatim: true }, [make("small", { text: place })]);
  first.append(name);
  const row = make("tr", {}, [first, make("td", { text: value })]);
  row.style.setProperty("--share", String(Math.min(1, share)));
  return row;
}

/** A row that explains why there is nothing. @param {string} text */
function note(text) {
  const cell = make("td", { text });
  cell.colSpan = 2;
  return make("tr", {}, [cell]);
}
