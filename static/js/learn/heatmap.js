// One head on canvas, as a lesson shows it: the row that is read is marked, and a cell is pointed at, tapped, or walked to.

import { drawScene } from "../dom/canvas.js";
import { make } from "../dom/dom.js";
import { tile } from "../dom/hatching.js";
import { palette } from "../dom/palette.js";
import { plainHeatmap, roomFor } from "../draw/plain.js";
import { blockedIn, detailOf } from "../numbers/detail.js";
import { rangeOf } from "../numbers/matrices.js";
import { hatchLegend, readout } from "../panels/head/readout.js";
import { rowTable } from "../panels/head/tables.js";
import { MATRICES } from "../state/matrices.js";
import { litMarks } from "../views/compare/triptych.js";
import { rowInWords } from "../words/announce.js";
import { reasonsIn } from "../words/hatch.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {[query: number, key: number]} Cell */

const MIN_WIDTH = 120; // pixels: on less nothing can be seen
const PAPER = 560; // pixels: the width of what is printed

/** @param {HTMLElement} root @param {Store} store */
export function heatmap(root, store) {
  root.classList.add("heatmap-view");
  const base = make("canvas");
  const over = make("canvas", { class: "figure-over" });
  const plot = make("div", { class: "figure-plot" }, [base, over]);
  plot.tabIndex = 0;
  plot.setAttribute("role", "application");
  plot.setAttribute("aria-roledescription", "heatmap");
  const line = make("p", { class: "figure-readout" });
  line.setAttribute("role", "status");
  const legend = make("ul", { class: "legend" });
  legend.setAttribute("aria-label", "Why cells are blocked");
  const numbers = rowNumbers();
  root.append(plot, make("div", { class: "figure-side" }, [line, legend, numbers.root]));

  const words = readout(line, store, () => {
    const detail = detailOf(store.state);
    return detail ? `${rowInWords(detail, true)} Point at a cell for its numbers.` : "";
  });
  hatchLegend(legend, store);
  rowTable(numbers.table, store);

  /** @type {ReturnType<typeof pictureOf>} */
  let picture = null;
  /** @type {Cell | null} */
  let cell = null; // under the pointer, or where the arrow keys are

  const draw = () => {
    const { state } = store;
    const now = detailOf(state);
    if (state.view !== "heatmap" || !now) return;
    const room = roomFor({ queries: now.queryLabels, keys: now.keyLabels });
    plot.style.setProperty("--room", `${room}px`);
    if (plot.clientWidth < MIN_WIDTH) return;
    const found = pictureOf(state, plot.clientWidth);
    if (!found) return; // the last picture stays
    picture = found;
    const { scene, matrix, detail } = picture;
    drawScene(base, scene);
    for (const canvas of [base, over]) {
      canvas.style.width = `${scene.width}px`;
      canvas.style.height = `${scene.height}px`;
    }
    // where the cells are, for a test or a script that points at one
    const { x, y, width, height } = picture.plot;
    plot.dataset.plot = [x, y, width, height].join(" ");
    if (cell && (cell[0] >= matrix.rows || cell[1] >= matrix.cols)) cell = null;
    plot.setAttribute(
      "aria-label",
      `${detail.queries.length} queries down, ${detail.keys.length} keys along the top. Arrow keys walk the cells, Enter reads a row, Escape leaves the cell.`,
    );
    light();
  };

  const light = () => {
    if (!picture) return;
    const { scene, plot: place, matrix } = picture;
    const row = detailOf(store.state)?.row ?? 0;
    const lit = { row: row < matrix.rows ? row : null, cell };
    const marks = litMarks([place], [matrix], [lit], palette(store.state.scheme).accent);
    drawScene(over, { ...scene, ground: "transparent", marks });
  };

  /** @param {Cell | null} next */
  const point = (next) => {
    if (String(next) === String(cell)) return;
    cell = next;
    words.cell(cell);
    light();
  };
  const read = () => {
    if (cell) store.update({ query: cell[0] });
  };

  /** @param {PointerEvent | MouseEvent} event @returns {Cell | null} */
  const under = ({ clientX, clientY }) => {
    if (!picture) return null;
    const { left, top } = base.getBoundingClientRect();
    const { plot: place, matrix } = picture;
    const col = Math.floor(((clientX - left - place.x) / place.width) * matrix.cols);
    const row = Math.floor(((clientY - top - place.y) / place.height) * matrix.rows);
    const inside = row >= 0 && col >= 0 && row < matrix.rows && col < matrix.cols;
    return inside ? [row, col] : null;
  };
  plot.addEventListener("pointermove", (event) => point(under(event)));
  plot.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") point(null); // a finger that is lifted still looks
  });
  plot.addEventListener("click", (event) => {
    point(under(event));
    read();
  });

  /** @param {number} down @param {number} right */
  const walk = (down, right) => {
    if (!picture) return;
    const { rows, cols } = picture.matrix;
    const row = detailOf(store.state)?.row ?? 0;
    const [query, key] = cell ?? [Math.min(row, rows - 1) - down, -right];
    const next = [query + down, key + right];
    point([Math.max(0, Math.min(rows - 1, next[0])), Math.max(0, Math.min(cols - 1, next[1]))]);
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowUp: () => walk(-1, 0),
    ArrowDown: () => walk(1, 0),
    ArrowLeft: () => walk(0, -1),
    ArrowRight: () => walk(0, 1),
    Home: () => walk(0, Number.NEGATIVE_INFINITY),
    End: () => walk(0, Number.POSITIVE_INFINITY),
    Enter: read,
    " ": read,
    Escape: () => point(null),
  };
  plot.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // the arrows would scroll the page, Enter send the form
    act();
  });
  plot.addEventListener("blur", () => point(null));

  store.watch(["detail", "shown", "matrix", "scheme", "log", "view"], draw);
  store.watch(["query"], () => {
    light();
    if (!cell) words.cell(null); // the line at rest is of the row
  });
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== picture?.scene.width) draw();
  }).observe(plot);

  return {
    /** Resolves when what is selected now has been drawn. */
    drawn: () => Promise.resolve(),
    /** The picture on paper; null while there is none. */
    scene: () => pictureOf({ ...store.state, scheme: "light" }, PAPER, true)?.scene ?? null,
    /** What its hatching means on paper. */
    legend: () => paperLegend(store.state),
  };
}

/**
 * @param {Readonly<State>} state
 * @param {number} width in pixels
 * @param {boolean} [alone] nobody points at it: the row is part of the picture
 */
function pictureOf(state, width, alone = false) {
  const detail = detailOf(state);
  const name = state.matrix;
  const matrix = detail?.[name];
  if (!detail || !matrix) return null;
  const { sequential, diverging, paper, hatch } = palette(state.scheme);
  const cross = detail.site.kind === "cross";
  const { scene, plot } = plainHeatmap({
    ...{ matrix, width, paper, hatch, unit: MATRICES[name].unit },
    ...{ queries: detail.queryLabels, keys: detail.keyLabels, blocked: blockedIn(detail, name) },
    table: name === "scores" ? diverging : sequential,
    range: rangeOf(name, matrix, state.log),
    texts: cross ? { query: "target ", key: "source " } : { query: "", key: "" },
    ...(alone ? { row: detail.row } : {}),
  });
  return { scene, plot, matrix, detail };
}

/** @param {Readonly<State>} state */
function paperLegend(state) {
  const detail = detailOf(state);
  const reasons = detail ? reasonsIn(blockedIn(detail, state.matrix).data) : [];
  const { hatch } = palette("light");
  const items = reasons.map(({ angle, words }) => {
    const swatch = tile(angle, hatch, 36, 3.75);
    swatch.className = "swatch";
    return make("li", {}, [swatch, document.createTextNode(`blocked: ${words}`)]);
  });
  return make("ul", { class: "legend" }, items);
}

/** The row that is read, as a table: for whoever cannot see the picture, or wants its numbers. */
function rowNumbers() {
  const heads = ["key", "weight"].map((text) => {
    const head = make("th", { text });
    head.scope = "col";
    return head;
  });
  const table = make("table", { class: "bars" }, [
    make("thead", {}, [make("tr", {}, heads)]),
    make("tbody"),
  ]);
  const root = make("details", { class: "figure-numbers" }, [
    make("summary", { text: "The numbers of this row" }),
    table,
  ]);
  return { root, table };
}
