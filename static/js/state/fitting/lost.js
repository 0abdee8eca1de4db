// What a choice loses when it is made to fit a model. Pure.

import { modelIn } from "../choice.js";
import { changedMasks } from "../masks.js";
import { tells } from "../quiz.js";

/** @import { Choice, Lost, Model, Mute } from "../../types.d.ts" */

/**
 * @param {Choice} before
 * @param {Choice} after
 * @param {Model[]} models
 * @returns {Lost | null} null: nothing
 */
export function lostIn(before, after, models) {
  const edits = tells(before) ? editsLost(before, after) : NO_EDITS; // a quiz does not say what was done to the model
  const isOther =
    before.layer !== after.layer ||
    before.head !== after.head ||
    (before.kind !== after.kind && before.kind !== "self"); // which a link says that names no kind
  const lost = {
    ...edits,
    overlay: before.overlay.length - after.overlay.length,
    place: isOther ? before : null,
    matrix: before.matrix === after.matrix ? null : before.matrix,
    against: after.against ? null : before.against,
  };
  if (!Object.values(lost).some(Boolean)) return null;
  const isKnown = models.some(({ name }) => name === before.against?.model);
  return { ...lost, isKnown, now: after, model: modelIn({ ...after, models }) };
}

const NO_EDITS = { mutes: 0, cells: 0, rules: false };

/** @param {Choice} before @param {Choice} after */
const editsLost = (before, after) => ({
  mutes: before.muted.filter((one) => !after.muted.some((other) => isOf(one, other))).length,
  cells: paintedIn(before) - paintedIn(after),
  rules: rulesIn(before) > rulesIn(after),
});

/** Whether a mute, which may be of every kind of sites, covers another. @param {Mute} wide @param {Mute} one */
const isOf = ([layer, head, kind], one) =>
  one[0] === layer && one[1] === head && (!kind || !one[2] || kind === one[2]);

/** @param {Choice} choice */
const paintedIn = ({ masks }) => masks.blocked.length + masks.allowed.length;

/** @param {Choice} choice */
const rulesIn = ({ masks }) =>
  changedMasks(masks).filter(({ edits, control }) => edits && control).length;
