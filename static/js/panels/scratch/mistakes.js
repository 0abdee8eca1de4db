// What goes wrong on purpose: each classic mistake as a change of the reader's choice, and the change that corrects it. Pure.

import { mechanismOf, resolved, withSettings } from "../../sources/scratch/settings.js";
import { PACKINGS } from "../../sources/scratch/table.js";
import { hasPadding, noRoom, withShorter } from "../../sources/scratch/texts.js";
import * as words from "./words.js";

/** @import { Choice, Masks, Model, Settings } from "../../types.d.ts" */
/** @import { Measure } from "../../numbers/measures.js" */

/**
 * The reader's choice, and the model that it configures.
 * @typedef {object} Now
 * @property {Readonly<Choice>} choice
 * @property {Model} model as `modelIn` gives it
 * @property {number} row the selected query
 */
/**
 * @typedef {object} Mistake
 * @property {string} id
 * @property {string} name
 * @property {string} sentence
 * @property {Measure[]} measures that show it
 * @property {(now: Now) => boolean} is whether it is on
 * @property {(now: Now) => Partial<Choice>} on
 * @property {(now: Now) => Partial<Choice>} off
 * @property {(now: Now) => Partial<Choice>} [right] the correct choice to measure against, if that is not `off`
 * @property {(now: Now) => string} [why] why it means nothing here; "" if it does mean something
 * @property {(now: Now) => string} [also] what else turning it on changes; "" for nothing
 */

/** @param {Now} now */
const mechanismIn = ({ choice, model }) => {
  const mechanism = mechanismOf(model, choice.scratch);
  if (!mechanism) throw new Error("This model is not made from scratch.");
  return mechanism;
};
/** @param {Now} now */
const settings = (now) => resolved(now.choice.scratch, mechanismIn(now));
/** @param {Now} now @param {Partial<Settings>} changes */
const set = (now, changes) => ({
  scratch: withSettings(now.choice.scratch, changes, mechanismIn(now)),
});
/** @param {Now} now @param {Partial<Masks>} changes */
const setMasks = ({ choice }, changes) => ({ masks: { ...choice.masks, ...changes } });

/** Why a mistake with the softmax means nothing here. @param {Now} now */
const noSoftmax = (now) => (settings(now).kernel === "product" ? words.UNAVAILABLE.noSoftmax : "");

/** Whether the causal mask is on. @param {Now} now */
const isCausal = ({ choice, model }) =>
  choice.kind !== "cross" && (choice.masks.causal ?? model.causal ?? false);

/** Turn on the causal mask unless it is on. @param {Now} now */
const withCausal = (now) => (isCausal(now) ? {} : setMasks(now, { causal: true }));

/** Whether padding lies where no real token may look anyway: on the right, under a causal mask. @param {Now} now */
const isPaddingHidden = (now) => isCausal(now) && now.choice.masks.padding_side === "right";

/** @param {Now} now */
const needsShorter = ({ choice }) => !hasPadding(choice);
/** @param {Now} now */
const needsCausal = (now) => !isCausal(now);

/**
 * @param {string} id
 * @param {words.SwitchWords} text
 * @param {1 | -1} by
 * @param {Measure} measure
 * @returns {Mistake}
 */
const offByOne = (id, text, by, measure) => ({
  id,
  ...text,
  measures: [measure],
  is: (now) => settings(now).causal_diagonal === by && isCausal(now),
  on: (now) => ({ ...set(now, { causal_diagonal: by }), ...withCausal(now) }),
  off: (now) => set(now, { causal_diagonal: 0 }),
  why: ({ choice }) => (choice.kind === "cross" ? words.UNAVAILABLE.notCausal : ""),
  also: (now) => words.alsoChanges({ causal: needsCausal(now) }),
});

/** @type {Mistake[]} */
export const MISTAKES = [
  {
    id: "axis",
    ...words.MISTAKES.axis,
    measures: ["row_sums"],
    is: (now) => settings(now).softmax_over === "query",
    on: (now) => set(now, { softmax_over: "query" }),
    off: (now) => set(now, { softmax_over: "key" }),
    why: noSoftmax,
  },
  {
    id: "no-scale",
    ...words.MISTAKES.noScale,
    measures: ["variance", "entropy"],
    is: (now) => settings(now).scale === 1 && mechanismIn(now).defaults.scale !== 1,
    on: (now) => set(now, { scale: 1 }),
    off: (now) => set(now, { scale: undefined }),
    why: noScale,
  },
  {
    id: "wide-scale",
    ...words.MISTAKES.wideScale,
    measures: ["variance", "entropy"],
    is: (now) => settings(now).scale === "1/sqrt(d_model)",
    on: (now) => set(now, { scale: "1/sqrt(d_model)" }),
    off: (now) => set(now, { scale: undefined }),
    why: (now) => {
      const { d_model, d_head } = settings(now);
      if (d_model === d_head) return words.UNAVAILABLE.sameScales;
      return noScale(now);
    },
  },
  {
    id: "padding",
    ...words.MISTAKES.padding,
    measures: ["padding", "change"],
    is: (now) => !now.choice.masks.padding && !isPaddingHidden(now),
    // under a causal mask only padding on the left can be seen
    on: (now) => ({
      ...withShorter(now.choice),
      ...setMasks(now, {
        padding: false,
        ...(isPaddingHidden(now) ? { padding_side: "left" } : {}),
      }),
    }),
    off: (now) => setMasks(now, { padding: true, padding_side: "right" }),
    right: (now) => setMasks(now, { padding: true }),
    why: ({ choice }) => noRoom(choice),
    also: (now) => words.alsoChanges({ shorter: needsShorter(now), left: isPaddingHidden(now) }),
  },
  {
    id: "right-padding",
    ...words.MISTAKES.rightPadding,
    measures: ["change"],
    is: (now) => !now.choice.masks.padding && isPaddingHidden(now),
    on: (now) => ({
      ...withShorter(now.choice),
      ...setMasks(now, {
        padding: false,
        padding_side: "right",
        ...(isCausal(now) ? {} : { causal: true }),
      }),
    }),
    off: (now) => setMasks(now, { padding: true, causal: null }),
    right: (now) => setMasks(now, { padding: true }),
    why: ({ choice }) => (choice.kind === "cross" ? words.UNAVAILABLE.notCausal : noRoom(choice)),
    also: (now) => words.alsoChanges({ shorter: needsShorter(now), causal: needsCausal(now) }),
  },
  {
    id: "mask-after",
    ...words.MISTAKES.maskAfter,
    measures: ["row_sums"],
    is: (now) => settings(now).mask_applied === "after",
    on: (now) => ({ ...set(now, { mask_applied: "after" }), ...blockingSomething(now) }),
    off: (now) => set(now, { mask_applied: "before" }),
    why: (now) =>
      !isMasked(now) && now.choice.kind === "cross" ? noRoom(now.choice) : noSoftmax(now),
    also: (now) => {
      if (isMasked(now)) return "";
      const cross = now.choice.kind === "cross";
      return words.alsoChanges({
        shorter: cross && needsShorter(now),
        causal: !cross && needsCausal(now),
      });
    },
  },
  {
    id: "packing",
    ...words.MISTAKES.packing,
    measures: ["heads"],
    is: (now) => {
      const { packing, read_as } = settings(now);
      return read_as !== null && read_as !== packing;
    },
    on: (now) => set(now, { read_as: misread(settings(now).packing) }),
    off: (now) => set(now, { read_as: null }),
    why: (now) => (mechanismIn(now).projections === "fused" ? "" : words.UNAVAILABLE.notPacked),
  },
  offByOne("sees-next", words.MISTAKES.seesNext, 1, "future"),
  offByOne("hides-self", words.MISTAKES.hidesSelf, -1, "blocked"),
  {
    id: "blocked-row",
    ...words.MISTAKES.blockedRow,
    measures: ["blocked"],
    is: (now) => now.choice.masks.blocked.some(isRow(now.choice)),
    on: (now) => {
      const { blocked } = now.choice.masks;
      const { shown: text, layer } = now.choice;
      const cell = { text, layer, head: null, query: now.row, key: null, kind: null };
      return setMasks(now, { blocked: [...blocked, cell] });
    },
    off: (now) => {
      const { blocked } = now.choice.masks;
      return setMasks(now, { blocked: blocked.filter((cell) => !isRow(now.choice)(cell)) });
    },
  },
];

/** Why there is no scale to change; "" if there is. @param {Now} now */
function noScale(now) {
  const { kernel } = settings(now);
  if (kernel === "linear") return words.UNAVAILABLE.scaleCancels;
  if (kernel === "product") return words.UNAVAILABLE.scaleIsShared;
  const { scale } = mechanismIn(now).defaults;
  if (scale === 0) return words.UNAVAILABLE.average;
  return scale === 1 ? words.UNAVAILABLE.noScale : "";
}

/** @param {Settings["packing"]} packing */
const misread = (packing) => {
  const [straight, , inside] = PACKINGS.map(([value]) => value);
  return packing === inside ? straight : inside;
};

/** Whether anything is blocked. @param {Now} now */
function isMasked(now) {
  const { padding, window, blocked } = now.choice.masks;
  const padded = padding && hasPadding(now.choice);
  return isCausal(now) || padded || window !== null || blocked.length > 0;
}

/** Block something unless something is blocked already. @param {Now} now @returns {Partial<Choice>} */
function blockingSomething(now) {
  if (isMasked(now)) return {};
  if (now.choice.kind !== "cross") return withCausal(now);
  return { ...withShorter(now.choice), ...setMasks(now, { padding: true }) };
}

/** Whether a painted cell is a whole row of the selected text and layer. @param {Readonly<Choice>} choice */
const isRow =
  ({ shown, layer }) =>
  /** @param {import("../../types.d.ts").Cell} cell */
  (cell) =>
    cell.query !== null &&
    cell.key === null &&
    (cell.text === shown || cell.text === null) &&
    (cell.layer === layer || cell.layer === null);

/** The mistakes that are on. @param {Now} now */
export const mistakesOf = (now) => MISTAKES.filter(({ is }) => is(now));

/**
 * The choice without any mistake: what the page measures against.
 * @param {Now} now
 * @returns {Readonly<Choice>}
 */
export function correct(now) {
  let { choice } = now;
  for (const { off, right = off } of mistakesOf(now)) {
    choice = { ...choice, ...right({ ...now, choice }) };
  }
  return choice;
}
