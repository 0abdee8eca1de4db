// Painting a mask on the heatmap: strokes over the cells, and the cursor for the keyboard.

import { make } from "../dom/dom.js";
import { palette } from "../dom/palette.js";
import { detailOf } from "../numbers/detail.js";
import { isOfHead } from "../state/matrices.js";
import { tells } from "../state/quiz.js";
import { line } from "./brush.js";
import {
  brushOf,
  cursorBy,
  cursorOf,
  drawn,
  isPaintedAt,
  nextBrush,
  stroke,
  strokeSince,
} from "./stroke.js";
import { STROKE_CANCELLED } from "./words.js";

/** @import { Store } from "../state/store.js" */
/** @import { State } from "../types.d.ts" */
/** @typedef {[query: number, key: number]} Place */
/**
 * The picture to paint on.
 * @typedef {object} Picture
 * @property {(clientX: number, clientY: number) => Place | null} cellAt
 * @property {(query: number, key: number) => {x: number, y: number, width: number, height: number} | null} boxOf
 * @property {(cell: Place | null) => void} point called with the cell under the pointer
 * @property {() => Promise<unknown>} drawn
 */

const MIN_CELL = 6; // pixels: the mark of a smaller cell has no cross

/** @typedef {ReturnType<typeof import("./paint-tools.js").paintTools>} Tools */

/**
 * @param {HTMLElement} plot the element of the picture
 * @param {Store} store
 * @param {Picture} picture
 * @param {Pick<Tools, "perform" | "say">} tools
 */
export function paint(plot, store, picture, { perform, say }) {
  const layer = make("canvas", { class: "paint-layer" });
  layer.hidden = true;
  plot.after(layer);

  /** @typedef {{began: Readonly<State>, blocks: boolean, cells: Map<string, Place>, last: Place}} Stroke `cells` by name; `blocks`: false frees them */
  /** The stroke under the pointer. @type {Stroke | null} */
  let current = null;
  /** The previous stroke, until the picture shows it. @type {Stroke | null} */
  let sent = null;

  const draw = () => {
    const { state } = store;
    const brush = brushOf(state);
    const shows = brush === "picture" || isShown(state);
    layer.hidden = brush === null && !shows;
    if (layer.hidden) return;
    layer.classList.toggle("still", brush === null); // it is only looked at
    const { width, height } = plot.getBoundingClientRect();
    Object.assign(layer.style, {
      left: `${plot.offsetLeft}px`,
      top: `${plot.offsetTop}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    layer.width = Math.round(width * devicePixelRatio); // which also clears it
    layer.height = Math.round(height * devicePixelRatio);
    const drawing = layer.getContext("2d");
    const from = layer.getBoundingClientRect();
    if (!drawing) return;
    drawing.scale(devicePixelRatio, devicePixelRatio);
    drawing.translate(-from.left, -from.top);
    const { accent, paper } = palette(store.state.scheme);
    if (shows) {
      const cells = current && brush === "picture" ? [...current.cells.values()] : [];
      for (const place of drawn(state.picture, cells, current?.blocks ?? true)) {
        const box = picture.boxOf(...place);
        if (box) frame(drawing, box, accent, paper.panel);
      }
    }
    const strokes = brush === "picture" ? [] : [sent, current];
    for (const { blocks, cells } of strokes.filter((one) => one !== null)) {
      for (const [query, key] of cells.values()) {
        const box = picture.boxOf(query, key);
        if (box) mark(drawing, box, blocks ? paper.ink : accent, blocks);
      }
    }
    const cursor = cursorOf(store.state);
    const box = cursor && picture.boxOf(...cursor);
    if (!box) return;
    for (const [color, wide] of /** @type {const} */ ([
      [paper.panel, 5],
      [accent, 2.5],
    ])) {
      drawing.strokeStyle = color;
      drawing.lineWidth = wide;
      drawing.strokeRect(box.x + 1, box.y + 1, box.width - 2, box.height - 2);
    }
  };

  /** @param {PointerEvent} event */
  const cellOf = ({ clientX, clientY }) => picture.cellAt(clientX, clientY);

  /** @param {Place} cell */
  const add = (cell) => {
    if (!current) return;
    for (const place of line(current.last, cell)) current.cells.set(place.join(), place);
    current.last = cell;
  };

  layer.addEventListener("pointerdown", (event) => {
    const cell = cellOf(event);
    const detail = detailOf(store.state);
    if (!event.isPrimary || event.button !== 0 || !cell || !detail) return;
    event.preventDefault(); // do not select text or move the focus
    layer.setPointerCapture(event.pointerId);
    const began = store.state;
    current = { began, blocks: !isPaintedAt(began, detail, cell), cells: new Map(), last: cell };
    add(cell);
    draw();
  });
  layer.addEventListener("pointermove", (event) => {
    const cell = cellOf(event);
    picture.point(cell);
    if (!current || !cell) return;
    const n = current.cells.size;
    add(cell);
    if (current.cells.size > n) draw();
  });
  layer.addEventListener("pointerleave", () => picture.point(null));
  layer.addEventListener("pointerup", () => {
    if (!current) return;
    const { began, cells, blocks } = current;
    const edit = strokeSince(began, store.state, [...cells.values()], blocks);
    sent = edit.changes && store.state.brush !== "picture" ? current : null;
    current = null;
    perform(edit);
    draw();
  });
  const cancel = () => {
    if (!current) return false;
    current = null;
    draw();
    return true;
  };
  layer.addEventListener("pointercancel", cancel);
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !cancel()) return;
      event.stopPropagation();
      say(STROKE_CANCELLED);
    },
    true,
  );
  // the picture below still zooms with the wheel
  layer.addEventListener("wheel", (event) => {
    event.preventDefault();
    const below = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((element) => plot.contains(element));
    below?.dispatchEvent(new WheelEvent("wheel", event));
  });

  const after = () => picture.drawn().then(draw);
  store.watch(["detail", "status"], ({ status }) => {
    if (status === "loading") return;
    sent = null;
    after();
  });
  store.watch(
    [
      "brush",
      "picture",
      "find",
      "view",
      "matrix",
      "models",
      "model",
      "query",
      "key",
      "scheme",
      "zoom",
      "units",
      "specials",
    ],
    () => {
      draw();
      after(); // it may have to be drawn first
    },
  );
  new ResizeObserver(after).observe(plot);
}

/** Whether the reader's picture is drawn over the head. @param {Readonly<State>} state */
const isShown = ({ find, view, matrix, quiz }) =>
  find === "picture" && view === "heatmap" && isOfHead(matrix) && tells({ quiz });

/**
 * Draw a cell of the reader's picture: a frame that shows on light and on dark cells, with a full corner, which the cursor lacks.
 * @param {CanvasRenderingContext2D} drawing
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {string} color
 * @param {string} around
 */
function frame(drawing, { x, y, width, height }, color, around) {
  if (Math.min(width, height) < MIN_CELL) {
    drawing.fillStyle = color;
    drawing.fillRect(x, y, width, height);
    return;
  }
  for (const [stroke, wide] of /** @type {const} */ ([
    [around, 3],
    [color, 1.5],
  ])) {
    drawing.strokeStyle = stroke;
    drawing.lineWidth = wide;
    drawing.strokeRect(x + 1, y + 1, width - 2, height - 2);
  }
  const corner = Math.min(10, width / 2, height / 2);
  drawing.fillStyle = color;
  drawing.beginPath();
  drawing.moveTo(x, y);
  drawing.lineTo(x + corner, y);
  drawing.lineTo(x, y + corner);
  drawing.fill();
}

/**
 * Draw a cell of the stroke: crossed out, or highlighted.
 * @param {CanvasRenderingContext2D} drawing
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {string} color
 * @param {boolean} blocks
 */
function mark(drawing, { x, y, width, height }, color, blocks) {
  drawing.globalAlpha = 0.25;
  drawing.fillStyle = color;
  drawing.fillRect(x, y, width, height);
  drawing.globalAlpha = 1;
  if (!blocks || Math.min(width, height) < MIN_CELL) return;
  drawing.strokeStyle = color;
  drawing.lineWidth = 1;
  drawing.beginPath();
  for (const [from, to] of [
    [0.25, 0.75],
    [0.75, 0.25],
  ]) {
    drawing.moveTo(x + from * width, y + 0.25 * height);
    drawing.lineTo(x + to * width, y + 0.75 * height);
  }
  drawing.stroke();
}

/**
 * The keyboard shortcuts of the brush.
 * @param {Tools["perform"]} perform
 * @returns {Record<string, (state: Readonly<State>) => Partial<State> | null>}
 */
export const paintKeys = (perform) => ({
  w: nextBrush,
  "{": (state) => cursorBy(state, -1),
  "}": (state) => cursorBy(state, 1),
  x: (state) => {
    const cursor = cursorOf(state);
    const detail = detailOf(state);
    if (cursor && detail) {
      perform(stroke(state, [cursor], !isPaintedAt(state, detail, cursor)));
    }
    return null;
  },
});
