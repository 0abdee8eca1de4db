// The legend of the hatching, as marks of a scene.

import { REASONS } from "../../state/masks.js";
import { blockedBy, reasonsIn } from "../../words/hatch.js";
import { LABEL_SIZE } from "../axes.js";
import { clipped, hatchPath } from "../hatchpath.js";
import { widthOf } from "../textwidth.js";

/** @import { Mark } from "../scene.js" */

/**
 * A legend of the hatching, in lines that wrap.
 * @param {{blocked: import("../heatmap.js").Blocked, x: number, y: number, width: number, paper: import("../figure.js").Paper, hatch: string}} options
 * @returns {{marks: Mark[], height: number}}
 */
export function hatchLegend({ blocked, x, y, width, paper, hatch }) {
  const [line, side] = [18, 12];
  /** @type {Mark[]} */
  const marks = [];
  let [right, down] = [0, 0];
  for (const reason of REASONS.filter((one) => reasonsIn(blocked.data).includes(one))) {
    const text = blockedBy(reason);
    const needed = side + 6 + widthOf(text, LABEL_SIZE) + 16;
    if (right > 0 && right + needed > width) [right, down] = [0, down + line];
    const box = { x: x + right, y: y + down + 3, width: side, height: side };
    const lines = clipped(reason.angle, side / 2, box, { rows: 1, cols: 1 }, () => true);
    marks.push(
      { mark: "path", d: hatchPath(lines, box), stroke: hatch, line: 1 },
      { mark: "rect", ...box, stroke: paper.line, line: 1 },
      {
        mark: "text",
        x: box.x + side + 6,
        y: box.y + side / 2,
        text,
        size: LABEL_SIZE,
        fill: paper.faint,
      },
    );
    right += needed;
  }
  return { marks, height: marks.length > 0 ? down + line : 0 };
}
