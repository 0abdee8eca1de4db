// The selected head as a saved picture: what the page shows of it, with axes and a legend.

import { cut } from "../../numbers/matrix.js";
import { layoutIn, sizeFor } from "../axes.js";
import { cellNumbers } from "../cellnumbers.js";
import { heatmapMarks, plotOf } from "../heatmap.js";
import { hatchLegend } from "../legends/legend.js";
import { partOf } from "../viewport.js";

/** @import { Labels, Layout } from "../axes.js" */
/** @import { Part } from "../viewport.js" */

const SIDE = 620; // pixels: the longer side of the matrix
const [SMALLEST, LARGEST] = [0.25, 34]; // pixels per cell
const BAR = 50; // pixels: the least height of a colour bar with its name
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
 * @param {{width: number, height?: number} | null} [options.room] in pixels; by default, cells have their usual size
 * @param {boolean} [options.bar] whether there is a colour bar
 * @param {boolean} [options.numbers] whether cells have their numbers, where they fit
 * @param {boolean} [options.percent] whether these are whole per cents
 * @param {number} [options.row] a query to mark
 * @returns {import("./frame.js").Body}
 */
export function headBody({ zoom, room = null, bar = true, numbers = false, ...picture }) {
  const { labels, paper, hatch, unit } = picture;
  const part = partOf(zoom, picture.matrix.rows, picture.matrix.cols);
  const blocked = cut(picture.blocked, part);
  /** The legend below the cells. @param {Layout} layout @param {number} width */
  const legendOf = (layout, width) => {
    const { x, y, height } = plotOf(layout);
    const bottom = y + Math.max(height, bar ? BAR : 0) + 10;
    return { ...hatchLegend({ blocked, x, y: bottom, width: width - x, paper, hatch }), bottom };
  };
  const { layout, width } = room ? roomy(labels, part, room, bar, legendOf) : usual(labels, part);
  const { marks, height, bottom } = legendOf(layout, width);
  const values = () => cellNumbers(cut(picture.matrix, part), blocked, plotOf(layout), picture);
  return {
    width,
    height: bottom + height,
    marks: [
      ...heatmapMarks({ ...picture, layout, unit: bar ? unit : undefined }),
      ...(numbers ? values() : []),
      ...marks,
    ],
  };
}

/** @param {Labels} labels @param {Part} part */
function usual(labels, part) {
  const longer = Math.max(part[1] - part[0], part[3] - part[2]);
  const cell = Math.max(SMALLEST, Math.min(LARGEST, SIDE / longer));
  const size = sizeFor(labels, cell, part);
  const layout = layoutIn({ x: 0, y: 0, ...size }, labels, { cell, part });
  return { layout, width: Math.max(size.width, MIN_WIDTH) };
}

/**
 * Square cells, as large as the width lets them be; or cells that fill a height, too.
 * @param {Labels} labels
 * @param {Part} part
 * @param {{width: number, height?: number}} room
 * @param {boolean} scale whether there is a colour bar
 * @param {(layout: Layout, width: number) => {height: number}} legendOf
 */
function roomy(labels, part, { width, height }, scale, legendOf) {
  const [rows, cols] = [part[1] - part[0], part[3] - part[2]];
  /** @param {number} high @param {number} [cell] */
  const within = (high, cell) =>
    layoutIn({ x: 0, y: 0, width, height: Math.max(1, high) }, labels, { scale, part, cell });
  const tall = (width * rows) / cols + 2 * width; // more than square cells need
  const free = within(tall);
  if (height === undefined) return { layout: within(tall, free.frame.width / cols), width };
  return { layout: within(height - legendOf(free, width).height - 4), width };
}
