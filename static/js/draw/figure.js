// The cells of a matrix as a plotly figure: pure data, no DOM. Its axes are drawn by the canvas below it.

import { plotlyScale } from "./color.js";
import { BOUNDARY } from "./overlays.js";

/** @typedef {{ink: string, faint: string, line: string, panel: string, font: string}} Paper */
/** @import { Layout } from "./axes.js" */

/** The visible part in plotly's format. @param {Layout} layout */
function rangesOf({ frame: { part } }) {
  const [q0, q1, k0, k1] = part;
  return { xaxis: [k0 - 0.5, k1 - 0.5], yaxis: [q1 - 0.5, q0 - 0.5] };
}

/** How the axes change with the visible part, in the format of plotly's relayout. @param {Layout} layout */
export function axesChange(layout) {
  const { xaxis, yaxis } = rangesOf(layout);
  return { "xaxis.range": xaxis, "yaxis.range": yaxis };
}

/**
 * What lies over the cells, as plotly's shapes, which follow every zoom.
 * @param {import("./overlays.js").Overlay} overlay
 * @param {{veil: string, paper: Paper}} colors
 */
export const shapesOf = ({ veils, lines }, { veil, paper }) => [
  ...veils.map((box) => ({
    name: "outside",
    type: "rect",
    ...box,
    fillcolor: veil,
    line: { width: 0 },
  })),
  ...BOUNDARY.flatMap(({ ink, width }) =>
    lines.map((box) => ({
      name: "boundary",
      type: "line",
      ...box,
      line: { color: paper[ink], width },
    })),
  ),
];

/**
 * A flat matrix as a list of rows, for plotly.
 * @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} matrix
 */
export function rowsOf({ rows, cols, data }) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from(data.subarray(row * cols, (row + 1) * cols)),
  );
}

const MAX_WITH_GAPS = 48; // tokens: more cells stand without gaps

/** Pixels between two cells. @param {{rows: number, cols: number}} matrix */
export const gapOf = ({ rows, cols }) => (Math.max(rows, cols) <= MAX_WITH_GAPS ? 1 : 0);

/**
 * One head, with queries down and keys along the top.
 * @param {object} options
 * @param {{rows: number, cols: number, data: Float32Array}} options.matrix
 * @param {Layout} options.layout
 * @param {Uint8ClampedArray} options.table the colour scale
 * @param {import("./raster.js").Range} options.range
 * @param {Paper} options.paper
 * @param {{width: number, height: number}} options.box in which the layout is
 * @param {string | null} options.hatching an image of the blocked cells
 */
export function headFigure({ matrix, layout, box, table, range, paper, hatching }) {
  const { rows, cols } = matrix;
  const gap = gapOf(matrix);
  const { left, top, width, height } = layout.frame;
  const { xaxis, yaxis } = rangesOf(layout);
  // the canvas below has the labels, and no marks
  const axis = { showgrid: false, zeroline: false, showticklabels: false, ticks: "" };
  return {
    data: [
      {
        type: "heatmap",
        z: rowsOf(matrix),
        zmin: range.low,
        zmax: range.high,
        colorscale: plotlyScale(table, range.steps),
        xgap: gap,
        ygap: gap,
        hoverinfo: "none", // the readout shows the number, with the mask and the score
        showscale: false, // the page has its own colour bar, also for the canvas
      },
    ],
    layout: {
      ...common(paper),
      margin: {
        l: left,
        r: box.width - left - width,
        t: top,
        b: box.height - top - height,
        pad: 0,
      },
      xaxis: { ...axis, range: xaxis, side: "top" },
      yaxis: { ...axis, range: yaxis },
      images: hatching
        ? [
            {
              source: hatching,
              layer: "above",
              sizing: "stretch",
              xref: "x",
              yref: "y",
              x: -0.5,
              y: -0.5,
              sizex: cols,
              sizey: rows,
            },
          ]
        : [],
    },
  };
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
