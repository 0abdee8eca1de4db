// The numbers in words: what is under the pointer, the row that is read, what hatching means, what comes next.

import { percent, shorten, weight } from "../render/format.js";
import { reasonsIn } from "../render/hatch.js";
import { detailOf, reasonAt } from "./detail.js";
import { make, need } from "./dom.js";
import { tile } from "./hatching.js";
import { palette } from "./palette.js";

/** @typedef {import("../store.js").Store} Store */

const ROWS = 64; // keys in the table of a row, the strongest first

/** @param {string} text */
const strong = (text) => make("b", { text });

/** The line above the head: a cell or a channel under the pointer. @param {Store} store */
export function readout(store) {
  const line = need("#readout", HTMLElement);

  const rest = () => {
    line.textContent =
      "Point at a cell, or tap it, for its numbers and its row. Drag to zoom, double-click to go back.";
  };
  store.watch(["detail"], rest);

  return {
    /** @param {[number, number] | null} cell */
    cell: (cell) => {
      const detail = detailOf(store.state);
      if (!cell || !detail) return rest();
      const [query, key] = cell;
      const at = query * detail.pattern.cols + key;
      const reason = reasonAt(detail, query, key);
      line.replaceChildren(
        "query ",
        strong(`${query} ${detail.queryLabels[query]}`),
        " → key ",
        strong(`${key} ${detail.keyLabels[key]}`),
        ": weight ",
        strong(weight(detail.pattern.data[at])),
        ", score ",
        strong(weight(detail.scores.data[at])),
        reason ? ", " : "",
        reason ? strong(`blocked by ${reason}`) : "",
      );
    },
    /** @param {{name: string, token: number, channel: number} | null} at */
    vector: (at) => {
      const detail = detailOf(store.state);
      if (!at || !detail) return rest();
      const matrix = detail[/** @type {"q" | "k" | "v"} */ (at.name)];
      const labels = at.name === "q" ? detail.queryLabels : detail.keyLabels;
      line.replaceChildren(
        strong(at.name),
        " of ",
        strong(`${at.token} ${labels[at.token]}`),
        `, channel ${at.channel}: `,
        strong(weight(matrix.data[at.token * matrix.cols + at.channel])),
      );
    },
  };
}

/** The title, the mute button, and what the hatching means. @param {Store} store */
export function headTitle(store) {
  const title = need("#head-title", HTMLElement);
  const mute = need("#mute", HTMLButtonElement);
  const legend = need("#legend", HTMLElement);

  store.watch(["detail"], (state) => {
    const detail = detailOf(state); // of the picture, which may be a moment behind the choice
    if (detail) title.textContent = `Layer ${detail.site.layer} · head ${detail.head}`;
  });
  store.watch(["layer", "head", "muted"], ({ layer, head, muted }) => {
    mute.setAttribute("aria-pressed", String(muted.some(([l, h]) => l === layer && h === head)));
  });
  store.watch(["detail", "shown", "scheme"], (state) => {
    const detail = detailOf(state);
    const { hatch } = palette(state.scheme);
    const items = detail ? reasonsIn(detail.blocked.data) : [];
    legend.replaceChildren(
      ...items.map(({ angle, words }) => {
        const swatch = tile(angle, hatch, 12, 1.25);
        swatch.className = "swatch";
        return make("li", {}, [swatch, document.createTextNode(`blocked: ${words}`)]);
      }),
    );
  });
}

/** The selected row as a table, strongest key first. @param {Store} store */
export function rowTable(store) {
  const title = need("#row-title", HTMLElement);
  const body = need("#row tbody", HTMLElement);
  store.watch(["detail", "shown", "query", "hover"], (state) => {
    const detail = detailOf(state);
    if (!detail) return;
    const { row, pattern, keys, keyLabels } = detail;
    title.textContent = `“${shorten(detail.queryLabels[row], 16)}” looks at`;
    const ranked = keys
      .map((_, key) => ({ key, value: pattern.data[row * pattern.cols + key] }))
      .filter(({ key }) => !reasonAt(detail, row, key))
      .sort((a, b) => b.value - a.value || a.key - b.key)
      .slice(0, ROWS);
    body.replaceChildren(
      ...ranked.map(({ key, value }) => {
        const line = barRow(keyLabels[key], weight(value), value, String(key));
        line.classList.toggle("lit", key === state.hover);
        return line;
      }),
    );
    if (ranked.length === 0)
      body.append(note("Every key is blocked: this row has no distribution."));
  });
}

/** What comes next. @param {Store} store */
export function nextToken(store) {
  const title = need("#next-title", HTMLElement);
  const body = need("#next tbody", HTMLElement);
  store.watch(["detail", "shown"], (state) => {
    const detail = detailOf(state);
    const predictions = state.detail?.trace.predictions?.[state.shown];
    if (!detail) return;
    title.textContent = `Next, after “${shorten(detail.queryLabels[detail.row], 16)}”`;
    body.replaceChildren(
      ...(predictions ?? []).map(({ text, probability }) =>
        barRow(text, percent(probability), probability),
      ),
    );
    if (!predictions) body.append(note("This model predicts no next token."));
  });
}

/** @param {string} name @param {string} value @param {number} share @param {string} [place] */
function barRow(name, value, share, place) {
  const first = make("td", { title: name }, place ? [make("small", { text: place })] : []);
  first.append(name);
  const row = make("tr", {}, [first, make("td", { text: value })]);
  row.style.setProperty("--share", String(Math.min(1, share)));
  return row;
}

/** @param {string} text */
function note(text) {
  const cell = make("td", { text });
  cell.colSpan = 2;
  return make("tr", {}, [cell]);
}
