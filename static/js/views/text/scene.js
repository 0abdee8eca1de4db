// Text as a picture for a file: the tokens in lines, with their colours and weights, and the scale. Pure.

import { clipped, hatchPath } from "../../draw/hatchpath.js";
import { scaleMarks } from "../../draw/legends/scalebar.js";
import { framed, PAD } from "../../draw/pictures/frame.js";
import { fitted, widthOf } from "../../draw/textwidth.js";
import { reasonOf } from "../../words/hatch.js";
import { directionOf, shadesOf, stepOf, wordsOf } from "./tokens.js";
import { SCALE, TEXTS, under } from "./words.js";

/** @import { Mark } from "../../draw/scene.js" */
/** @import { Token } from "../../types.d.ts" */
/** @import { Weights } from "./weights.js" */
/** @typedef {ReturnType<typeof import("../../dom/palette.js").palette>} Colours */

const WIDTH = 640; // pixels of the text
const [SIZE, SMALL] = [18, 10];
const [TALL, LINE] = [26, 46]; // pixels: a token, and a line with its numbers
const [INSIDE, SPACE] = [4, 5]; // pixels beside a token, and between two words
const MIN_TOKEN = 28; // pixels: so wide that the weights of neighbouring tokens do not overlap
const MIN_WIDTH = 120; // pixels
const SIDE = 80; // pixels for the scale
const TAG = 18;
const TILE = 9;

/**
 * @param {object} options
 * @param {NonNullable<import("../../numbers/detail.js").Detail>} options.detail
 * @param {boolean} options.two whether queries and keys come from two texts
 * @param {import("./weights.js").Role} options.role
 * @param {number} options.place of the token that is pointed at
 * @param {Weights | null} options.weights
 * @param {import("../../draw/color.js").Steps} options.steps
 * @param {string} options.title
 * @param {string[]} options.about
 * @param {Colours} options.colours
 * @param {number} [options.room] the width of all, in pixels
 * @param {boolean} [options.bar] whether there is a colour bar
 */
export function textScene(options) {
  const {
    detail,
    two,
    role,
    place,
    weights,
    steps,
    title,
    about,
    colours,
    room,
    bar = true,
  } = options;
  const side = bar ? SIDE : 0;
  const width = room === undefined ? WIDTH : Math.max(MIN_WIDTH, room - 2 * PAD - side);
  const { queries, keys } = detail;
  const { paper } = colours;
  const looks = { weights, steps, colours };
  const plain = { ...looks, weights: null };
  const one = (/** @type {"query" | "key"} */ side) => ({
    tokens: side === "query" ? queries : keys,
    pointed: side === role ? place : null,
    look: side === role ? plain : looks,
  });
  const texts = two ? [one("query"), one("key")] : [{ tokens: keys, pointed: place, look: looks }];
  /** @type {Mark[]} */
  const marks = [];
  let y = 0;
  texts.forEach(({ tokens, pointed, look }, at) => {
    if (two) {
      const text = [TEXTS.query.name, TEXTS.key.name][at];
      marks.push({ mark: "text", x: 0, y: y + 6, text, size: 11, fill: paper.faint });
      y += TAG;
    }
    const part = paragraphMarks(tokens, pointed, look, y, width);
    marks.push(...part.marks);
    y += part.height;
  });
  const range = { low: 0, high: 1, steps };
  const plot = { x: 0, y: 0, width, height: Math.max(120, Math.min(y, 320)) };
  const scale = { table: colours.sequential, range, unit: SCALE.name, paper, plot };
  if (bar) marks.push(...scaleMarks(scale));
  const height = Math.max(y, bar ? plot.height / 2 + 24 : 0);
  const body = { width: width + side, height, marks };
  return framed({ title, about, body, paper, least: room && 0 });
}

/**
 * @param {Token[]} tokens
 * @param {number | null} pointed
 * @param {{weights: Weights | null, steps: import("../../draw/color.js").Steps, colours: Colours}} look
 * @param {number} top
 * @param {number} right the end of the lines
 */
function paragraphMarks(tokens, pointed, { weights, steps, colours }, top, right) {
  const { paper, accent, hatch, sequential } = colours;
  const words = wordsOf(tokens);
  const shades = shadesOf(sequential);
  const leftward = directionOf(words) === "rtl";
  /** @type {Mark[]} */
  const marks = [];
  let [x, y] = [0, top];
  words.forEach(({ label, joined, breaks, token }, index) => {
    const text = fitted(label, SIZE, right - 2 * INSIDE);
    const width = Math.min(right, Math.max(MIN_TOKEN, widthOf(text, SIZE) + 2 * INSIDE));
    if (x > 0 && !joined) x += SPACE;
    if (x > 0 && x + width > right) [x, y] = [0, y + LINE];
    const box = { x: leftward ? right - x - width : x, y, width, height: TALL };
    const value = weights?.values[index] ?? 0;
    const reason = value === 0 ? reasonOf(weights?.blocked[index] ?? 0) : null;
    const shade = weights && !reason ? shades[stepOf(value, steps)] : null;
    if (shade) marks.push({ mark: "rect", ...box, fill: shade.fill });
    if (reason) {
      const cells = { rows: 1, cols: 1 };
      const d = hatchPath(
        clipped(reason.angle, TILE, box, cells, () => true),
        box,
      );
      marks.push({ mark: "path", d, stroke: hatch, line: 1 });
    }
    if (index === pointed) marks.push({ mark: "rect", ...box, stroke: accent, line: 2 });
    const middle = { anchor: /** @type {const} */ ("middle"), x: box.x + width / 2 };
    const onPaper = token.special || token.padding ? paper.faint : paper.ink;
    const fill = shade?.dark ? paper.panel : shade && value > 0 ? paper.ink : onPaper;
    marks.push({ mark: "text", ...middle, y: y + TALL / 2, text, size: SIZE, fill });
    const share = weights ? under(value) : "";
    const low = { ...middle, y: y + TALL + 8, size: SMALL, fill: paper.faint };
    if (share) marks.push({ mark: "text", ...low, text: share });
    x += width;
    if (breaks) [x, y] = [0, y + LINE];
  });
  return { marks, height: y + LINE - top };
}
