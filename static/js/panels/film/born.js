// What a film tells of its heads: from which step on each has its habit, and where induction appears.

import { strongest } from "../../words/labels.js";

/** @import { Film, Model } from "../../types.d.ts" */
/** @typedef {{layer: number, head: number, name: string, from: number}} Became `from`: the place of the step */

const LEAST_RISE = 0.3; // of the best induction score between two kept steps; a slow growth is no phase change

/**
 * The film that a model belongs to: the models of its steps in order, and which of them it is.
 * @param {Pick<Model, "name" | "film" | "step"> | undefined} model
 * @param {readonly Pick<Model, "name" | "film" | "step">[]} models
 */
export function stepsOf(model, models) {
  const base =
    typeof model?.step === "number"
      ? model.name.slice(0, model.name.lastIndexOf("@"))
      : model?.name;
  const steps = models.find(({ name }) => name === base)?.film ?? [];
  const names = steps.map((step, at) => (at === steps.length - 1 ? `${base}` : `${base}@${step}`));
  return {
    base: steps.length ? `${base}` : null,
    steps,
    names,
    at: names.indexOf(`${model?.name}`),
  };
}

/** Where a step stands on the axis, from 0 to 1: early ones have more room, because most happens there. @param {Pick<Film, "steps">} film @param {number} at */
export const placeIn = ({ steps }, at) => Math.sqrt(steps[at] / steps[steps.length - 1]);

/** What was found of a film, which takes its time for thousands of heads. @type {WeakMap<object, Became[]>} */
const KNOWN = new WeakMap();

/**
 * The heads that have a habit in the end, with the step from which on they have it; the earliest first.
 * @param {Pick<Film, "steps" | "heads">} film
 * @returns {Became[]}
 */
export function becoming(film) {
  const known = KNOWN.get(film) ?? find(film);
  KNOWN.set(film, known);
  return known;
}

/** @param {Pick<Film, "steps" | "heads">} film @returns {Became[]} */
function find({ steps, heads }) {
  const [shape] = Object.values(heads)[0] ?? [[]];
  const found = shape.flatMap((row, layer) =>
    row.flatMap((_, head) => {
      const labels = steps.map((_, at) => labelAt(heads, at, layer, head));
      const last = labels[labels.length - 1];
      if (last.metric === null) return [];
      const other = labels.findLastIndex(({ metric }) => metric !== last.metric);
      return [{ layer, head, name: last.name, from: other + 1 }];
    }),
  );
  return found.sort((one, two) => one.from - two.from);
}

/** @param {Film["heads"]} heads @param {number} at @param {number} layer @param {number} head */
function labelAt(heads, at, layer, head) {
  const scores = Object.fromEntries(
    Object.entries(heads).map(([metric, values]) => {
      const value = values[at][layer][head];
      const over = Number.MAX_SAFE_INTEGER; // the probe is long enough for each metric
      return [metric, { value, over, reason: null }];
    }),
  );
  return strongest(scores);
}

/**
 * The two kept steps between which the best induction score rises most, as their places; null if it grows slowly, or never (Olsson et al. 2022).
 * @param {Pick<Film, "curves">} film
 */
export function phaseChange({ curves: { induction = [] } }) {
  const rises = induction.slice(1).map((value, at) => value - induction[at]);
  const most = Math.max(...rises);
  return most >= LEAST_RISE ? rises.indexOf(most) : null;
}
