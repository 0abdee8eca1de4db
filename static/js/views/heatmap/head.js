// The selected head: a plotly heatmap with exact values; on a canvas until plotly has loaded, and for long texts.

import { need } from "../../dom/dom.js";
import { hatchImage } from "../../dom/hatching.js";
import { palette } from "../../dom/palette.js";
import { axesOf, headFigure, vectorsFigure } from "../../draw/figure.js";
import { boxIn, cellIn, partOf, zoomOf } from "../../draw/viewport.js";
import { blockedIn, detailOf } from "../../numbers/detail.js";
import { rangeOf } from "../../numbers/matrices.js";
import { boundaryLines, boxesOutside } from "../../numbers/segments.js";
import { isOfHead } from "../../state/matrices.js";
import { wholeView } from "./whole.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */

const PLOTLY_LIMIT = 128; // tokens: with more, plotly takes over a tenth of a second per picture
const HIDDEN = 100; // ms to wait for a frame that may never come
const MIN_WIDTH = 160; // pixels: plotly throws if its margins leave no room, and does not recover
const CONFIG = { doubleClick: false, displayModeBar: false, responsive: false, typesetMath: false }; // we watch the size ourselves

const ignore = () => {};

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {import("../view.js").Page} page
 */
export function head(root, store, { onCell = ignore, onVector = ignore, onVectors = ignore }) {
  const plot = need(".plot", HTMLElement, root);
  const vectors = need(".vectors", HTMLElement, root);
  /** @type {any} */
  let plotly = null;
  let drawn = Promise.resolve();
  let turn = 0; // only the newest picture is drawn
  /** What q, k and v are drawn of. @type {{of: ArrayBufferLike | null, look: string}} */
  let drawnOf = { of: null, look: "" };
  let veiled = store.state.segments; // the block that the canvas shows
  let seen = false; // whether the vectors are in the window
  /** @type {WeakSet<HTMLElement>} */
  const heard = new WeakSet();

  const whole = wholeView(plot, {
    onCell,
    onQuery: (query) => store.update({ query }),
    onZoom: (zoom) => {
      if (String(zoom) !== String(store.state.zoom)) store.update({ zoom });
    },
  });

  const draw = () => {
    turn += 1;
    const mine = turn;
    if (!detailOf(store.state)) return;
    drawn = drawn.then(() => picture(() => mine === turn)).catch(report);
  };

  /** @param {() => boolean} wanted whether no newer picture is needed */
  const picture = async (wanted) => {
    const detail = detailOf(store.state);
    const { matrix: shown, scheme, log, zoom } = store.state;
    const matrix = shown === "pattern" ? detail?.picture : detail?.[shown];
    if (!wanted() || !detail || !matrix) return; // still loading: keep the last picture
    if (Math.min(plot.clientWidth, plot.clientHeight) < MIN_WIDTH) return; // not enough room
    const colors = palette(scheme);
    const size = { rows: detail.queries.length, cols: detail.keys.length };
    const look = {
      matrix,
      table: shown === "scores" ? colors.diverging : colors.sequential,
      range: rangeOf(shown, matrix, log),
      queries: detail.queryLabels,
      keys: detail.keyLabels,
      paper: colors.paper,
      texts: textsOf(detail),
    };
    const blocked = blockedIn(detail, shown);
    if (!plotly || isLarge(detail)) {
      if (heard.delete(plot)) plotly.purge(plot);
      const over = {
        boxes: boxesOutside(detail.block, size.rows, size.cols),
        lines: boundaryLines(detail.queries, detail.keys),
      };
      whole.draw({ ...look, blocked, over, colors, zoom }, marks(detail));
    } else {
      await afterFrame(); // let the canvas appear first
      if (!wanted()) return;
      whole.clear();
      const room = { width: plot.clientWidth - 92, height: plot.clientHeight - 92 };
      const hatching = hatchImage(blocked, room, colors.hatch);
      const part = partOf(zoom, size.rows, size.cols);
      const figure = headFigure({ ...look, part, size: room, hatching });
      await plotly.react(plot, figure.data, { ...figure.layout, shapes: shapes(detail) }, CONFIG);
      listen(
        plot,
        ({ x, y }) => onCell([y, x]),
        () => onCell(null),
      );
    }
    await drawVectors(wanted);
  };

  /** Draw q, k and v; for a long text only once they are in the window. @param {() => boolean} wanted */
  const drawVectors = async (wanted) => {
    const { matrix, scheme, status } = store.state;
    const detail = detailOf(store.state);
    if (!detail) return;
    const lacking = !detail.vectors && detail.exact === "all";
    vectors.hidden = !isOfHead(matrix) || lacking || detail.pooled !== null; // they belong to one head
    vectors.classList.toggle("waiting", !detail.vectors);
    if (!plotly || vectors.hidden) return;
    if (!detail.vectors) {
      if (seen && status === "ready") onVectors();
      return;
    }
    if (isLarge(detail) && !seen) return;
    const { q, k, v } = detail.vectors;
    const look = [scheme, vectors.clientWidth, vectors.clientHeight].join(" ");
    if (drawnOf.of === q.data.buffer && drawnOf.look === look) return;
    if (isLarge(detail)) await afterFrame();
    if (!wanted()) return;
    drawnOf = { of: q.data.buffer, look };
    const { paper, diverging: table } = palette(scheme);
    const keys = detail.site.kind === "cross" ? detail.keyLabels : detail.queryLabels;
    const parts = [
      { name: "q", matrix: q, labels: detail.queryLabels },
      { name: "k", matrix: k, labels: keys },
      { name: "v", matrix: v, labels: keys },
    ];
    const figure = vectorsFigure({ parts, table, paper, height: vectors.clientHeight });
    await plotly.react(vectors, figure.data, figure.layout, CONFIG);
    listen(
      vectors,
      ({ x, y, data }) => onVector({ name: data.name, token: y, channel: x }),
      () => onVector(null),
    );
  };

  /** The current row, and the token under the pointer in another view. @param {Detail} detail */
  const marks = ({ row, site }) => {
    const { hover } = store.state;
    const { query_tokens, key_tokens } = site;
    const isKey = hover?.axis === key_tokens && key_tokens !== query_tokens; // of the other text
    return {
      row,
      query: hover?.axis === query_tokens ? hover.place : null,
      key: isKey ? hover.place : null,
    };
  };

  /**
   * What lies over the cells, in their coordinates, so that it follows every zoom: the row that is read, the token under the
   * pointer, where the second segment begins, and a veil over what the filter leaves out.
   * @param {Detail} detail
   */
  const shapes = ({ row, site, queries, keys, block }) => {
    const { accent, veil, paper } = palette(store.state.scheme);
    const { hover } = store.state;
    const [right, bottom] = [keys.length - 0.5, queries.length - 0.5];
    /** @param {number} y @param {number} width */
    const band = (y, width) => ({
      ...{ type: "rect", x0: -0.5, x1: right, y0: y - 0.5, y1: y + 0.5 },
      line: { color: accent, width },
    });
    const bands = [band(row, 1.5)];
    if (hover?.axis === site.query_tokens && hover.place !== row) {
      bands.push(band(hover.place, 0.75));
    } else if (hover && hover.axis !== site.query_tokens && hover.axis === site.key_tokens) {
      const x = hover.place; // from the other text: a column
      const line = { color: accent, width: 0.75 };
      bands.push({ type: "rect", x0: x - 0.5, x1: x + 0.5, y0: -0.5, y1: bottom, line });
    }
    const lines = boundaryLines(queries, keys);
    return [
      ...boxesOutside(block, queries.length, keys.length).map((box) => ({
        ...{ name: "outside", type: "rect", ...box, fillcolor: veil, line: { width: 0 } },
      })),
      // a light line under the dark one, visible on any cell
      ...[paper.panel, paper.ink].flatMap((color, place) =>
        lines.map((box) => ({
          ...{ name: "boundary", type: "line", ...box, line: { color, width: place ? 1.5 : 4 } },
        })),
      ),
      ...bands,
    ];
  };

  /**
   * Subscribe to plotly's events, once per element.
   * @param {HTMLElement} element
   * @param {(point: any) => void} enter
   * @param {() => void} leave
   */
  const listen = (element, enter, leave) => {
    if (heard.has(element)) return;
    heard.add(element);
    const graph = /** @type {any} */ (element);
    graph.on("plotly_hover", (/** @type {any} */ { points }) => enter(points[0]));
    graph.on("plotly_unhover", leave);
    if (element === plot) {
      graph.on("plotly_click", (/** @type {any} */ { points }) => {
        store.update({ query: points[0].y });
        enter(points[0]); // a finger points by tapping
      });
      graph.on("plotly_relayout", (/** @type {object} */ changes) => {
        const detail = detailOf(store.state);
        const part = frame()?.part;
        if (!detail || !part || !turnsAxes(changes)) return;
        const zoom = zoomOf(part, detail.queries.length, detail.keys.length);
        if (String(zoom) !== String(store.state.zoom)) store.update({ zoom });
        else zoomPlotly(); // back to whole cells
      });
      graph.on("plotly_doubleclick", () => store.update({ zoom: null }));
    }
  };

  store.watch(["detail", "shown", "matrix", "scheme", "scale", "log", "view"], () => {
    if (store.state.view === "heatmap") draw(); // another view is open
  });
  store.watch(["hover", "query", "segments"], () => {
    const detail = detailOf(store.state);
    if (!detail || store.state.view !== "heatmap") return; // it is redrawn when it is opened again
    if (plotly && heard.has(plot)) plotly.relayout(plot, { shapes: shapes(detail) });
    else if (store.state.segments === veiled) whole.mark(marks(detail));
    else draw();
    veiled = store.state.segments;
  });
  store.watch(["status"], ({ status }) => {
    if (status === "ready" && seen) drawVectors(() => true);
  });
  new IntersectionObserver((entries) => {
    seen = entries[entries.length - 1].isIntersecting;
    if (seen) drawVectors(() => true);
  }).observe(vectors);
  const resized = new ResizeObserver(() => {
    if (store.state.view === "heatmap") draw();
  });
  resized.observe(plot);
  resized.observe(vectors);

  /** The visible part of the matrix and its position; null if there is none. @returns {import("../../draw/viewport.js").Frame | null} */
  const frame = () => {
    if (!heard.has(plot)) return whole.frame();
    const { xaxis, yaxis } = /** @type {any} */ (plot)._fullLayout; // plotly has no public API for it
    const { left, top } = plot.getBoundingClientRect();
    const edges = [...[...yaxis.range].reverse(), ...xaxis.range].map((edge) => Number(edge) + 0.5);
    return {
      ...{ left: left + xaxis._offset, top: top + yaxis._offset },
      ...{ width: xaxis._length, height: yaxis._length },
      part: /** @type {import("../../draw/viewport.js").Part} */ (edges),
    };
  };

  /** Apply the zoom of the state to plotly's picture. @returns {boolean} whether there is a picture */
  const zoomPlotly = () => {
    const detail = detailOf(store.state);
    if (!plotly || !heard.has(plot) || !detail || isLarge(detail)) return false;
    const part = partOf(store.state.zoom, detail.queries.length, detail.keys.length);
    const now = frame()?.part;
    const { queryLabels: queries, keyLabels: keys } = detail;
    const size = { width: plot.clientWidth - 92, height: plot.clientHeight - 92 };
    if (String(now) !== String(part)) plotly.relayout(plot, axesOf({ queries, keys, part, size }));
    return true;
  };

  store.watch(["zoom"], () => {
    if (!zoomPlotly()) draw();
  });

  return {
    /**
     * The cell at a point of the window, in plotly's picture or on the canvas.
     * @param {number} clientX
     * @param {number} clientY
     * @returns {[query: number, key: number] | null} null outside the cells
     */
    cellAt: (clientX, clientY) => {
      const seen = frame();
      return seen && cellIn(seen, clientX, clientY);
    },
    /**
     * The visible part of a cell, in the window; null if it is not visible.
     * @param {number} query
     * @param {number} key
     */
    boxOf: (query, key) => {
      const seen = frame();
      return seen && boxIn(seen, query, key);
    },
    /** Resolves once the current selection is drawn. */
    drawn: async () => {
      let last;
      do {
        last = drawn;
        await last;
      } while (last !== drawn);
    },
    /** @param {any} library */
    usePlotly: (library) => {
      plotly = library;
      draw();
    },
  };
}

/** Whether plotly would take too long. @param {Detail} detail */
const isLarge = ({ queries, keys }) => Math.max(queries.length, keys.length) > PLOTLY_LIMIT;

/** Resolves after the next frame; in a hidden window, after a moment. */
const afterFrame = () =>
  Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    new Promise((resolve) => setTimeout(resolve, HIDDEN)),
  ]);

/** Whether plotly reports new axes; changes of the shapes come through the same event. @param {object} changes */
const turnsAxes = (changes) => Object.keys(changes).some((name) => /^[xy]axis\./.test(name));

/** The text of each axis, if there are two texts. @param {Detail} detail */
const textsOf = ({ site }) =>
  site.kind === "cross" ? { query: "target ", key: "source " } : { query: "", key: "" };

/** @param {unknown} error */
function report(error) {
  console.error("The head could not be drawn:", error);
}
