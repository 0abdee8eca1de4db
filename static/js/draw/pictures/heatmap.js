// The selected head as a saved picture: what the page shows of it, with axes and a legend.

import { cut } from "../../numbers/matrix.js";
import { layoutIn, sizeFor } from "../axes.js";
import { heatmapMarks, plotOf } from "../heatmap.js";
import { hatchLegend } from "../legends/legend.js";
import { partOf } from "../viewport.js";

const SIDE = 620; // pixels: the longer side of the matrix
const [SMALLEST, LARGEST] = [0.25, 34]; // pixels per cell
const MIN_WIDTH = 480; // pixels, for the legend

/**
 * @param {object} options
 * @param {import("../heatmap.js").Matrix} options.matrix
 * @param {import("../heatmap.js").Blocked} options.blocked
 * @param {import("../axes.js").Labels} options.labels
 * @param {import("../overlays.js").Overlay} options.overlay
 * @param {import("../viewport.js").Part | null} options.zoom the visible part
 * @param {Uint8ClampedArray} options.table
 * @param {import("../raster.js").Range} options.range
 * @param {string} options.unit
 * @param {import("../../words/axes.js").AxisTitles} options.titles
 * @param {import("../figure.js").Paper} options.paper
 * @param {string} options.hatch
 * @returns {import("./frame.js").Body}
 */
export function headBody({ zoom, ...picture }) {
  const { matrix, labels, paper, hatch } = picture;
  const part = partOf(zoom, matrix.rows, matrix.cols);
  const longer = Math.max(part[1] - part[0], part[3] - part[2]);
  const cell = Math.max(SMALLEST, Math.min(LARGEST, SIDE / longer));
  const size = sizeFor(labels, cell, part);
  const layout = layoutIn({ x: 0, y: 0, ...size }, labels, { cell, part });
  const { x, y, height } = plotOf(layout);
  const bottom = y + height + 10;
  const width = Math.max(size.width, MIN_WIDTH);
  const blocked = cut(picture.blocked, part);
  const legend = hatchLegend({ blocked, x, y: bottom, width: width - x, paper, hatch });
  return {
    width,
    height: bottom + legend.height,
    marks: [...heatmapMarks({ ...picture, layout }), ...legend.marks],
  };
}
