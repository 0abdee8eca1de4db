// Lines: what is drawn, in words; and the exact numbers of what is isolated. Pure.

import { isOfHead, MATRICES } from "../../state/matrices.js";
import { weight } from "../../words/format.js";
import { sumAt } from "./strengths.js";

/** @typedef {import("./picture.js").Picture} Picture */
/** @typedef {import("./picture.js").Focus} Focus */
/** @typedef {import("./picture.js").Detail} Detail */
/** @typedef {import("./strengths.js").Drawn} Drawn */

const LISTED = 5; // tokens in a sentence
const STACKS = { self: "", encoder: "encoder ", decoder: "decoder ", cross: "cross " };

/** @param {Picture} picture @param {Detail} detail */
export const titleOf = ({ matrix, series }, { site, head }) => {
  const stack = STACKS[site.kind];
  const name = !isOfHead(matrix)
    ? `Attention ${matrix}, all ${stack}layers and heads`
    : `${capital(`${stack}layer`)} ${site.layer} · head ${head}, ${MATRICES[matrix].unit}s`;
  const others = series.length - 1;
  return others > 0 ? `${name}, with ${count(others, "other head")}` : name;
};

/**
 * Every sentence that is needed to know what the picture shows and what it leaves out.
 * @param {Picture} picture
 * @param {Drawn} drawn
 * @param {number} hiddenPins
 */
export function said(picture, drawn, hiddenPins) {
  const { matrix, asked, series, missing, left, mass, by } = picture;
  const heads = series.length > 1 ? ` of ${series.length} heads` : "";
  const words = [
    drawn.full > 0
      ? `Lines are ${MATRICES[matrix].lines}${heads}; the darkest is ${weight(drawn.full)}.`
      : "No token shown looks at a token shown: there is no line.",
  ];
  if (asked === "scores")
    words.push("Scores are of either sign and make no lines: this is the pattern.");
  else if (asked !== matrix) words.push(`There is no ${asked} here: this is the pattern.`);
  if (left) words.push("Rollout is of all heads together: no other head is drawn over it.");
  if (missing > 0) words.push(`Not drawn yet: ${count(missing, "overlaid head")}.`);
  if (by === "layer") words.push("More heads than colours: each colour is a layer.");
  if (by === "layers") words.push("More heads than colours: each colour is a few layers.");
  words.push(...specialsSaid(picture));
  if (hiddenPins > 0)
    words.push(`Hidden and not in the sum: ${count(hiddenPins, "pinned token")}.`);
  if (mass < 1) {
    words.push(
      `Drawn are the fewest keys that hold ${Math.round(100 * mass)}% of a row; the numbers count every key.`,
    );
  }
  if (drawn.cut) {
    const [seen, there] = [drawn.seen, drawn.there].map((n) => n.toLocaleString("en-GB"));
    words.push(
      `Drawn are the strongest ${seen} of ${there} lines, from ${weight(drawn.least)} on.`,
    );
  }
  if (picture.block) words.push("What is outside the chosen segments is pale.");
  return words;
}

/** @param {Picture} picture */
function specialsSaid({ specials, hidden, renormalise, matrix }) {
  if (specials === "shown") return [];
  if (hidden === 0) return ["There are no special tokens to hide."];
  if (renormalise) {
    return [
      "Special tokens are hidden; each row is divided by what is left, so that the keys shown sum to 1.",
    ];
  }
  const { sums, unit } = MATRICES[matrix];
  if (!sums)
    return [`Special tokens are hidden; ${unit}s have no sum to keep, so they stay as they are.`];
  return ["Weights of the keys shown do not sum to 1: special tokens are hidden."];
}

/**
 * What is isolated, with the largest numbers.
 * @param {Picture} picture
 * @param {Focus} focus
 * @param {Detail} detail
 * @returns {{what: string, numbers: {name: string, value: string}[], rest: string}}
 */
export function numbersOf({ shown, series, matrix }, focus, { queryLabels, keyLabels }) {
  const heads = series.length > 1 ? `, sum of ${series.length} heads` : "";
  const [labels, values, places] = focus.given
    ? [queryLabels, focus.given, shown.from]
    : [keyLabels, focus.received, shown.to];
  const found = places
    .map((place) => ({ place, value: sumAt(values, place) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const numbers = found
    .slice(0, LISTED)
    .map(({ place, value }) => ({ name: `${place} ${labels[place]}`, value: weight(value) }));
  const more = found.length - numbers.length;
  const rest = numbers.length === 0 ? "nothing" : more > 0 ? `and ${count(more, "other")}` : "";
  const { row } = MATRICES[matrix];
  return { what: `${whatOf(focus, queryLabels, keyLabels, row)}${heads}:`, numbers, rest };
}

/** @param {Focus} focus @param {string[]} queries @param {string[]} keys @param {string} does */
function whatOf({ kind, pointed, rows }, queries, keys, does) {
  /** @param {string[]} labels @param {number} place */
  const name = (labels, place) => `${place} ${labels[place]}`;
  if (kind === "query" && pointed) return `query ${name(queries, pointed.place)} ${does}`;
  if (kind === "key" && pointed) return `key ${name(keys, pointed.place)} gets from`;
  if (kind === "all") return `sum of all ${count(rows.length, "row")}`;
  const some = rows.slice(0, LISTED).map((place) => name(queries, place));
  const names = rows.length > some.length ? [...some, "…"] : some;
  return `sum of ${count(rows.length, "row")} (${names.join(", ")})`;
}

/** @param {number} n @param {string} what */
const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
