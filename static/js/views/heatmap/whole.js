// A whole head on a canvas: before plotly has loaded, and for texts too long for it. It can be zoomed; labels are thinned out.

import { make } from "../../dom/dom.js";
import { hatchCanvas } from "../../dom/hatching.js";
import { ticks } from "../../draw/figure.js";
import { paint } from "../../draw/raster.js";
import { boxIn, moved, partOf, zoomOf } from "../../draw/viewport.js";
import { cut, shrink } from "../../numbers/matrix.js";
import { shorten } from "../../words/format.js";
import { zooming } from "./zooming.js";

/** @typedef {import("../../numbers/segments.js").Box} Box */
/** @typedef {import("../../draw/viewport.js").Part} Part */
/** @typedef {import("../../draw/viewport.js").Frame} Frame */
/**
 * @typedef {object} Picture
 * @property {{rows: number, cols: number, data: Float32Array}} matrix
 * @property {string[]} queries labels; if there are more than rows, the matrix is pooled
 * @property {string[]} keys
 * @property {Uint8ClampedArray} table
 * @property {import("../../draw/raster.js").Range} range
 * @property {{rows: number, cols: number, data: Uint8Array}} blocked
 * @property {{boxes: Box[], lines: Box[]}} over the veil, and the start of the second segment
 * @property {{query: string, key: string}} texts which text each axis is of: "" or "target "
 * @property {import("../../draw/figure.js").Paper} paper
 * @property {{veil: string, hatch: string, accent: string}} colors
 * @property {Part | null} zoom
 */
/** @typedef {{row: number, query: number | null, key: number | null}} Marks the current row, and the token under the pointer in another view */

const MARGIN = { left: 84, top: 84, right: 8, bottom: 8 }; // as in plotly's picture
const LABEL = 12; // characters
const SIZE = 11; // pixels
const TURN = -Math.PI / 3;
const MAP = 104; // pixels: the longer side of the minimap

/**
 * @param {HTMLElement} root
 * @param {object} listeners
 * @param {(cell: [number, number] | null) => void} listeners.onCell called with the cell under the pointer
 * @param {(query: number) => void} listeners.onQuery called when a row is chosen
 * @param {(zoom: Part | null) => void} listeners.onZoom
 */
export function wholeView(root, { onCell, onQuery, onZoom }) {
  const base = make("canvas", { class: "whole" });
  const top = make("canvas", { class: "whole over" });
  const map = make("canvas", { class: "whole minimap" });
  map.title = "The visible part; drag it to move";
  /** @type {Picture | null} */
  let picture = null;
  /** @type {Marks} */
  let marks = { row: 0, query: null, key: null };
  /** What the painted cells depend on. @type {unknown[]} */
  let drawn = [];
  /** @type {Box | null} */
  let rubber = null; // in window coordinates
  /** What the painted minimap depends on. @type {{of: Float32Array | null, table: Uint8ClampedArray | null, cells: HTMLCanvasElement}} */
  let mapped = { of: null, table: null, cells: base };

  const sizes = () => ({
    rows: picture?.queries.length ?? 1,
    cols: picture?.keys.length ?? 1,
  });

  /** The frame, in the window or relative to the root. @param {{left: number, top: number}} [from] @returns {Frame | null} */
  const frame = (from = root.getBoundingClientRect()) => {
    if (!picture) return null;
    const { rows, cols } = sizes();
    return {
      left: from.left + MARGIN.left,
      top: from.top + MARGIN.top,
      width: root.clientWidth - MARGIN.left - MARGIN.right,
      height: root.clientHeight - MARGIN.top - MARGIN.bottom,
      part: partOf(picture.zoom, rows, cols),
    };
  };

  const draw = () => {
    const drawing = sheet(base, root);
    const seen = frame({ left: 0, top: 0 });
    if (!picture || !seen || !drawing) return;
    cells(drawing, picture, seen);
    over(drawing, picture, seen);
    labels(drawing, picture, seen);
    drawTop();
    drawMap();
  };

  const drawTop = () => {
    const drawing = sheet(top, root);
    const seen = frame({ left: 0, top: 0 });
    if (!picture || !seen || !drawing) return;
    const { rows, cols } = sizes();
    drawing.beginPath();
    drawing.rect(seen.left - 1, seen.top - 1, seen.width + 2, seen.height + 2);
    drawing.clip();
    drawing.strokeStyle = picture.colors.accent;
    /** @param {number} width @param {[number, number, number, number]} box in cells: query, key, and how many */
    const band = (width, [query, key, high, wide]) => {
      const [start, stop] = [at(seen, query, key), at(seen, query + high, key + wide)];
      drawing.lineWidth = width;
      drawing.strokeRect(start.x, start.y, stop.x - start.x, stop.y - start.y);
    };
    band(1.5, [marks.row, 0, 1, cols]);
    if (marks.query !== null && marks.query !== marks.row) band(0.75, [marks.query, 0, 1, cols]);
    if (marks.key !== null) band(0.75, [0, marks.key, rows, 1]);
    if (rubber) {
      const { left, top } = root.getBoundingClientRect();
      drawing.lineWidth = 1;
      const { x0, x1, y0, y1 } = rubber;
      drawing.strokeRect(x0 - left, y0 - top, x1 - x0, y1 - y0);
    }
  };

  const drawMap = () => {
    map.hidden = !picture?.zoom;
    if (!picture || map.hidden) return;
    const { matrix, table, range, zoom, colors, paper } = picture;
    const { rows, cols } = sizes();
    const scale = MAP / Math.max(rows, cols);
    const [width, height] = [Math.max(8, cols * scale), Math.max(8, rows * scale)];
    if (mapped.of !== matrix.data || mapped.table !== table) {
      mapped = { of: matrix.data, table, cells: imageOf(shrink(matrix, MAP), table, range) };
    }
    const drawing = sheet(map, { clientWidth: width, clientHeight: height });
    Object.assign(map.style, { width: `${width}px`, height: `${height}px` });
    if (!drawing) return;
    drawing.imageSmoothingEnabled = false;
    drawing.drawImage(mapped.cells, 0, 0, width, height);
    drawing.strokeStyle = paper.line;
    drawing.strokeRect(0.5, 0.5, width - 1, height - 1);
    const [q0, q1, k0, k1] = partOf(zoom, rows, cols);
    drawing.strokeStyle = colors.accent;
    drawing.lineWidth = 1.5;
    const size = [Math.max(3, (k1 - k0) * scale), Math.max(3, (q1 - q0) * scale)];
    drawing.strokeRect(k0 * scale, q0 * scale, size[0], size[1]);
  };

  /** @param {Part | null} part */
  const zoomTo = (part) => {
    const { rows, cols } = sizes();
    onZoom(part && zoomOf(part, rows, cols));
  };

  zooming(top, {
    frame,
    size: sizes,
    zoomTo,
    onCell,
    onChoose: ([query]) => onQuery(query),
    onRubber: (box) => {
      rubber = box;
      drawTop();
    },
  });

  /** Centre the view on the pressed point of the minimap. @param {PointerEvent} event */
  const jump = ({ clientX, clientY }) => {
    const seen = frame();
    if (!seen) return;
    const box = map.getBoundingClientRect();
    const { rows, cols } = sizes();
    const [q0, q1, k0, k1] = seen.part;
    const down = ((clientY - box.top) / box.height) * rows - (q0 + q1) / 2;
    const right = ((clientX - box.left) / box.width) * cols - (k0 + k1) / 2;
    zoomTo(moved(seen.part, down, right, rows, cols));
  };
  map.addEventListener("pointerdown", (event) => {
    map.setPointerCapture(event.pointerId);
    jump(event);
  });
  map.addEventListener("pointermove", (event) => {
    if (map.hasPointerCapture(event.pointerId)) jump(event);
  });

  return {
    /** @param {Picture} next @param {Marks} over */
    draw: (next, over) => {
      const looks = lookOf(next, root);
      const same = base.isConnected && looks.every((part, place) => part === drawn[place]);
      [picture, marks, drawn] = [next, over, looks];
      if (!base.isConnected) root.replaceChildren(base, top, map);
      if (same) drawTop();
      else draw();
    },
    /** @param {Marks} over */
    mark: (over) => {
      marks = over;
      if (base.isConnected) drawTop();
    },
    /** The position of the cells in the window; null once plotly has replaced it. */
    frame: () => (base.isConnected ? frame() : null),
    /** Make room for plotly. */
    clear: () => {
      picture = null;
      for (const layer of [base, top, map]) layer.remove();
    },
  };
}

/**
 * Everything that cells and labels depend on, so that nothing is painted twice.
 * @param {Picture} picture
 * @param {HTMLElement} root
 */
function lookOf({ matrix, blocked, queries, keys, table, range, over, texts, paper, zoom }, root) {
  const lists = JSON.stringify([queries, keys, range, over, texts, zoom]);
  const size = [root.clientWidth, root.clientHeight, devicePixelRatio];
  const { buffer, byteOffset } = matrix.data;
  return [
    buffer,
    byteOffset,
    blocked.data.buffer,
    blocked.data.byteOffset,
    table,
    paper,
    lists,
    ...size,
  ];
}

/**
 * Clear a canvas and give it the resolution of the screen.
 * @param {HTMLCanvasElement} canvas
 * @param {{clientWidth: number, clientHeight: number}} size
 */
function sheet(canvas, { clientWidth, clientHeight }) {
  canvas.width = Math.round(clientWidth * devicePixelRatio);
  canvas.height = Math.round(clientHeight * devicePixelRatio);
  const drawing = canvas.getContext("2d");
  drawing?.scale(devicePixelRatio, devicePixelRatio);
  return drawing;
}

/** The corner of a cell in pixels. @param {Frame} seen @param {number} query @param {number} key */
const at = ({ left, top, width, height, part: [q0, q1, k0, k1] }, query, key) => ({
  x: left + ((key - k0) / (k1 - k0)) * width,
  y: top + ((query - q0) / (q1 - q0)) * height,
});

/**
 * @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} matrix
 * @param {Uint8ClampedArray} table
 * @param {import("../../draw/raster.js").Range} range
 */
function imageOf(matrix, table, range) {
  const canvas = make("canvas");
  canvas.width = matrix.cols;
  canvas.height = matrix.rows;
  const pixels = /** @type {Uint8ClampedArray<ArrayBuffer>} */ (paint(matrix, table, range));
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, matrix.cols, matrix.rows), 0, 0);
  return canvas;
}

/** @param {CanvasRenderingContext2D} drawing @param {Picture} picture @param {Frame} seen */
function cells(drawing, { matrix, queries, keys, table, range, blocked, colors }, seen) {
  const { left, top, width, height } = seen;
  drawing.imageSmoothingEnabled = false;
  const part = within(seen.part, matrix, queries.length, keys.length);
  const fine = shrink(
    cut(matrix, part.cells),
    Math.ceil(height * devicePixelRatio),
    Math.ceil(width * devicePixelRatio),
  );
  const [down, across] = [fine.rows / part.rows, fine.cols / part.cols];
  const source = /** @type {const} */ ([
    part.x * across,
    part.y * down,
    part.width * across,
    part.height * down,
  ]);
  drawing.drawImage(imageOf(fine, table, range), ...source, left, top, width, height);
  const own = within(seen.part, blocked, queries.length, keys.length);
  const hatching = hatchCanvas(
    cut(blocked, own.cells),
    { width, height },
    colors.hatch,
    devicePixelRatio,
  );
  if (hatching) drawing.drawImage(hatching, left, top, width, height);
}

/**
 * The cells of a matrix within a part; pooled cells may be cut.
 * @param {Part} part in tokens
 * @param {{rows: number, cols: number}} matrix
 * @param {number} queries
 * @param {number} keys
 */
function within([q0, q1, k0, k1], matrix, queries, keys) {
  const [high, wide] = [matrix.rows / queries, matrix.cols / keys];
  const cells = /** @type {Part} */ ([
    Math.floor(q0 * high),
    Math.ceil(q1 * high),
    Math.floor(k0 * wide),
    Math.ceil(k1 * wide),
  ]);
  return {
    cells,
    rows: cells[1] - cells[0],
    cols: cells[3] - cells[2],
    x: k0 * wide - cells[2],
    y: q0 * high - cells[0],
    width: (k1 - k0) * wide,
    height: (q1 - q0) * high,
  };
}

/**
 * Draw the veil over what the filter leaves out, and the start of the second segment.
 * @param {CanvasRenderingContext2D} drawing
 * @param {Picture} picture
 * @param {Frame} seen
 */
function over(drawing, { over: { boxes, lines }, colors, paper }, seen) {
  drawing.save();
  drawing.beginPath();
  drawing.rect(seen.left, seen.top, seen.width, seen.height);
  drawing.clip();
  /** @param {Box} box @param {number} more on each side, in pixels */
  const fill = ({ x0, x1, y0, y1 }, more) => {
    const [start, stop] = [at(seen, y0 + 0.5, x0 + 0.5), at(seen, y1 + 0.5, x1 + 0.5)];
    const size = [stop.x - start.x + 2 * more, stop.y - start.y + 2 * more];
    drawing.fillRect(start.x - more, start.y - more, size[0], size[1]);
  };
  drawing.fillStyle = colors.veil;
  for (const box of boxes) fill(box, 0);
  // a light line under the dark one, visible on any cell
  for (const [color, more] of /** @type {const} */ ([
    [paper.panel, 2],
    [paper.ink, 0.75],
  ])) {
    drawing.fillStyle = color;
    for (const line of lines) fill(line, more);
  }
  drawing.restore();
}

/**
 * The tokens along both axes, as many as fit.
 * @param {CanvasRenderingContext2D} drawing
 * @param {Picture} picture
 * @param {Frame} seen
 */
function labels(drawing, { queries, keys, texts, paper }, seen) {
  const { left, top, width, height, part } = seen;
  const [q0, q1, k0, k1] = part;
  drawing.font = `${SIZE}px ${paper.font}`;
  drawing.textBaseline = "middle";
  drawing.fillStyle = paper.ink;
  drawing.textAlign = "right";
  for (const place of ticks(queries.slice(q0, q1), height).tickvals) {
    const box = boxIn(seen, q0 + place, k0);
    if (box)
      drawing.fillText(shorten(queries[q0 + place], LABEL), left - 5, box.y + box.height / 2);
  }
  drawing.textAlign = "left";
  for (const place of ticks(keys.slice(k0, k1), width).tickvals) {
    const box = boxIn(seen, q0, k0 + place);
    if (!box) continue;
    drawing.save();
    drawing.translate(box.x + box.width / 2, top - 6);
    drawing.rotate(TURN);
    drawing.fillText(shorten(keys[k0 + place], LABEL), 0, 0);
    drawing.restore();
  }
  drawing.fillStyle = paper.faint;
  drawing.textAlign = "left";
  drawing.fillText(`${texts.key}keys →`, left, 8);
  drawing.translate(8, top);
  drawing.rotate(-Math.PI / 2);
  drawing.textAlign = "right";
  drawing.fillText(`← ${texts.query}queries`, 0, 0);
}
