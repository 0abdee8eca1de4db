// What the panel says of training, as whole sentences with named places.

import { grouped } from "../../words/format.js";
import { modelLabel, shortName } from "../../words/heads.js";

/** @import { Film } from "../../types.d.ts" */

export const SLIDER = "Step of training";
export const PLAYER = { play: "Play", pause: "Pause" };
export const WATCH = "Watch it learn";
export const BACK = "Back";
/** @param {string} model */
export const backTo = (model) => `Back to ${modelLabel(model)}`;
export const SISTER =
  "This is a sister of Headlight small: trained by the same recipe, with other weights.";
export const READING = "Reading what was measured …";
export const BECOMING = "When heads got their habits";
export const LEGEND = "when each head got its habit";
export const [LATE, EARLY] = ["late", "early"];

const share = (/** @type {number} */ value) => value.toFixed(2);

/** The measures that may have a curve. `brief`: in the line above the heads. @type {(Omit<import("./curve.js").Row, "values"> & {brief?: (value: number) => string})[]} */
const CURVES = [
  {
    name: "loss",
    title: "Loss",
    brief: (value) => `loss ${share(value)}`,
    text: (value) => `${value.toFixed(2)} nats`,
    most: null,
  },
  {
    name: "agreement",
    title: "Agreement right",
    text: (value) => `${Math.round(100 * value)}%`,
    most: 1,
  },
  {
    name: "accuracy",
    title: "Answers right",
    brief: (value) => `${Math.round(100 * value)}% of the answers right`,
    text: (value) => `${Math.round(100 * value)}%`,
    most: 1,
  },
  { name: "previous_token", title: "Previous token", text: share, most: 1 },
  {
    name: "induction",
    title: "Induction",
    brief: (value) => `best induction ${share(value)}`,
    text: share,
    most: 1,
  },
];

/**
 * Those that a film has, and what muting a head does, if that is known.
 * @param {Pick<Film, "curves" | "mutes">} film @param {{layer: number, head: number}} place
 * @returns {import("./curve.js").Row[]}
 */
export function curvesOf({ curves, mutes }, place) {
  const found = CURVES.filter(({ name }) => curves[name]);
  const rows = found.map((row) => ({ ...row, values: curves[row.name] }));
  const values = mutes.map((layers) => layers[place.layer]?.[place.head] ?? 0);
  if (values.length === 0) return rows;
  const title = `Loss without ${shortName(place)}`;
  return [
    ...rows,
    { name: "mute", title, text: (value) => `${signed(value)} nats`, most: null, values },
  ];
}

const signed = (/** @type {number} */ value) =>
  `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/** @param {readonly number[]} steps @param {number} at */
export const after = (steps, at) => {
  const last = steps[steps.length - 1];
  if (at === steps.length - 1) return `The trained model, after ${grouped(last)} steps`;
  if (steps[at] === 0) return `Before training: random weights (step 0 of ${grouped(last)})`;
  return `After ${grouped(steps[at])} of ${grouped(last)} steps`;
};

/** The step in little room. @param {readonly number[]} steps @param {number} at */
export const brief = (steps, at) =>
  `Step ${grouped(steps[at])} of ${grouped(steps[steps.length - 1])}`;

/** What is known of a step, in one line. @param {Film} film @param {number} at */
export const known = ({ curves }, at) =>
  CURVES.flatMap(({ name, brief }) =>
    brief && curves[name] ? [brief(curves[name][at])] : [],
  ).join(" · ");

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
