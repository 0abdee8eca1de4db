// The whole text as a strip: a mark for each token, tinted by how much the selected token attends to it, and the far links as arcs above.
// A click or a drag goes to a token; so do the arrow keys.

import { enlarged, fit } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { steady } from "../../dom/steady.js";
import { partOf } from "../../draw/viewport.js";
import { detailOf, exactRow } from "../../numbers/detail.js";
import { columnsOf, goTo, isOpen, isSelected, linksIn, tokenAt } from "./links.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const [ARCS, BAND, TICK] = [46, 14, 4]; // pixels: the heights of the arcs, of the marks, and of what shows the zoomed part
const HEIGHT = ARCS + BAND + TICK;
const [FAINTEST, STRONGEST] = [0.1, 0.6]; // opacity of an arc: many lie on one another
const PAGE = 0.1; // of the text, for Page Up and Page Down

/** @param {Store} store */
export function overview(store) {
  const canvas = make("canvas", { class: "far-overview", title: words.OVERVIEW.title });
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "slider");
  canvas.setAttribute("aria-label", words.OVERVIEW.label);
  canvas.setAttribute("aria-valuenow", "0"); // a slider has a value, even before the text is there

  const n = () => detailOf(store.state)?.queries.length ?? 0;
  /** @param {number} query */
  const go = (query) => {
    const place = Math.max(0, Math.min(n() - 1, query));
    if (place !== detailOf(store.state)?.row) store.update(goTo(store.state, place));
  };
  /** @param {PointerEvent} event */
  const point = ({ clientX }) => {
    const { left, width } = canvas.getBoundingClientRect();
    go(tokenAt((clientX - left) / width, n()));
  };
  steady(canvas);
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    point(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) point(event);
  });
  canvas.addEventListener("keydown", (event) => {
    const row = detailOf(store.state)?.row ?? 0;
    const page = Math.max(1, Math.round(PAGE * n()));
    /** @type {Record<string, number>} */
    const to = {
      ArrowLeft: row - 1,
      ArrowRight: row + 1,
      ArrowUp: row - 1,
      ArrowDown: row + 1,
      PageUp: row - page,
      PageDown: row + page,
      Home: 0,
      End: n() - 1,
    };
    if (!(event.key in to) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys walk the heads
    go(to[event.key]);
  });

  const draw = () => {
    const { state } = store;
    const detail = detailOf(state);
    const width = canvas.clientWidth / enlarged(canvas);
    if (!detail || width === 0 || !isOpen(state)) return;
    const { row, queries, queryLabels } = detail;
    canvas.setAttribute("aria-valuemin", "0");
    canvas.setAttribute("aria-valuemax", String(queries.length - 1));
    canvas.setAttribute("aria-valuenow", String(row));
    canvas.setAttribute("aria-valuetext", words.token({ place: row, token: queryLabels[row] }));
    drawOverview(canvas, state, detail, width);
  };
  const keys = /** @type {const} */ (["far", "detail", "next", "shown", "query", "key", "zoom"]);
  store.watch([...keys, "layer", "head", "kind", "scheme", "scale", "right"], draw);
  new ResizeObserver(draw).observe(canvas);
  return canvas;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Readonly<State>} state
 * @param {NonNullable<ReturnType<typeof detailOf>>} detail
 * @param {number} width in pixels
 */
function drawOverview(canvas, state, detail, width) {
  const fine = devicePixelRatio * enlarged(canvas);
  fit(canvas, { width: Math.round(width * fine), height: Math.round(HEIGHT * fine) });
  const drawing = canvas.getContext("2d");
  if (!drawing) return;
  const { sequential, paper, accent } = palette(state.scheme);
  const { row, keys, site } = detail;
  const n = keys.length;
  /** @param {number} token its middle, in pixels */
  const x = (token) => ((token + 0.5) / n) * width;
  drawing.setTransform(fine, 0, 0, fine, 0, 0);
  drawing.clearRect(0, 0, width, HEIGHT);

  drawing.fillStyle = paper.line;
  drawing.fillRect(0, ARCS, width, BAND);
  const weights = exactRow(detail, "pattern", row)?.values;
  if (weights) {
    const columns = columnsOf(weights, Math.min(n, Math.round(width)));
    const largest = Math.max(...columns) || 1;
    const wide = width / columns.length;
    columns.forEach((value, column) => {
      const step = 4 * Math.round((255 * value) / largest);
      drawing.fillStyle = `rgb(${sequential.slice(step, step + 3).join(" ")})`;
      drawing.fillRect(column * wide, ARCS + 1, wide + 0.5, BAND - 2);
    });
  }

  const links = linksIn(state)?.links ?? [];
  const strongest = links[0]?.weight || 1;
  drawing.lineWidth = 1;
  for (const link of links.toReversed()) {
    const selected = isSelected(state, link);
    if (selected) continue;
    drawing.globalAlpha = Math.max(FAINTEST, (STRONGEST * link.weight) / strongest);
    arc(drawing, x(link.query), x(link.key), width, paper.ink);
  }
  drawing.globalAlpha = 1;
  const chosen = links.find((link) => isSelected(state, link));
  drawing.lineWidth = 2.5;
  if (chosen) arc(drawing, x(chosen.query), x(chosen.key), width, accent);

  drawing.fillStyle = accent;
  if (site.query_tokens === site.key_tokens) drawing.fillRect(x(row) - 1, ARCS - 2, 2, BAND + 4);
  if (!state.zoom) return;
  const [top, bottom, left, right] = partOf(state.zoom, n, n);
  for (const [start, stop] of [
    [top, bottom],
    [left, right],
  ]) {
    const from = (start / n) * width;
    drawing.fillRect(from, HEIGHT - 2, Math.max(2, (stop / n) * width - from), 2);
  }
}

/**
 * Half an ellipse: the farther, the higher.
 * @param {CanvasRenderingContext2D} drawing
 * @param {number} from
 * @param {number} to
 * @param {number} width
 * @param {string} colour
 */
function arc(drawing, from, to, width, colour) {
  const wide = Math.abs(to - from) / 2;
  const high = (ARCS - 3) * Math.sqrt((2 * wide) / width);
  drawing.strokeStyle = colour;
  drawing.beginPath();
  drawing.ellipse((from + to) / 2, ARCS, wide, high, 0, Math.PI, 2 * Math.PI);
  drawing.stroke();
}
