// Pictures of lists with bars: predictions, from the left; effects, from the middle; and the stages of the logit lens.

import { LENS_HEADS, more } from "../../words/picture.js";
import { fitted } from "../textwidth.js";

/** @import { Mark } from "../scene.js" */
/** @import { Paper } from "../figure.js" */
/**
 * @typedef {object} Bar
 * @property {string} name
 * @property {string} value as text
 * @property {number} start from 0 to 1
 * @property {number} length
 * @property {string} fill
 * @property {string} [note] instead of a bar
 */

const [NAME, BAR, VALUE] = [140, 300, 150]; // pixels
const ROW = 20;
const SIZE = 12;
const MAX_LINES = 200; // a last line tells how many more there are

/**
 * @param {object} options
 * @param {Bar[]} options.bars
 * @param {{name: string, value: string, scale: string[]}} options.heads the column headings; `scale` is written above the bars
 * @param {number} options.zero where the bars start from, as a fraction of the width
 * @param {Paper} options.paper
 * @returns {import("./frame.js").Body}
 */
export function barsBody({ bars, heads, zero, paper }) {
  const small = { mark: /** @type {const} */ ("text"), size: 11, fill: paper.faint, y: 8 };
  const text = { mark: /** @type {const} */ ("text"), size: SIZE, fill: paper.ink };
  const anchors = /** @type {const} */ (["start", "middle", "end"]);
  const shown = bars.slice(0, MAX_LINES);
  /** @type {Mark[]} */
  const marks = [
    { ...small, x: 0, text: heads.name },
    ...heads.scale.map((one, index) => ({
      ...small,
      x: NAME + (BAR * index) / Math.max(1, heads.scale.length - 1),
      text: one,
      anchor: anchors[index],
    })),
    { ...small, x: NAME + BAR + 12, text: heads.value },
  ];
  shown.forEach(({ name, value, start, length, fill, note }, index) => {
    const y = 20 + index * ROW;
    marks.push({ ...text, x: 0, y: y + ROW / 2, text: fitted(name, SIZE, NAME - 8) });
    if (note) {
      const why = fitted(note, SIZE, BAR + VALUE);
      marks.push({ ...text, x: NAME, y: y + ROW / 2, text: why, fill: paper.faint });
      return;
    }
    const box = {
      x: NAME + start * BAR,
      y: y + 3,
      width: Math.max(1, length * BAR),
      height: ROW - 6,
    };
    marks.push({ mark: "rect", ...box, fill });
    marks.push({ ...text, x: NAME + BAR + 12, y: y + ROW / 2, text: value });
  });
  const height = 20 + shown.length * ROW;
  const axis = NAME + zero * BAR;
  marks.push({ mark: "path", d: `M${axis} 18L${axis} ${height}`, stroke: paper.line, line: 1 });
  const rest = bars.length - shown.length;
  if (rest > 0) marks.push({ ...small, x: 0, y: height + 10, text: more(rest) });
  return { width: NAME + BAR + VALUE, height: height + (rest > 0 ? 20 : 0), marks };
}

/**
 * @param {object} options
 * @param {{name: string, meter: {text: string, share: number}, leads: boolean, candidates: {text: string, final: boolean}[]}[]} options.stages
 * @param {string} options.fill the colour of the meters
 * @param {Paper} options.paper
 * @returns {import("./frame.js").Body}
 */
export function lensBody({ stages, fill, paper }) {
  const [name, meter, each] = [84, 170, 130];
  const max = Math.max(0, ...stages.map(({ candidates }) => candidates.length));
  const small = { mark: /** @type {const} */ ("text"), size: 11, fill: paper.faint };
  /** @type {Mark[]} */
  const marks = [
    { ...small, x: 0, y: 8, text: LENS_HEADS.stage },
    { ...small, x: name, y: 8, text: LENS_HEADS.final },
    { ...small, x: name + meter + 12, y: 8, text: LENS_HEADS.likeliest },
  ];
  stages.forEach((stage, index) => {
    const y = 20 + index * ROW;
    const line = {
      mark: /** @type {const} */ ("text"),
      size: SIZE,
      fill: paper.ink,
      y: y + ROW / 2,
    };
    const box = { x: name, y: y + 2, width: meter, height: ROW - 4 };
    marks.push(
      { ...line, x: 0, text: stage.name, fill: paper.faint },
      { mark: "rect", ...box, width: Math.max(1, meter * Math.min(1, stage.meter.share)), fill },
      { mark: "rect", ...box, stroke: paper.line, line: 1 },
      {
        ...line,
        x: name + 4,
        text: fitted(stage.meter.text, SIZE, meter - 8),
        weight: stage.leads ? 650 : 400,
      },
      ...stage.candidates.map(({ text, final }, rank) => ({
        ...line,
        x: name + meter + 12 + rank * each,
        text: fitted(text, SIZE, each - 8),
        weight: final ? 650 : 400,
      })),
    );
  });
  return { width: name + meter + 12 + max * each, height: 20 + stages.length * ROW, marks };
}
