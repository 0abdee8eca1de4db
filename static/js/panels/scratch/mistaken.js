// What goes wrong, on purpose: each classic mistake as a change of what the reader chose, and the way back. Pure.

import { mechanismOf, resolved, withSettings } from "../../sources/scratch/settings.js";
import { PACKINGS } from "../../sources/scratch/table.js";
import { hasPadding, noRoom, withShorter } from "../../sources/scratch/texts.js";
import { same } from "../../state/same.js";

/** @typedef {import("../../types.d.ts").Choice} Choice */
/** @typedef {import("../../types.d.ts").Masks} Masks */
/** @typedef {import("../../types.d.ts").Model} Model */
/** @typedef {import("../../types.d.ts").Settings} Settings */
/** @typedef {import("../../numbers/measures.js").Measure} Measure */

/**
 * What is chosen, with the model that it makes.
 * @typedef {object} Now
 * @property {Readonly<Choice>} choice
 * @property {Model} model as `modelIn` gives it
 * @property {number} row the query whose row is read
 */
/**
 * @typedef {object} Mistake
 * @property {string} id
 * @property {string} name
 * @property {string} sentence
 * @property {Measure[]} measures what shows it
 * @property {(now: Now) => boolean} is whether it is on
 * @property {(now: Now) => Partial<Choice>} on
 * @property {(now: Now) => Partial<Choice>} off
 * @property {(now: Now) => Partial<Choice>} [right] what it is measured against, where that is not `off`
 * @property {(now: Now) => string} [why] it means nothing here; "": it does
 * @property {(now: Now) => string} [brings] what else turning it on changes, in words
 */

/** @param {Now} now */
const own = ({ choice, model }) => {
  const mechanism = mechanismOf(model, choice.scratch);
  if (!mechanism) throw new Error("This model is not made from scratch.");
  return mechanism;
};
/** @param {Now} now */
const settings = (now) => resolved(now.choice.scratch, own(now));
/** @param {Now} now @param {Partial<Settings>} changes */
const set = (now, changes) => ({ scratch: withSettings(now.choice.scratch, changes, own(now)) });
/** @param {Now} now @param {Partial<Masks>} changes */
const mask = ({ choice }, changes) => ({ masks: { ...choice.masks, ...changes } });

/** Whether the causal mask is on. @param {Now} now */
const isCausal = ({ choice, model }) =>
  choice.kind !== "cross" && (choice.masks.causal ?? model.causal ?? false);

/** Causal, where it is not already. @param {Now} now */
const causal = (now) => (isCausal(now) ? {} : mask(now, { causal: true }));

/** Whether padding on the right lies where no real token may look. @param {Now} now */
const isMoot = (now) => isCausal(now) && now.choice.masks.padding_side === "right";

/** @param {Now} now */
const bringsShorter = ({ choice }) => (hasPadding(choice) ? "" : "a shorter text is put in");
/** @param {Now} now */
const bringsCausal = (now) => (isCausal(now) ? "" : "the causal mask is turned on");

/**
 * @param {string} id
 * @param {string} name
 * @param {string} sentence
 * @param {1 | -1} by
 * @param {Measure} shown
 * @returns {Mistake}
 */
const offByOne = (id, name, sentence, by, shown) => ({
  ...{ id, name, sentence, measures: [shown] },
  is: (now) => settings(now).causal_diagonal === by && isCausal(now),
  on: (now) => ({ ...set(now, { causal_diagonal: by }), ...causal(now) }),
  off: (now) => set(now, { causal_diagonal: 0 }),
  why: ({ choice }) => (choice.kind === "cross" ? "Cross-attention has no causal mask." : ""),
  brings: bringsCausal,
});

/** @type {Mistake[]} */
export const MISTAKES = [
  {
    id: "axis",
    name: "Softmax over queries",
    sentence:
      "The scores are shared out down the columns: a row is no longer a distribution, and what a token gets grows and shrinks.",
    measures: ["row_sums"],
    is: (now) => settings(now).softmax_over === "query",
    on: (now) => set(now, { softmax_over: "query" }),
    off: (now) => set(now, { softmax_over: "key" }),
  },
  {
    id: "no-scale",
    name: "The scale forgotten",
    sentence:
      "Without 1/√d_head the scores spread with the width of a head, and the softmax puts nearly all on one key.",
    measures: ["variance", "entropy"],
    is: (now) => settings(now).scale === 1 && own(now).defaults.scale !== 1,
    on: (now) => set(now, { scale: 1 }),
    off: (now) => set(now, { scale: undefined }),
    why: (now) => unscaled(own(now).defaults.scale),
  },
  {
    id: "wide-scale",
    name: "The scale of d_model",
    sentence:
      "Divided by √d_model, the scores are √(d_model / d_head) times too small (with h heads that share out d_model: √h): every head is flattened.",
    measures: ["variance", "entropy"],
    is: (now) => settings(now).scale === "1/sqrt(d_model)",
    on: (now) => set(now, { scale: "1/sqrt(d_model)" }),
    off: (now) => set(now, { scale: undefined }),
    why: (now) => {
      const { d_model, d_head } = settings(now);
      if (d_model === d_head) return "Here d_head is d_model: both scales are one.";
      return unscaled(own(now).defaults.scale);
    },
  },
  {
    id: "padding",
    name: "The padding mask not applied",
    sentence:
      "It was built, but nobody used it: real tokens give weight to tokens that are not there.",
    measures: ["padding", "change"],
    is: (now) => !now.choice.masks.padding && !isMoot(now),
    // under a causal mask only padding on the left can be seen
    on: (now) => ({
      ...withShorter(now.choice),
      ...mask(now, { padding: false, ...(isMoot(now) ? { padding_side: "left" } : {}) }),
    }),
    off: (now) => mask(now, { padding: true, padding_side: "right" }),
    right: (now) => mask(now, { padding: true }),
    why: ({ choice }) => noRoom(choice),
    brings: (now) =>
      [bringsShorter(now), isMoot(now) && "padding goes to the left"].filter(Boolean).join(", "),
  },
  {
    id: "right-padding",
    name: "Right padding under a causal mask, not masked",
    sentence:
      "It looks like the same mistake, and is none: padding on the right lies in the future of every real token.",
    measures: ["change"],
    is: (now) => !now.choice.masks.padding && isMoot(now),
    on: (now) => ({
      ...withShorter(now.choice),
      ...mask(now, {
        ...{ padding: false, padding_side: "right" },
        ...(isCausal(now) ? {} : { causal: true }),
      }),
    }),
    off: (now) => mask(now, { padding: true, causal: null }),
    right: (now) => mask(now, { padding: true }),
    why: ({ choice }) =>
      choice.kind === "cross" ? "Cross-attention has no causal mask." : noRoom(choice),
    brings: (now) => [bringsShorter(now), bringsCausal(now)].filter(Boolean).join(", "),
  },
  {
    id: "mask-after",
    name: "Masks after the softmax",
    sentence:
      "Blocked cells are set to 0 when the shares have been given out: what they took is lost, and rows sum to less than 1.",
    measures: ["row_sums"],
    is: (now) => settings(now).mask_applied === "after",
    on: (now) => ({ ...set(now, { mask_applied: "after" }), ...something(now) }),
    off: (now) => set(now, { mask_applied: "before" }),
    why: (now) => (!isMasked(now) && now.choice.kind === "cross" ? noRoom(now.choice) : ""),
    brings: (now) => {
      if (isMasked(now)) return "";
      return now.choice.kind === "cross" ? bringsShorter(now) : bringsCausal(now);
    },
  },
  {
    id: "packing",
    name: "The packing misread",
    sentence:
      "One matrix holds q, k and v of all heads. Cut in another order than it was laid out, the same weights make other heads entirely.",
    measures: ["heads"],
    is: (now) => {
      const { packing, read_as } = settings(now);
      return read_as !== null && read_as !== packing;
    },
    on: (now) => set(now, { read_as: misread(settings(now).packing) }),
    off: (now) => set(now, { read_as: null }),
    why: (now) =>
      own(now).projections === "fused"
        ? ""
        : "q, k and v do not come from one matrix here. Choose a mechanism of one matrix.",
  },
  offByOne(
    "sees-next",
    "The causal mask one too far",
    "Each token also sees the next one: exactly the one that it should predict.",
    1,
    "future",
  ),
  offByOne(
    "hides-self",
    "The causal mask one too short",
    "A token does not see itself, and the first one sees nothing at all.",
    -1,
    "blocked",
  ),
  {
    id: "blocked-row",
    name: "Every key of a row blocked",
    sentence:
      "The row that is read has nothing left to look at. Softmax of nothing would be NaN; here the row is 0, and is marked.",
    measures: ["blocked"],
    is: (now) => now.choice.masks.blocked.some(isRow(now.choice)),
    on: (now) => {
      const { blocked } = now.choice.masks;
      const { shown: text, layer } = now.choice;
      const cell = { text, layer, head: null, query: now.row, key: null, kind: null };
      return mask(now, { blocked: [...blocked, cell] });
    },
    off: (now) => {
      const { blocked } = now.choice.masks;
      return mask(now, { blocked: blocked.filter((cell) => !isRow(now.choice)(cell)) });
    },
  },
];

/** @param {Settings["scale"]} scale the mechanism's own */
function unscaled(scale) {
  if (scale === 0) return "An average has scores of 0: there is nothing to scale.";
  return scale === 1 ? "This mechanism has no scale to begin with." : "";
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

/** Something that is blocked, where nothing is. @param {Now} now @returns {Partial<Choice>} */
function something(now) {
  if (isMasked(now)) return {};
  if (now.choice.kind !== "cross") return causal(now);
  return { ...withShorter(now.choice), ...mask(now, { padding: true }) };
}

/** Whether a painted cell is a whole row of what is looked at. @param {Readonly<Choice>} choice */
const isRow =
  ({ shown, layer }) =>
  /** @param {import("../../types.d.ts").Cell} cell */
  (cell) =>
    cell.query !== null &&
    cell.key === null &&
    (cell.text === shown || cell.text === null) &&
    (cell.layer === layer || cell.layer === null);

/** What says what is done, not where the reader looks. @type {(keyof Choice)[]} */
const DONE = ["scratch", "masks", "muted", "texts", "targets", "pairs", "against", "matrix"];

/** What switches changed, so that turning one off puts back what was there, where nobody has changed it since. */
export class Before {
  /** @type {Map<string, {was: Partial<Choice>, put: Partial<Choice>}>} */
  #held = new Map();

  /** @param {string} id @param {Readonly<Choice>} choice @param {Partial<Choice>} put what turning it on changes */
  on(id, choice, put) {
    // where it brings no text, the reader may type another, which has other tokens to look at
    const typed = "texts" in put || "targets" in put;
    const keys = /** @type {(keyof Choice)[]} */ (Object.keys(put)).filter(
      (key) => typed || (key !== "shown" && key !== "query"),
    );
    if (keys.length === 0) return put;
    const was = Object.fromEntries(keys.map((key) => [key, choice[key]]));
    this.#held.set(id, { was, put });
    return put;
  }

  /** @param {string} id @param {Readonly<Choice>} choice @param {Partial<Choice>} plain where nothing is known of before */
  off(id, choice, plain) {
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (!held) return plain;
    const stands = DONE.every((key) => !(key in held.put) || same(choice[key], held.put[key]));
    return stands ? held.was : plain;
  }
}

/** Which are on. @param {Now} now */
export const mistakesOf = (now) => MISTAKES.filter(({ is }) => is(now));

/**
 * The same without any mistake: what the page measures against.
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
