// A picture as it was chosen: the view in its look, its caption, and its size on paper.

import { LABEL_SIZE } from "../../draw/axes.js";
import { captioned } from "../../draw/pictures/frame.js";
import { CLEAR } from "../../draw/scene.js";

/** @import { Scene } from "../../draw/scene.js" */
/** @import { Look } from "../../draw/pictures/look.js" */
/** @import { Choice } from "./options.js" */

export const INCH = 2.54; // cm
const POINTS = 72; // per inch
const CSS = 96; // pixels per inch
const MAX_LINES = 40; // of a paragraph of the caption

/**
 * @typedef {object} Composed
 * @property {Scene} scene in pixels in which labels have their usual size
 * @property {{width: number, height: number}} cm its size on paper
 * @property {number} points the font size of its labels: less than what was asked for if the picture had to shrink
 */

/** From cm to pixels in which labels have their usual size. @param {Choice} choice */
const perCm = ({ size }) => (CSS / INCH) * (LABEL_SIZE / ((size * CSS) / POINTS));

/**
 * @param {(look: Look) => Promise<Scene>} draw
 * @param {Choice} choice
 * @param {string[]} caption paragraphs
 * @param {import("../../draw/figure.js").Paper} paper
 * @returns {Promise<Composed>}
 */
export async function composed(draw, choice, caption, paper) {
  const { scheme, bar, numbers, row, transparent } = choice;
  const by = perCm(choice);
  const width = choice.width * by;
  const room = choice.height === null ? undefined : choice.height * by;
  /** @param {number} [height] @returns {Promise<Scene>} */
  const made = async (height) => {
    const scene = await draw({ scheme, bar, numbers, row, width, height, bare: true });
    if (!choice.caption || !caption.some(Boolean)) return scene;
    return captioned(scene, caption, paper, { least: 0, most: MAX_LINES });
  };
  let scene = await made(room);
  // a heatmap fills the height; what stands above and below it is known only now
  if (room !== undefined) scene = await made(Math.max(1, 2 * room - scene.height));
  const shrunk = Math.min(
    1,
    width / scene.width,
    (room ?? Number.POSITIVE_INFINITY) / scene.height,
  );
  const sheet = {
    width: width / shrunk,
    height: room === undefined ? scene.height : room / shrunk,
  };
  return {
    scene: {
      ...scene,
      ...sheet,
      ground: transparent ? CLEAR : scene.ground,
      marks: [
        {
          mark: "group",
          marks: scene.marks,
          x: (sheet.width - scene.width) / 2,
          y: (sheet.height - scene.height) / 2,
        },
      ],
    },
    cm: { width: choice.width, height: (sheet.height * shrunk) / by },
    points: choice.size * shrunk,
  };
}

/** The size of a picture in pixels of a PNG. @param {Composed} picture @param {number} dpi */
export const pixelsOf = ({ cm }, dpi) => ({
  width: Math.round((cm.width / INCH) * dpi),
  height: Math.round((cm.height / INCH) * dpi),
});
