// The steps from q to what a head writes to the residual stream, and how many of them are shown. Pure.

import { STEP_LABELS } from "./words.js";

/** @import { Answer, Site } from "../../types.d.ts" */
/** @typedef {"q" | "k" | "product" | "dot" | "scaled" | "capped" | "score" | "share" | "mask" | "weight" | "moved" | "gate" | "z" | "result"} Name */
/** @typedef {{name: Name, label: string}} Step */

/** @param {Name} name @returns {Step} */
const step = (name, label = STEP_LABELS[name]) => ({ name, label });

/** In the order of the computation. @type {Step[]} */
const STEPS = [
  step("q"),
  step("k"),
  step("product"),
  step("dot"),
  step("scaled"),
  step("capped"),
  step("score"),
  step("mask"),
  step("weight"),
  step("moved"),
  step("gate"),
  step("z"),
  step("result"),
];

/** What replaces a step if masks are applied after the softmax. @type {Partial<Record<Name, Step[]>>} */
const AFTER = {
  mask: [step("share"), step("mask")],
  weight: [step("weight", STEP_LABELS.kept)],
};

/** What a step is called where the weights are not exp of the scores. @type {Partial<Record<Site["kernel"], Partial<Record<Name, string>>>>} */
const NAMED = {
  linear: { scaled: STEP_LABELS.log },
  product: { score: STEP_LABELS.fade, weight: STEP_LABELS.kept },
};

/** Whether masks are applied after the softmax. @param {Pick<Site, "mask_applied">} site */
export const isAfter = ({ mask_applied }) => mask_applied === "after";

/** Whether a step has a column in the table of keys. */
export const isColumn = (/** @type {Step} */ { name }) =>
  !["q", "gate", "z", "result"].includes(name);

/**
 * The steps that a site takes.
 * @param {Answer | null | undefined} answer
 * @returns {Step[]} empty without an answer
 */
export function stepsOf(answer) {
  const site = answer?.trace.sites[0];
  if (!answer || !site) return [];
  const usual = isAfter(site) ? STEPS.flatMap((one) => AFTER[one.name] ?? [one]) : STEPS;
  const named = NAMED[site.kernel] ?? {};
  const steps = usual.map((one) => ({ ...one, label: named[one.name] ?? one.label }));
  return steps.filter(
    ({ name }) =>
      (name !== "capped" || site.soft_cap !== null) &&
      (name !== "gate" || site.has_gate) &&
      (name !== "result" || answer.tensors.has(`${site.name}.result`)),
  );
}

/** How many of the steps are shown. @param {number | null} step null: all @param {number} n */
export const shownOf = (step, n) => (step === null ? n : Math.max(1, Math.min(n, step)));

/** The names of the steps that are shown. @param {number | null} step @param {Step[]} steps @returns {Set<Name>} */
export const computedIn = (step, steps) =>
  new Set(steps.slice(0, shownOf(step, steps.length)).map(({ name }) => name));

/** Some steps forward or back; null is the end. @param {number | null} step @param {number} n @param {number} by */
export function stepped(step, n, by) {
  const to = Math.max(1, shownOf(step, n) + by);
  return to >= n ? null : to;
}
