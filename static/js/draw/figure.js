// A matrix as a plotly figure: pure data, no DOM.

import { plain } from "../words/format.js";
import { LABEL_SIZE, MARGIN, TURN, ticks } from "./axes.js";
import { plotlyScale } from "./color.js";
import { BOUNDARY } from "./overlays.js";

// the ticks are invisible, and only keep the labels away from the cells
const TICKS = {
  ticks: "outside",
  ticklen: 4,
  tickcolor: "transparent",
  tickfont: { size: LABEL_SIZE },
};

/** @typedef {{ink: string, faint: string, line: string, panel: string, font: string}} Paper */
/** @import { Labels, Layout } from "./axes.js" */

/** An axis in plotly's format, which reads labels as markup. @param {{place: number, text: string}[]} shown */
const ticksFor = (shown) => ({
  tickvals: shown.map(({ place }) => place),
  ticktext: shown.map(({ text }) => plain(text)),
});

/** Both axes of a head. @param {Layout} layout @param {Labels} labels */
function axesOf({ frame, room }, { queries, keys }) {
  const { width, height, part } = frame;
  const [q0, q1, k0, k1] = part;
  return {
    xaxis: { range: [k0 - 0.5, k1 - 0.5], ...ticksFor(ticks(keys, width, [k0, k1], room.keys)) },
    yaxis: {
      range: [q1 - 0.5, q0 - 0.5],
      ...ticksFor(ticks(queries, height, [q0, q1], room.queries)),
    },
  };
}

/**
 * How the axes of a head change with the visible part, in the format of plotly's relayout.
 * @param {Layout} layout
 * @param {Labels} labels
 */
export const axesChange = (layout, labels) =>
  Object.fromEntries(
    Object.entries(axesOf(layout, labels)).flatMap(([axis, changes]) =>
      Object.entries(changes).map(([name, value]) => [`${axis}.${name}`, value]),
    ),
  );

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
 * @param {Labels} options.labels
 * @param {Layout} options.layout
 * @param {Uint8ClampedArray} options.table the colour scale
 * @param {import("./raster.js").Range} options.range
 * @param {Paper} options.paper
 * @param {string | null} options.hatching an image of the blocked cells
 * @param {import("../words/axes.js").AxisTitles} options.titles of the axes
 */
export function headFigure({ matrix, labels, layout, table, range, paper, hatching, titles }) {
  const { rows, cols } = matrix;
  const gap = gapOf(matrix);
  const { xaxis, yaxis } = axesOf(layout, labels);
  // a label that leans out is cut, as on the canvas, and not left out
  const axis = { showgrid: false, zeroline: false, ...TICKS, ticklabeloverflow: "allow" };
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
      margin: { l: MARGIN.left, r: MARGIN.right, t: MARGIN.top, b: MARGIN.bottom },
      xaxis: { ...axis, ...xaxis, side: "top", tickangle: TURN },
      yaxis: { ...axis, ...yaxis },
      annotations: titlesOf(layout, titles, paper),
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

/**
 * The titles of the axes where the canvas has them; plotly's own would move with the longest label.
 * @param {Layout} layout
 * @param {import("../words/axes.js").AxisTitles} titles
 * @param {Paper} paper
 */
function titlesOf({ frame, titles: { x, y } }, titles, paper) {
  const corner = { xref: "paper", yref: "paper", x: 0, y: 1, showarrow: false, borderpad: 0 };
  const font = { size: LABEL_SIZE, color: paper.faint };
  const along = { xanchor: "left", yanchor: "middle", yshift: frame.top - y };
  const down = { textangle: -90, xanchor: "center", yanchor: "top", xshift: x - frame.left };
  return [
    { ...corner, font, ...along, text: titles.key },
    { ...corner, font, ...down, text: titles.query },
  ];
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
