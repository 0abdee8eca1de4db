// The heatmap on paper: with its numbers, and with the row that is read.

import { layoutInText } from "../../draw/axes.js";
import { cellNumbers } from "../../draw/cellnumbers.js";
import { heatmapMarks, plotOf } from "../../draw/heatmap.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { seenOf } from "../../numbers/units.js";
import { pictureOf } from "./picture.js";
import { titleOf } from "./words.js";

const WIDTH = 560; // pixels

/**
 * @param {Readonly<import("../../types.d.ts").State>} now
 * @param {import("../../draw/pictures/look.js").Look} [look]
 * @returns {import("../../draw/scene.js").Scene | null} null if there is no picture yet
 */
export function paperScene(now, { scheme, width = WIDTH } = LIGHT) {
  const { state, detail } = seenOf(now);
  const picture = detail && pictureOf(state, detail, scheme);
  if (!picture) return null;
  const { matrix, blocked, labels, paper, unit } = picture;
  const { layout, scale, height } = layoutInText(width, labels);
  const marks = [
    ...heatmapMarks({ ...picture, layout, unit: scale ? unit : undefined, row: detail.row }),
    ...cellNumbers(matrix, blocked, plotOf(layout), picture),
  ];
  const { font, panel: ground } = paper;
  return { width, height, font, ground, title: titleOf(state, detail), marks };
}
