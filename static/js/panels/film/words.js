// What the panel says of training, as whole sentences with named places.

import { grouped } from "../../words/format.js";
import { shortName } from "../../words/heads.js";
import { bold } from "../../words/parts.js";

/** @import { Film } from "../../types.d.ts" */

export const SLIDER = "Step of training";
export const PLAY = "Play";
export const PAUSE = "Pause";
export const READING = "Reading what was measured …";
export const BECOMING = "When heads got their habits";
export const LEGEND = "when each head got its habit";
export const [LATE, EARLY] = ["late", "early"];

const share = (/** @type {number} */ value) => value.toFixed(2);

/** The measures that may have a curve. @type {import("./curve.js").Row[]} */
const CURVES = [
  { name: "loss", title: "Loss", text: (value) => `${value.toFixed(2)} nats`, most: null },
  {
    name: "agreement",
    title: "Agreement right",
    text: (value) => `${Math.round(100 * value)}%`,
    most: 1,
  },
  {
    name: "accuracy",
    title: "Answers right",
    text: (value) => `${Math.round(100 * value)}%`,
    most: 1,
  },
  { name: "previous_token", title: "Previous token", text: share, most: 1 },
  { name: "induction", title: "Induction", text: share, most: 1 },
];

/** Those that a film has. @param {Pick<Film, "curves">} film */
export const curvesOf = ({ curves }) => CURVES.filter(({ name }) => curves[name]);

/** @param {readonly number[]} steps @param {number} at */
export const after = (steps, at) => {
  const last = steps[steps.length - 1];
  if (at === steps.length - 1) return `The trained model, after ${grouped(last)} steps`;
  if (steps[at] === 0) return `Before training: random weights (step 0 of ${grouped(last)})`;
  return `After ${grouped(steps[at])} of ${grouped(last)} steps`;
};

/** @param {Film} film @param {number} at */
export const summary = (film, at) => [bold(after(film.steps, at)), "."];

/** @param {Film} film @param {number | null} at of the step before it */
export const phaseInWords = ({ steps, curves: { induction } }, at) =>
  at === null
    ? "No phase change was found: the best induction score grows slowly between all kept steps."
    : `Shaded: between steps ${grouped(steps[at])} and ${grouped(steps[at + 1])} the best head’s induction jumps from ${share(induction[at])} to ${share(induction[at + 1])}, a phase change (Olsson et al. 2022).`;

/** @param {{layer: number, head: number, name: string, step: number}} head */
export const became = ({ layer, head, name, step }) =>
  `${shortName({ layer, head })}: ${name} from step ${grouped(step)} on`;

/** @param {{layer: number, head: number}} head */
export const shortHead = (head) => shortName(head);
/** @param {number} step */
export const since = (step) => `step ${grouped(step)}`;

const AXIS = "The axis is a square root, so that early steps have room.";
/** @param {Pick<Film, "heads">} film */
export const source = ({ heads }) =>
  Object.keys(heads).length > 0
    ? `Measured on sentences that training never showed; heads on rows of random tokens. ${AXIS}`
    : `Measured on lines that training never showed. ${AXIS}`;
/** @param {number} rounding */
export const rounded = (rounding) =>
  `Earlier steps are kept in 8 bits a weight, which moves a weight of attention by at most ${rounding}.`;

/** @param {string} model */
export const pictureTitle = (model) => `The training of ${model}`;
export const CSV = ["step", "measure", "layer", "head", "value"];
