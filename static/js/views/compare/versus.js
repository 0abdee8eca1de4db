// What differs between A and B, in words; and what each predicts. Pure.

import { NAME as SCRATCH } from "../../sources/scratch/settings.js";
import { differenceInWords } from "../../sources/scratch/words.js";
import { areEdited, differingMasks } from "../../state/masks.js";
import { same } from "../../state/same.js";
import { label, percent, shorten } from "../../words/format.js";

/** @typedef {import("../../types.d.ts").Side} Against */
/** @typedef {import("../../types.d.ts").Kind} Kind */
/** @typedef {import("../../types.d.ts").Masks} Masks */
/** @typedef {import("../../types.d.ts").Mute} Mute */
/** @typedef {import("../../types.d.ts").Prediction} Prediction */

const TEXT = 32; // characters of a sentence that are said
const FEW = 3; // muted heads that are named

/** @type {Record<Kind, string>} */
const STACKS = { self: "", encoder: "encoder ", decoder: "decoder ", cross: "cross " };

/**
 * For each of the two, what differs from the other; both are empty if nothing does.
 * @param {Against} a
 * @param {Against} b
 * @returns {{a: string[], b: string[]}}
 */
export function differing(a, b) {
  /** @type {{a: string[], b: string[]}} */
  const said = { a: [], b: [] };
  /** @param {(side: Against) => unknown} of @param {(side: Against) => string} words */
  const where = (of, words) => {
    if (same(of(a), of(b))) return;
    said.a.push(words(a));
    said.b.push(words(b));
  };
  where(
    ({ model }) => model,
    ({ model }) => model,
  );
  if (a.model === SCRATCH && b.model === SCRATCH && !same(a.scratch, b.scratch)) {
    said.a.push(differenceInWords(a.scratch, b.scratch));
    said.b.push(differenceInWords(b.scratch, a.scratch));
  }
  where(({ texts, shown }) => texts[shown], text("texts", ""));
  if (a.texts.length !== b.texts.length || a.shown !== b.shown) {
    where(({ texts, shown }) => [texts.length, shown], counted);
  } else {
    where(others, () => "beside another text");
  }
  where(({ targets, shown }) => targets[shown] ?? "", text("targets", "target "));
  where(({ pairs, shown }) => pairs?.[shown] ?? null, text("pairs", "second segment "));
  const [ma, mb] = [masksInWords(a.masks, b.masks), masksInWords(b.masks, a.masks)];
  if (!same(a.masks, b.masks)) {
    said.a.push(ma);
    said.b.push(mb);
  }
  where(({ muted }) => muted.map((mute) => mute.join(".")).sort(), mutesInWords);
  where(({ kind, layer, head }) => [kind, layer, head], headInWords);
  where(
    ({ transposed = false }) => transposed,
    ({ transposed }) => (transposed ? "transposed (j → i)" : "as it is (i → j)"),
  );
  return said;
}

/** @param {{a: string[], b: string[]}} said */
export const sentence = ({ a, b }) =>
  a.length > 0
    ? `A: ${a.join(", ")}; B: ${b.join(", ")}.`
    : "A and B are the same. Change something — masks, mutes, head, sentence or model — and B follows.";

/** @param {"texts" | "targets" | "pairs"} key @param {string} before @returns {(side: Against) => string} */
const text = (key, before) => (side) => {
  const typed = side[key]?.[side.shown];
  return typed === undefined ? `no ${before}`.trim() : `${before}“${shorten(typed, TEXT)}”`;
};

/** @param {Against} side */
const counted = ({ texts, shown }) =>
  texts.length === 1 ? "one text" : `text ${shown + 1} of ${texts.length}`;

/** The other texts of the batch: they determine the padding. @param {Against} side */
const others = ({ texts, shown }) => texts.filter((_, place) => place !== shown);

/** "layer 1 head 3", with the stack if there are several. @param {Pick<Against, "kind" | "layer" | "head">} side */
export const headInWords = ({ kind, layer, head }) => `${STACKS[kind]}layer ${layer} head ${head}`;

/** @param {Pick<Against, "muted">} side */
function mutesInWords({ muted }) {
  if (muted.length === 0) return "no head muted";
  if (muted.length > FEW) return `${muted.length} heads muted`;
  const named = muted.map(([layer, head, kind = "self"]) => headInWords({ kind, layer, head }));
  return `${named.join(" and ")} muted`;
}

/**
 * The masks that differ.
 * @param {Masks} masks
 * @param {Masks} other
 */
function masksInWords(masks, other) {
  if (!areEdited(masks) && masks.padding_side === other.padding_side) {
    return "the model’s own masks";
  }
  return differingMasks(masks, other)
    .map(({ name, said }) => said.side(masks[name]))
    .join(", ");
}

/**
 * The most likely predictions of A and B in a sentence; "" if neither predicts.
 * @param {Prediction[] | null} a
 * @param {Prediction[] | null} b
 * @param {{a: string, b: string}} at the position, in words: "after “sat”"
 */
export function predicted(a, b, at) {
  const [topA, topB] = [a?.[0], b?.[0]];
  if (!topA && !topB) return "";
  if (!topA || !topB) {
    const [name, none, top, place] = topA ? ["A", "B", topA, at.a] : ["B", "A", topB, at.b];
    return top ? `${name} predicts ${shareOf(top)} ${place}; ${none} predicts nothing.` : "";
  }
  const together = at.a === at.b; // then it is mentioned once
  const start = together ? `${at.a[0].toUpperCase()}${at.a.slice(1)} ` : "";
  const [inA, inB] = together ? ["", ""] : [` ${at.a}`, ` ${at.b}`];
  if (said(topA) === said(topB)) {
    const shares = `A with ${percent(topA.probability)}${inA}, B with ${percent(topB.probability)}${inB}`;
    return `${start}${start ? "both" : "Both"} predict ${quoted(topA)}: ${shares}.`;
  }
  const left = b?.find((one) => said(one) === said(topA));
  const kept = left
    ? `has ${percent(left.probability)} in B`
    : `is not among the top ${b?.length} of B`;
  return `${start}A predicts ${shareOf(topA)}${inA}, B ${shareOf(topB)}${inB}; ${quoted(topA)} ${kept}.`;
}

/** The text of a token, without the marks in which vocabularies differ. @param {Prediction} token */
const said = (token) => label(token).toLowerCase();
/** @param {Prediction} token */
const quoted = (token) => `“${shorten(label(token), 16)}”`;
/** @param {Prediction} token */
const shareOf = (token) => `${quoted(token)} (${percent(token.probability)})`;
