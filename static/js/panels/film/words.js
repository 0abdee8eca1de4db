// What the panel says of training, as whole sentences with named places.

import { gettext } from "../../language/gettext.js";
import { fixed, MINUS, PLUS, percentage } from "../../language/language.js";
import { modelLabel, shortName } from "../../words/heads.js";

/** @import { Film } from "../../types.d.ts" */

export const SLIDER = gettext("Step of training");
export const PLAYER = { play: gettext("Play"), pause: gettext("Pause") };
export const WATCH = gettext("Watch it learn");
export const BACK = gettext("Back");
/** @param {string} model */
export const backTo = (model) => gettext("Back to {model}", { model: modelLabel(model) });
export const SISTER = gettext(
  "This is a sister of Headlight small: trained by the same recipe, with other weights.",
);
export const READING = gettext("Reading what was measured …");
export const BECOMING = gettext("When heads got their habits");
export const LEGEND = gettext("when each head got its habit");
export const [LATE, EARLY] = [gettext("late"), gettext("early")];

const share = (/** @type {number} */ value) => fixed(value, 2);

/** The measures that may have a curve. `brief`: in the line above the heads. @type {(Omit<import("./curve.js").Row, "values"> & {brief?: (value: number) => string})[]} */
const CURVES = [
  {
    name: "loss",
    title: gettext("Loss"),
    brief: (value) => gettext("loss {share}", { share: share(value) }),
    text: (value) => gettext("{value} nats", { value: fixed(value, 2) }),
    most: null,
  },
  {
    name: "agreement",
    title: gettext("Agreement right"),
    text: (value) => percentage(fixed(100 * value, 0)),
    most: 1,
  },
  {
    name: "accuracy",
    title: gettext("Answers right"),
    brief: (value) =>
      gettext("{share} of the answers right", { share: percentage(fixed(100 * value, 0)) }),
    text: (value) => percentage(fixed(100 * value, 0)),
    most: 1,
  },
  { name: "previous_token", title: gettext("Previous token"), text: share, most: 1 },
  {
    name: "induction",
    title: gettext("Induction"),
    brief: (value) => gettext("best induction {share}", { share: share(value) }),
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
  const title = gettext("Loss without {place}", { place: shortName(place) });
  return [
    ...rows,
    {
      name: "mute",
      title,
      text: (value) => gettext("{value} nats", { value: signed(value) }),
      most: null,
      values,
    },
  ];
}

const signed = (/** @type {number} */ value) =>
  `${value < 0 ? MINUS : PLUS}${fixed(Math.abs(value), 2)}`;

/** @param {readonly number[]} steps @param {number} at */
export const after = (steps, at) => {
  const last = steps[steps.length - 1];
  if (at === steps.length - 1) return gettext("The trained model, after {last} steps", { last });
  if (steps[at] === 0)
    return gettext("Before training: random weights (step 0 of {last})", { last });
  return gettext("After {step} of {last} steps", { step: steps[at], last });
};

/** The step in little room. @param {readonly number[]} steps @param {number} at */
export const brief = (steps, at) =>
  gettext("Step {step} of {last}", { step: steps[at], last: steps[steps.length - 1] });

/** What is known of a step, in one line. @param {Film} film @param {number} at */
export const known = ({ curves }, at) =>
  CURVES.flatMap(({ name, brief }) =>
    brief && curves[name] ? [brief(curves[name][at])] : [],
  ).join(" · ");

/** @param {Film} film @param {number | null} at of the step before it */
export const phaseInWords = ({ steps, curves: { induction } }, at) =>
  at === null
    ? gettext(
        "No phase change was found: the best induction score grows slowly between all kept steps.",
      )
    : gettext(
        "Shaded: between steps {from} and {to} the best head’s induction jumps from {least} to {most}, a phase change (Olsson et al. 2022).",
        {
          from: steps[at],
          to: steps[at + 1],
          least: share(induction[at]),
          most: share(induction[at + 1]),
        },
      );

/** @param {{layer: number, head: number, name: string, step: number}} head */
export const became = ({ layer, head, name, step }) =>
  gettext("{head}: {name} from step {step} on", { head: shortName({ layer, head }), name, step });

/** @param {{layer: number, head: number}} head */
export const shortHead = (head) => shortName(head);
/** @param {number} step */
export const since = (step) => gettext("step {step}", { step });

const AXIS = gettext("The axis is a square root, so that early steps have room.");
/** @param {Pick<Film, "heads">} film */
export const source = ({ heads }) =>
  Object.keys(heads).length > 0
    ? gettext(
        "Measured on sentences that training never showed; heads on rows of random tokens. {axis}",
        { axis: AXIS },
      )
    : gettext("Measured on lines that training never showed. {axis}", { axis: AXIS });
/** @param {number} rounding */
export const rounded = (rounding) =>
  gettext(
    "Earlier steps are kept in 8 bits a weight, which moves a weight of attention by at most {rounding}.",
    { rounding },
  );

/** @param {string} model */
export const pictureTitle = (model) => gettext("The training of {model}", { model });
export const CSV = ["step", "measure", "layer", "head", "value"];
