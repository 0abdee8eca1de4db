// The selected head: a plotly heatmap with exact values; on canvas until plotly is there, and past 512 tokens.

import { headFigure, vectorsFigure } from "../render/figure.js";
import { KINDS, rangeOf } from "../render/matrices.js";
import { boundaryLines, boxesOutside } from "../render/segments.js";
import { blockedIn, detailOf } from "./detail.js";
import { download, need } from "./dom.js";
import { hatchImage } from "./hatching.js";
import { palette } from "./palette.js";
import { clearWhole, drawWhole, wholeAsPng } from "./whole.js";

/** @typedef {import("../store.js").Store} Store */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */

const PLOTLY_LIMIT = 512; // tokens: past this a canvas is quicker than plotly's own cells
const LEAST = 160; // pixels: plotly throws where its margins leave no room, and does not recover
const CONFIG = { displayModeBar: false, responsive: false, typesetMath: false }; // we watch the size ourselves

/**
 * @param {Store} store
 * @param {{onCell: (cell: [number, number] | null) => void, onVector: (cell: {name: string, token: number, channel: number} | null) => void}} listeners
 *   what is under the pointer
 */
export function head(store, { onCell, onVector }) {
  const plot = need("#plot", HTMLElement);
  const vectors = need("#vectors", HTMLElement);
  const svg = need('[data-export="svg"]', HTMLButtonElement);
  /** @type {any} */
  let plotly = null;
  let drawn = Promise.resolve();
  let veiled = store.state.segments; // as the canvas shows it
  /** @type {WeakSet<HTMLElement>} */
  const heard = new WeakSet();

  const draw = () => {
    const detail = detailOf(store.state);
    if (detail) drawn = drawn.then(() => picture(detail)).catch(report);
  };

  /** @param {Detail} detail */
  const picture = async (detail) => {
    const { matrix: shown, scheme } = store.state;
    const colors = palette(scheme);
    const matrix = detail[shown];
    if (!matrix) return; // on its way: the last picture stays
    if (Math.min(plot.clientWidth, plot.clientHeight) < LEAST) return; // there is no room for one
    const look = {
      table: shown === "scores" ? colors.diverging : colors.sequential,
      range: rangeOf(shown, matrix),
      unit: KINDS[shown].unit,
    };
    const blocked = blockedIn(detail, shown);
    vectors.hidden = shown === "rollout" || !detail.vectors; // q, k and v are of one head
    const over = {
      boxes: boxesOutside(detail.block, matrix.rows, matrix.cols),
      lines: boundaryLines(detail.queries, detail.keys),
    };
    if (!plotly || Math.max(matrix.rows, matrix.cols) > PLOTLY_LIMIT) {
      if (heard.delete(plot)) plotly.purge(plot);
      const cell = Math.min(plot.clientWidth / matrix.cols, plot.clientHeight / matrix.rows);
      const size = { width: cell * matrix.cols, height: cell * matrix.rows };
      const hatching = hatchImage(blocked, size, colors.hatch);
      const colorsOver = { veil: colors.veil, line: colors.paper.ink, ground: colors.paper.panel };
      drawWhole(plot, { matrix, ...look, hatching, over, colors: colorsOver }, onCell);
      svg.disabled = true;
    } else {
      clearWhole(plot);
      svg.disabled = false;
      const size = { width: plot.clientWidth - 150, height: plot.clientHeight - 92 };
      const hatching = hatchImage(blocked, size, colors.hatch);
      const figure = headFigure({
        matrix,
        queries: detail.queryLabels,
        keys: detail.keyLabels,
        ...look,
        paper: colors.paper,
        size,
        hatching,
        texts: textsOf(detail),
      });
      const uirevision = `${detail.site.kind} ${matrix.rows} ${matrix.cols}`; // what a zoom outlives
      const layout = { ...figure.layout, shapes: shapes(detail), uirevision };
      await plotly.react(plot, figure.data, layout, CONFIG);
      listen(
        plot,
        ({ x, y }) => onCell([y, x]),
        () => onCell(null),
      );
    }
    await drawVectors(detail, colors);
  };

  /** @param {Detail} detail @param {ReturnType<typeof palette>} colors */
  const drawVectors = async (detail, colors) => {
    if (!plotly || vectors.hidden || !detail.vectors) return;
    const { q, k, v } = detail.vectors;
    const keys = detail.site.kind === "cross" ? detail.keyLabels : detail.queryLabels;
    const parts = [
      { name: "q", matrix: q, labels: detail.queryLabels },
      { name: "k", matrix: k, labels: keys },
      { name: "v", matrix: v, labels: keys },
    ];
    const figure = vectorsFigure({
      parts,
      table: colors.diverging,
      paper: colors.paper,
      height: vectors.clientHeight,
    });
    await plotly.react(vectors, figure.data, figure.layout, CONFIG);
    listen(
      vectors,
      ({ x, y, data }) => onVector({ name: data.name, token: y, channel: x }),
      () => onVector(null),
    );
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
      const x = hover.place; // of the other text: a column
      const line = { color: accent, width: 0.75 };
      bands.push({ type: "rect", x0: x - 0.5, x1: x + 0.5, y0: -0.5, y1: bottom, line });
    }
    const lines = boundaryLines(queries, keys);
    return [
      ...boxesOutside(block, queries.length, keys.length).map((box) => ({
        ...{ name: "outside", type: "rect", ...box, fillcolor: veil, line: { width: 0 } },
      })),
      // a light line under the dark one: it is seen on any cell
      ...[paper.panel, paper.ink].flatMap((color, place) =>
        lines.map((box) => ({
          ...{ name: "boundary", type: "line", ...box, line: { color, width: place ? 1.5 : 4 } },
        })),
      ),
      ...bands,
    ];
  };

  /**
   * plotly's events, subscribed once an element.
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
        enter(points[0]); // a finger points only by tapping
      });
    }
  };

  store.watch(["detail", "shown", "matrix", "scheme", "view"], () => {
    if (store.state.view === "heatmap") draw(); // another view stands there
  });
  store.watch(["hover", "query", "segments"], ({ segments }) => {
    const detail = detailOf(store.state);
    if (!detail) return;
    if (plotly && heard.has(plot)) plotly.relayout(plot, { shapes: shapes(detail) });
    else if (segments !== veiled) draw();
    veiled = segments;
  });
  new ResizeObserver(draw).observe(plot);

  return {
    /** Resolves when what is selected now has been drawn. */
    drawn: () => drawn,
    /** @param {any} library */
    usePlotly: (library) => {
      plotly = library;
      draw();
    },
    /** @param {"png" | "svg"} format @param {string} filename */
    save: (format, filename) => {
      if (heard.has(plot)) {
        plotly.downloadImage(plot, { format, filename, scale: format === "png" ? 2 : 1 });
      } else {
        download(wholeAsPng(plot), `${filename}.png`); // a canvas has no SVG to give
      }
    },
  };
}

/** Which text each axis is of, where they are two. @param {Detail} detail */
const textsOf = ({ site }) =>
  site.kind === "cross" ? { query: "target ", key: "source " } : { query: "", key: "" };

/** @param {unknown} error */
function report(error) {
  console.error("The head could not be drawn:", error);
}
