// What people believe of attention, each with what shows that it is not so: a change of what the reader chose, and the way
// back. Pure.

import { isLong } from "../../asking/requests.js";
import { say, sites } from "../../numbers/facts.js";
import { mechanismOf, withSettings } from "../../sources/scratch/settings.js";
import { isPermuted, reversed } from "../../sources/scratch/texts.js";
import { comparing, heldOf, transposeOf } from "../../state/against.js";
import { same } from "../../state/same.js";

/** @typedef {import("../../types.d.ts").Answer} Answer */
/** @typedef {import("../../types.d.ts").Choice} Choice */
/** @typedef {import("./mistaken.js").Now} Now */
/** @typedef {Now & {facts: Answer | null}} Known with all heads of the layer, once they are there */
/**
 * @typedef {object} Belief
 * @property {string} id
 * @property {string} name
 * @property {string} sentence
 * @property {import("../../numbers/measures.js").Measure[]} measures
 * @property {(now: Known) => boolean} is
 * @property {(now: Known) => Partial<Choice>} on
 * @property {(now: Known) => Partial<Choice>} off
 * @property {(now: Known) => string} [why] it means nothing here; "": it does
 */

/** Why nothing is measured. */
export const TOO_LONG = "The text is too long to be measured here. Shorten it.";
const BY_PLACE =
  "The file of weights has a vector for each token id, and ids follow the order of the words: in another order they get other vectors. Remove the file.";

/** @type {Belief[]} */
export const BELIEFS = [
  {
    id: "transpose",
    name: "“What i gives j, j gives i”",
    sentence:
      "The pattern beside its own transpose: q and k are two roles, and rows are shared out one by one.",
    measures: ["transpose"],
    is: ({ choice }) => choice.view === "compare" && Boolean(choice.against?.transposed),
    on: ({ choice }) => comparing(transposeOf(choice)),
    off: () => ({ against: null, view: "heatmap" }),
    why: ({ choice }) =>
      choice.kind === "cross"
        ? "Queries and keys are of two texts here: there is no way back."
        : "",
  },
  {
    id: "first-column",
    name: "“A hot first column means importance”",
    sentence:
      "Weight alone does not say how much is moved: the norms weigh it by the length of v W_O. Compare the two shares.",
    measures: ["first_column"],
    is: ({ choice }) => choice.matrix === "norms",
    on: () => ({ matrix: "norms", view: "heatmap" }),
    off: () => ({ matrix: "pattern" }),
    why: ({ model }) =>
      model.tensors?.includes("norms") === false
        ? "This mechanism has no W_O to weigh by. Choose one that has, as multi-head."
        : "",
  },
  {
    id: "order",
    name: "“Attention knows the order of words”",
    sentence:
      "The same words the other way round, without positions and causal mask: every word gets just what it got.",
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
        window: null, // it is of places, too
      };
      const [key, texts] = asking(choice);
      const text = reversed(texts[choice.shown] ?? "", choice);
      return {
        ...{ scratch, masks, [key]: texts.with(choice.shown, text), query: null },
        against: { ...heldOf(choice), scratch, masks },
      };
    },
    off: ({ choice }) => {
      const { against, masks, scratch } = choice;
      if (!against) return {};
      const { texts, targets } = against;
      return {
        ...{ texts, targets, against: null, query: null, scratch: { ...scratch } },
        masks: { ...masks, causal: masks.causal === false ? null : masks.causal },
      };
    },
    why: ({ choice, facts }) => {
      const bound = boundBy(choice, facts);
      if (bound) return bound;
      const [, texts] = asking(choice);
      const text = texts[choice.shown] ?? "";
      return isReordered(choice) || isPermuted(text, reversed(text, choice), choice)
        ? ""
        : "This text reads the same both ways. Type another.";
    },
  },
  {
    id: "cause",
    name: "“The largest weight is the cause”",
    sentence:
      "The head with the largest weight on this row is muted, and what the layer loses is compared with what others give.",
    measures: [],
    is: ({ choice }) => mutedSince(choice) !== null,
    on: ({ choice, facts, row }) => {
      const found = facts && givers(facts, choice.shown, row)[0];
      if (!found) return {};
      const { layer, muted } = choice;
      return {
        ...{ muted: [...muted, /** @type {[number, number]} */ ([layer, found.head])] },
        ...{ against: heldOf(choice), head: found.head },
      };
    },
    off: ({ choice }) => ({ muted: choice.against?.muted ?? [], against: null }),
    why: ({ choice, model, facts }) => {
      if ((model.n_heads ?? 0) < 2) return "There is one head only: nothing to compare it with.";
      if (isLong(choice)) return TOO_LONG;
      return facts ? "" : "…";
    },
  },
];

/** Which texts look: the targets of cross-attention. @param {Readonly<Choice>} choice @returns {["texts" | "targets", string[]]} */
const asking = ({ kind, texts, targets }) =>
  kind === "cross" ? ["targets", targets] : ["texts", texts];

/** Why a file of weights leaves no order to change; "": it does, or there is none. @param {Readonly<Choice>} choice @param {Answer | null} facts */
function boundBy(choice, facts) {
  if (choice.scratch.weights === undefined) return "";
  if (isLong(choice)) return TOO_LONG;
  const names = facts?.trace.scratch?.weights;
  if (!names) return "…"; // what is in it is known with the answer
  return names.includes("embedding.weight") ? BY_PLACE : "";
}

/** Whether A is of the same mechanism. @param {Readonly<Choice>} choice @param {import("../../types.d.ts").Against} against */
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

/** What the page measures against: what was held when a belief was set up. @param {Known} now */
export const heldFor = (now) =>
  ["order", "cause"].some((id) => BELIEFS.find((one) => one.id === id)?.is(now))
    ? now.choice.against
    : null;

/**
 * The heads of a layer by their largest weight on a row, with the length of what each gives the token (z).
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
      const given = Array.from({ length: d_head }, (_, i) => z?.[query * d_head + i] ?? 0);
      return { head, most: Math.max(...weights), length: Math.hypot(...given) };
    })
    .sort((a, b) => b.most - a.most);
}

/**
 * What muting the head with the largest weight takes, beside what muting another would.
 * @param {Answer} before
 * @param {number} text
 * @param {number} row
 */
export function causeInWords(before, text, row) {
  const found = givers(before, text, row);
  const [first] = found;
  if (!first) return "";
  const top = found.reduce((best, one) => (one.length > best.length ? one : best));
  const start = `Head ${first.head} has the largest weight on this row, ${say(first.most)}; muted, the token loses a z of length ${say(first.length)}.`;
  if (top.head === first.head) {
    const second = [...found].sort((a, b) => b.length - a.length)[1];
    return second
      ? `${start} Here it is the longest, too; the next is head ${second.head} with ${say(second.length)}. Try another token.`
      : start;
  }
  return `${start} Head ${top.head}, whose largest weight is ${say(top.most)}, gives more: ${say(top.length)}.`;
}
