// The sums of rows and columns beside the heatmap of a mechanism, whatever draws the heatmap.

import { drawScene } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { ROOM, sumsMarks } from "../../draw/sums.js";
import { detailOf } from "../../numbers/detail.js";
import { sums } from "../../numbers/measures.js";
import { modelIn } from "../../state/choice.js";
import { spread } from "../../words/format.js";
import { sumsLabel } from "./words.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {{boxOf: (query: number, key: number) => {x: number, y: number, width: number, height: number} | null, drawn: () => Promise<unknown>}} Picture */

/** @param {HTMLElement} plot the element of the heatmap @param {Store} store @param {Picture} picture the heatmap */
export function rowSums(plot, store, picture) {
  const canvas = make("canvas", { class: "sums" });
  canvas.setAttribute("role", "img");
  plot.after(canvas);
  plot.style.setProperty("--sums-right", `${ROOM.right}px`);
  plot.style.setProperty("--sums-bottom", `${ROOM.bottom}px`);

  /** The detail whose sums are shown, if any. */
  const summed = () => {
    const { state } = store;
    const detail = detailOf(state);
    const shown =
      state.view === "heatmap" && state.matrix === "pattern" && modelIn(state).mechanisms;
    return shown && detail && detail.exact === "all" && detail.pooled === null ? detail : null;
  };

  const draw = () => {
    const detail = summed();
    canvas.hidden = !detail;
    plot.classList.toggle("with-sums", detail !== null);
    if (!detail) return;
    const all = sums(detail.pattern);
    canvas.setAttribute(
      "aria-label",
      sumsLabel({ rows: spread(all.rows), columns: spread(all.columns) }),
    );
    const ground = canvas.offsetParent?.getBoundingClientRect();
    if (!ground) return;
    const { rows, columns, right, bottom } = slots(
      picture,
      detail.queries.length,
      detail.keys.length,
    );
    const { paper, categories } = palette(store.state.scheme);
    const marks = sumsMarks(
      all,
      {
        rows: rows.map((slot) => ({ ...slot, from: slot.from - ground.top })),
        columns: columns.map((slot) => ({ ...slot, from: slot.from - ground.left })),
        ...{ right: right - ground.left, bottom: bottom - ground.top },
      },
      { bar: categories[0], paper },
    );
    const { width, height } = ground;
    drawScene(canvas, { width, height, font: paper.font, ground: "transparent", title: "", marks });
  };

  let latest = 0;
  const soon = () => {
    latest += 1;
    const turn = latest;
    plot.classList.toggle("with-sums", summed() !== null);
    picture.drawn().then(() => {
      if (turn === latest) draw();
    });
  };
  store.watch(["detail", "shown", "matrix", "view", "scheme", "model", "zoom", "status"], soon);
  new ResizeObserver(soon).observe(plot);
}

/**
 * The places of the visible rows and columns, in the window.
 * @param {Picture} picture
 * @param {number} n_rows
 * @param {number} n_columns
 */
function slots({ boxOf }, n_rows, n_columns) {
  /** @param {number} n */
  const places = (n) => Array.from({ length: n }, (_, place) => place);
  const row = places(n_rows).find((query) => places(n_columns).some((key) => boxOf(query, key)));
  const column = places(n_columns).find((key) => row !== undefined && boxOf(row, key));
  if (row === undefined || column === undefined)
    return { rows: [], columns: [], right: 0, bottom: 0 };
  const rows = places(n_rows).flatMap((place) => {
    const box = boxOf(place, column);
    return box ? [{ place, from: box.y, size: box.height }] : [];
  });
  const columns = places(n_columns).flatMap((place) => {
    const box = boxOf(row, place);
    return box ? [{ place, from: box.x, size: box.width }] : [];
  });
  const [low, last] = [rows[rows.length - 1], columns[columns.length - 1]];
  return { rows, columns, right: last.from + last.size, bottom: low.from + low.size };
}
