// What people believe of attention: each belief with a change of the reader's choice that shows that it is not so, and the change
// back. Pure.

import { isLong } from "../../asking/requests.js";
import { sites } from "../../numbers/facts.js";
import { mechanismOf, withSettings } from "../../sources/scratch/settings.js";
import { isPermuted, reversed } from "../../sources/scratch/texts.js";
import { comparing, heldOf, transposeOf } from "../../state/against.js";
import { same } from "../../state/store.js";
import { threeDigits } from "../../words/format.js";
import * as words from "./words.js";

/** @import { Answer, Choice } from "../../types.d.ts" */
/** @import { Now } from "./mistakes.js" */
/** @typedef {Now & {facts: Answer | null}} Known `facts`: all heads of the layer, once they are loaded */
/**
 * @typedef {object} Belief
 * @property {string} id
 * @property {string} name
 * @property {string} sentence
 * @property {import("../../numbers/measures.js").Measure[]} measures
 * @property {(now: Known) => boolean} is
 * @property {(now: Known) => Partial<Choice>} on
 * @property {(now: Known) => Partial<Choice>} off
 * @property {(now: Known) => string} [why] why it means nothing here; "" if it does mean something
 */

/** @type {Belief[]} */
export const BELIEFS = [
  {
    id: "transpose",
    ...words.BELIEFS.transpose,
    measures: ["transpose"],
    is: ({ choice }) => choice.view === "compare" && Boolean(choice.against?.transposed),
    on: ({ choice }) => comparing(transposeOf(choice)),
    off: () => ({ against: null, view: "heatmap" }),
    why: ({ choice }) => (choice.kind === "cross" ? words.UNAVAILABLE.twoTexts : ""),
  },
  {
    id: "first-column",
    ...words.BELIEFS.firstColumn,
    measures: ["first_column"],
    is: ({ choice }) => choice.matrix === "norms",
    on: () => ({ matrix: "norms", view: "heatmap" }),
    off: () => ({ matrix: "pattern" }),
    why: ({ model }) =>
      model.tensors?.includes("norms") === false ? words.UNAVAILABLE.noOutput : "",
  },
  {
    id: "order",
    ...words.BELIEFS.order,
    measures: ["order"],
    is: ({ choice }) => isReordered(choice),
    on: (now) => {
      const { choice, model } = now;
      const mechanism = mechanismOf(model, choice.scratch);
      // a new object in any case, so that undo brings the texts back
      const scratch = mechanism
        ? withSettings(choice.scratch, { positions: "none" }, mechanism)
        : { ...choice.scratch };
      const causal = choice.kind !== "cross" && (choice.masks.causal ?? model.causal);
      const masks = {
        ...choice.masks,
        causal: causal ? false : choice.masks.causal,
        window: null, // it depends on positions, too
      };
      const [key, texts] = asking(choice);
      const text = reversed(texts[choice.shown] ?? "", choice);
      return {
        scratch,
        masks,
        [key]: texts.with(choice.shown, text),
        query: null,
        against: { ...heldOf(choice), scratch, masks },
      };
    },
    off: ({ choice }) => {
      const { against, masks, scratch } = choice;
      if (!against) return {};
      const { texts, targets } = against;
      return {
        texts,
        targets,
        against: null,
        query: null,
        scratch: { ...scratch },
        masks: { ...masks, causal: masks.causal === false ? null : masks.causal },
      };
    },
    why: ({ choice, facts }) => {
      const reason = whyOrderCounts(choice, facts);
      if (reason) return reason;
      const [, texts] = asking(choice);
      const text = texts[choice.shown] ?? "";
      return isReordered(choice) || isPermuted(text, reversed(text, choice), choice)
        ? ""
        : words.UNAVAILABLE.palindrome;
    },
  },
  {
    id: "cause",
    ...words.BELIEFS.cause,
    measures: [],
    is: ({ choice }) => mutedSince(choice) !== null,
    on: ({ choice, facts, row }) => {
      const strongest = facts && givers(facts, choice.shown, row)[0];
      if (!strongest) return {};
      const { head } = strongest;
      const { layer, muted } = choice;
      return {
        muted: [...muted, /** @type {[number, number]} */ ([layer, head])],
        against: heldOf(choice),
        head,
      };
    },
    off: ({ choice }) => ({ muted: choice.against?.muted ?? [], against: null }),
    why: ({ choice, model, facts }) => {
      if ((model.n_heads ?? 0) < 2) return words.UNAVAILABLE.oneHead;
      if (isLong(choice)) return words.UNAVAILABLE.tooLong;
      return facts ? "" : words.WAITING;
    },
  },
];

/** The texts of the queries: the targets in cross-attention. @param {Readonly<Choice>} choice @returns {["texts" | "targets", string[]]} */
const asking = ({ kind, texts, targets }) =>
  kind === "cross" ? ["targets", targets] : ["texts", texts];

/** Why the order of words counts with this file of weights; "" if it does not, or if there is no file. @param {Readonly<Choice>} choice @param {Answer | null} facts */
function whyOrderCounts(choice, facts) {
  if (choice.scratch.weights === undefined) return "";
  if (isLong(choice)) return words.UNAVAILABLE.tooLong;
  const names = facts?.trace.scratch?.weights;
  if (!names) return words.WAITING; // the answer says what is in the file
  return names.includes("embedding.weight") ? words.UNAVAILABLE.weightsByPlace : "";
}

/** Whether A has the same mechanism and settings. @param {Readonly<Choice>} choice @param {import("../../types.d.ts").Against} against */
const isAlike = ({ model, scratch }, against) =>
  model === against.model && same(scratch, against.scratch);

/** @param {Readonly<Choice>} choice */
function isReordered(choice) {
  const { against, shown } = choice;
  if (!against || against.shown !== shown || !isAlike(choice, against)) return false;
  const [[, now], [, before]] = [asking(choice), asking({ ...choice, ...against })];
  return isPermuted(now[shown] ?? "", before[shown] ?? "", choice);
}

/** The head that was muted since A was held. @param {Readonly<Choice>} choice @returns {[layer: number, head: number] | null} */
function mutedSince(choice) {
  const { against, muted } = choice;
  if (!against || muted.length !== against.muted.length + 1 || !isAlike(choice, against))
    return null;
  const [layer, head] = muted[muted.length - 1];
  return against.muted.some(([l, h]) => l === layer && h === head) ? null : [layer, head];
}

/** What the page measures against: the choice that was held as A when a belief was set up. @param {Known} now */
export const heldFor = (now) =>
  ["order", "cause"].some((id) => BELIEFS.find((one) => one.id === id)?.is(now))
    ? now.choice.against
    : null;

/**
 * The heads of a layer by their largest weight on a row, with the length of the z that each gives the token.
 * @param {Answer} answer
 * @param {number} text
 * @param {number} row
 */
export function givers(answer, text, row) {
  const place = Math.min(text, answer.trace.tokens.length - 1);
  return sites(answer, place)
    .map(({ head, pattern, z, n_keys, n_queries, d_head }) => {
      const query = Math.min(row, n_queries - 1);
      const weights = Array.from({ length: n_keys }, (_, key) => pattern[query * n_keys + key]);
      const output = Array.from({ length: d_head }, (_, i) => z?.[query * d_head + i] ?? 0);
      return { head, weight: Math.max(...weights), length: Math.hypot(...output) };
    })
    .sort((a, b) => b.weight - a.weight);
}

/**
 * What muting the head with the largest weight takes away, beside what muting another would.
 * @param {Answer} before
 * @param {number} text
 * @param {number} row
 */
export function causeInWords(before, text, row) {
  const heads = givers(before, text, row);
  const [first] = heads;
  if (!first) return "";
  const [longest, second] = heads.toSorted((a, b) => b.length - a.length);
  const muted = words.causeMuted({
    head: first.head,
    weight: threeDigits(first.weight),
    length: threeDigits(first.length),
  });
  if (longest.head !== first.head) {
    const { head, weight, length } = longest;
    return `${muted} ${words.causeRefuted({ head, weight: threeDigits(weight), length: threeDigits(length) })}`;
  }
  if (!second) return muted;
  return `${muted} ${words.causeConfirmed({ head: second.head, length: threeDigits(second.length) })}`;
}
