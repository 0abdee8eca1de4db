// A matrix as a plotly figure: pure data, no DOM.

import { reach } from "../numbers/matrix.js";
import { plain, shorten } from "../words/format.js";
import { plotlyScale } from "./color.js";

const LABEL = 12; // characters of a token on an axis
const LABEL_ROOM = 0.24; // share of the width, for labels between two parts
const LABEL_HEIGHT = 15; // pixels that a tick label needs

// invisible ticks, which keep the labels away from the cells
const TICKS = { ticks: "outside", ticklen: 4, tickcolor: "transparent" };

/** @typedef {{ink: string, faint: string, line: string, panel: string, font: string}} Paper */

/**
 * Every tick, or every second, third, … if they would overlap.
 * @param {string[]} labels
 * @param {number} pixels length of the axis
 */
export function ticks(labels, pixels) {
  const step = Math.max(1, Math.ceil((labels.length * LABEL_HEIGHT) / Math.max(pixels, 1)));
  const tickvals = labels.map((_, place) => place).filter((place) => place % step === 0);
  return { tickvals, ticktext: tickvals.map((place) => plain(shorten(labels[place], LABEL))) };
}

/**
 * The ticks of a part of an axis.
 * @param {string[]} labels
 * @param {number} pixels
 * @param {[start: number, stop: number]} part
 */
function ticksIn(labels, pixels, [start, stop]) {
  const { tickvals, ticktext } = ticks(labels.slice(start, stop), pixels);
  return { tickvals: tickvals.map((place) => start + place), ticktext };
}

/**
 * How the axes of a head change with the visible part, in the format of plotly's relayout.
 * @param {{queries: string[], keys: string[], part: import("./viewport.js").Part, size: {width: number, height: number}}} options
 */
export function axesOf({ queries, keys, part: [q0, q1, k0, k1], size }) {
  const along = ticksIn(keys, size.width, [k0, k1]);
  const down = ticksIn(queries, size.height, [q0, q1]);
  return {
    "xaxis.range": [k0 - 0.5, k1 - 0.5],
    "xaxis.tickvals": along.tickvals,
    "xaxis.ticktext": along.ticktext,
    "yaxis.range": [q1 - 0.5, q0 - 0.5],
    "yaxis.tickvals": down.tickvals,
    "yaxis.ticktext": down.ticktext,
  };
}

/**
 * A flat matrix as a list of rows, for plotly.
 * @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} matrix
 */
export function rowsOf({ rows, cols, data }) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from(data.subarray(row * cols, (row + 1) * cols)),
  );
}

/**
 * One head, with queries down and keys along the top.
 * @param {object} options
 * @param {{rows: number, cols: number, data: Float32Array}} options.matrix
 * @param {string[]} options.queries
 * @param {string[]} options.keys
 * @param {Uint8ClampedArray} options.table the colour scale
 * @param {import("./raster.js").Range} options.range
 * @param {Paper} options.paper
 * @param {{width: number, height: number}} options.size
 * @param {string | null} options.hatching an image of the blocked cells
 * @param {{query: string, key: string}} options.texts which text each axis is of: "" or "target "
 * @param {import("./viewport.js").Part} [options.part] the visible part; all of it by default
 */
export function headFigure(options) {
  const { matrix, queries, keys, table, range, paper, size, hatching, texts } = options;
  const { rows, cols } = matrix;
  const [q0, q1, k0, k1] = options.part ?? [0, rows, 0, cols];
  const gap = Math.max(rows, cols) <= 48 ? 1 : 0;
  const axis = { showgrid: false, zeroline: false, ...TICKS, title: {} };
  return {
    data: [
      {
        type: "heatmap",
        z: rowsOf(matrix),
        zmin: range.low,
        zmax: range.high,
        colorscale: plotlyScale(table, range.log),
        xgap: gap,
        ygap: gap,
        hoverinfo: "none", // the readout shows the number, with the mask and the score
        showscale: false, // the page has its own colour bar, also for the canvas
      },
    ],
    layout: {
      ...common(paper),
      margin: { l: 84, r: 8, t: 84, b: 8 },
      xaxis: {
        ...axis,
        ...ticksIn(keys, size.width, [k0, k1]),
        side: "top",
        tickangle: -60,
        range: [k0 - 0.5, k1 - 0.5],
        title: { text: `${texts.key}keys →`, font: { size: 11, color: paper.faint }, standoff: 4 },
      },
      yaxis: {
        ...axis,
        ...ticksIn(queries, size.height, [q0, q1]),
        range: [q1 - 0.5, q0 - 0.5],
        title: {
          text: `← ${texts.query}queries`,
          font: { size: 11, color: paper.faint },
          standoff: 4,
        },
      },
      images: hatching
        ? [
            {
              source: hatching,
              xref: "x",
              yref: "y",
              x: -0.5,
              y: -0.5,
              sizex: cols,
              sizey: rows,
              sizing: "stretch",
              layer: "above",
            },
          ]
        : [],
    },
  };
}

/**
 * q, k and v side by side, with tokens down and channels along the top; the colours are symmetric about zero, and the ends of
 * the scale are written below. A part gets an axis of its own if its tokens differ from those of the part before.
 * @param {object} options
 * @param {{name: string, labels: string[], matrix: {rows: number, cols: number, data: Float32Array}}[]} options.parts
 * @param {Uint8ClampedArray} options.table
 * @param {Paper} options.paper
 * @param {number} options.height
 */
export function vectorsFigure({ parts, table, paper, height }) {
  const own = parts.map(({ labels }, place) => place === 0 || labels !== parts[place - 1].labels);
  const room = own.filter(Boolean).length > 1 ? LABEL_ROOM : 0; // the first axis is in the margin
  const width = (1 - room) / parts.length;
  let [shared, taken] = ["", 0];
  /** @type {Record<string, any>} */
  const layout = { ...common(paper), margin: { l: 84, r: 8, t: 34, b: 22 }, annotations: [] };
  const data = parts.map(({ name, matrix, labels }, place) => {
    const id = place === 0 ? "" : String(place + 1);
    if (own[place]) shared = id;
    if (own[place] && place > 0) taken = room;
    const start = taken + place * width;
    const most = reach(matrix.data); // a scale for each part: v is often much smaller than q and k
    const quiet = { showgrid: false, zeroline: false, ticks: "", showticklabels: false };
    layout[`xaxis${id}`] = {
      ...quiet,
      domain: [start + (place ? 0.02 : 0), start + width - 0.005],
      anchor: `y${id}`,
      range: [-0.5, matrix.cols - 0.5],
      title: {
        text: `±${most.toPrecision(2)}`,
        font: { size: 11, color: paper.faint },
        standoff: 2,
      },
    };
    layout[`yaxis${id}`] = {
      ...quiet,
      ...(own[place] ? { ...TICKS, ...ticks(labels, height - 56), showticklabels: true } : {}),
      anchor: `x${id}`,
      range: [matrix.rows - 0.5, -0.5],
      ...(own[place] ? {} : { matches: `y${shared}` }),
    };
    layout.annotations.push({
      text: `<b>${name}</b>`,
      showarrow: false,
      xref: `x${id} domain`,
      yref: "paper",
      x: 0.5,
      y: 1,
      yanchor: "bottom",
      font: { size: 13, color: paper.ink },
    });
    return {
      type: "heatmap",
      name,
      z: rowsOf(matrix),
      zmin: -most,
      zmax: most,
      colorscale: plotlyScale(table),
      showscale: false, // the ends are written below
      hoverinfo: "none",
      xaxis: `x${id}`,
      yaxis: `y${id}`,
    };
  });
  return { data, layout };
}

/** @param {Paper} paper */
function common(paper) {
  return {
    paper_bgcolor: "transparent",
    plot_bgcolor: paper.panel,
    font: { family: paper.font, size: 12, color: paper.ink },
    dragmode: "zoom",
    hovermode: "closest",
    autosize: true,
  };
}
