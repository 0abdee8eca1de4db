// The sums of rows and columns beside the heatmap of a mechanism, whatever draws the heatmap.

import { drawScene } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { SIZES } from "../../draw/axes.js";
import { roomFor, sumsMarks } from "../../draw/sums.js";
import { detailOf } from "../../numbers/detail.js";
import { sums } from "../../numbers/measures.js";
import { modelIn } from "../../state/choice.js";
import { tells } from "../../state/quiz.js";
import { spread } from "../../words/format.js";
import { sumsLabel } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @typedef {{boxOf: (query: number, key: number) => {x: number, y: number, width: number, height: number} | null, drawn: () => Promise<unknown>}} Picture */

/** @param {HTMLElement} plot the element of the heatmap @param {Store} store @param {Picture} picture the heatmap */
export function rowSums(plot, store, picture) {
  const canvas = make("canvas", { class: "sums" });
  canvas.setAttribute("role", "img");
  plot.after(canvas);

  /** The detail whose sums are shown, if any. In a quiz, readers add up by themselves: that is how they find the mistake. */
  const summed = () => {
    const { state } = store;
    const detail = detailOf(state);
    const shown =
      tells(state) &&
      state.view === "heatmap" &&
      state.matrix === "pattern" &&
      modelIn(state).mechanisms;
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
        right: right - ground.left,
        bottom: bottom - ground.top,
      },
      { bar: categories[0], paper },
      SIZES[store.state.depth],
    );
    const { width, height } = ground;
    drawScene(canvas, { width, height, font: paper.font, ground: "transparent", title: "", marks });
  };

  let latest = 0;
  const soon = () => {
    latest += 1;
    const turn = latest;
    plot.classList.toggle("with-sums", summed() !== null);
    const { right, bottom } = roomFor(SIZES[store.state.depth]);
    plot.style.setProperty("--sums-right", `${right}px`);
    plot.style.setProperty("--sums-bottom", `${bottom}px`);
    picture.drawn().then(() => {
      if (turn === latest) draw();
    });
  };
  store.watch(
    ["detail", "shown", "matrix", "view", "scheme", "model", "zoom", "status", "quiz", "depth"],
    soon,
  );
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
  const places = (n) => Array.from({ length: n }, (_, index) => index);
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
