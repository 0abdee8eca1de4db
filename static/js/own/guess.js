// What a file seems to hold: which arrays are patterns or q, k and v, which axis is which, and what is known of the rest. The reader
// confirms it or corrects it.

import KINDS from "../facts/kinds.json" with { type: "json" };
import { FileError } from "../files/errors.js";
import { guessAxes } from "./axes.js";
import { isParameter, named } from "./names.js";
import { isSeparator } from "./tokens.js";

/** @import { Kind } from "../types.d.ts" */
/** @import { Axis, Family } from "./axes.js" */
/** @import { Contents } from "./formats/contents.js" */
/** @import { Named, Part } from "./names.js" */

/** The arrays of one kind of sites; those of a part are its layers, in order. @typedef {{kind: Kind, parts: Partial<Record<Part, Named[]>>}} Group */

/**
 * What the file says, for the reader.
 * @typedef {object} Found
 * @property {string} format
 * @property {{name: string, shape: number[], dtype: string, used: boolean}[]} arrays
 * @property {Group[]} groups
 * @property {Partial<Record<Family, number[]>>} shapes the shape of the first array of each family
 */

/**
 * What a file cannot say, or what the reader knows better.
 * @typedef {object} Settings
 * @property {Partial<Record<Family, Axis[]>>} axes
 * @property {string[][] | null} tokens of each text; of the keys, if those are another sequence; null: numbered
 * @property {string[][] | null} targets of the queries, if they are another sequence
 * @property {boolean} two whether queries and keys are two sequences
 * @property {number | null} second where a second sequence begins among the tokens
 * @property {number | null} scale null: 1 / √d_head
 * @property {boolean} causal
 * @property {number} first the first text that is shown of a batch that has more than the page shows
 */

const TOKENS = [
  "tokens",
  "str_tokens",
  "token_strings",
  "words",
  "labels",
  "input_tokens",
  "key_tokens",
  "source_tokens",
  "encoder_tokens",
  "source",
  "src",
  "src_tokens",
];
const TARGETS = [
  "target_tokens",
  "query_tokens",
  "decoder_tokens",
  "target",
  "trg",
  "trg_tokens",
  "tgt",
  "tgt_tokens",
];
const SECOND = ["second", "second_start", "sentence_b_start"];

/**
 * @param {Contents} contents
 * @returns {{found: Found, settings: Settings}}
 * @throws {FileError} if there is nothing to show
 */
export function guess({ format, arrays, facts }) {
  const list = namesOf(arrays);
  const groups = groupsOf(list);
  if (groups.length === 0) throw new FileError(nothing(arrays));
  const used = new Set(
    groups.flatMap(({ parts }) =>
      Object.values(parts).flatMap((all) => all.map(({ name }) => name)),
    ),
  );
  const tokens = tokensIn(facts, TOKENS);
  const targets = tokensIn(facts, TARGETS);
  /** @type {Found["shapes"]} */
  const shapes = {};
  /** @type {Settings["axes"]} */
  const axes = {};
  const self = groups.find(({ kind }) => kind !== "cross") ?? groups[0];
  for (const [family, one] of /** @type {[Family, Named | undefined][]} */ ([
    ["pattern", self.parts.pattern?.[0]],
    ["vectors", self.parts.q?.[0]],
  ])) {
    const array = one && arrays.get(one.name);
    if (!array) continue;
    shapes[family] = array.shape;
    axes[family] = guessAxes(family, array, one, tokens?.[0]?.length ?? null);
  }
  const [pattern] = [axes.pattern];
  const first = arrays.get(self.parts.pattern?.[0]?.name ?? "");
  const isSquare = !pattern || sizeOf(first, pattern, "query") === sizeOf(first, pattern, "key");
  return {
    found: {
      format,
      groups,
      shapes,
      arrays: [...arrays].map(([name, { shape, dtype }]) => ({
        name,
        shape,
        dtype,
        used: used.has(name),
      })),
    },
    settings: {
      axes,
      tokens,
      targets,
      two: !isSquare || groups.length > 1 || groups[0].kind === "cross" || targets !== null,
      second: secondIn(facts, tokens),
      scale: numberIn(facts.scale),
      first: 0,
      causal:
        flagIn(facts.causal) ?? (first && pattern ? isLower(first, pattern) : groups.length === 1),
    },
  };
}

/** @param {{shape: number[]} | undefined} array @param {Axis[]} axes @param {Axis} axis */
const sizeOf = (array, axes, axis) => array?.shape[axes.indexOf(axis)];

/** The arrays whose names say what they are; a single one need not. @param {Contents["arrays"]} arrays */
function namesOf(arrays) {
  const all = [...arrays].flatMap(([name, { shape }]) => (shape.length >= 2 ? named(name) : []));
  const known = all.filter(({ part }) => part !== null);
  if (known.length === 0 && all.length === 1 && !isParameter(all[0].name))
    return [{ ...all[0], part: /** @type {const} */ ("pattern") }];
  const nameless = known.filter(({ name }) => /^arr_\d+$/.test(name));
  if (nameless.length < 2) return known;
  // np.savez(path, *attentions): a list with one array a layer
  return known.map((one) =>
    nameless.includes(one) ? { ...one, layer: Number(one.name.slice(4)) } : one,
  );
}

/** @param {Named[]} list @returns {Group[]} */
function groupsOf(list) {
  const kinds = [...new Set(list.map(({ kind }) => kind))];
  const groups = KINDS.filter((kind) => kinds.includes(kind))
    .map((kind) => {
      /** @type {Group["parts"]} */
      const parts = {};
      for (const one of list) {
        if (one.kind !== kind || !one.part) continue;
        parts[one.part] = [...(parts[one.part] ?? []), one];
      }
      for (const all of Object.values(parts)) all.sort((a, b) => (a.layer ?? 0) - (b.layer ?? 0));
      return { kind, parts };
    })
    .filter(({ parts }) => parts.pattern || parts.q);
  return groups.map((group) => ({ ...group, kind: kindIn(group.kind, groups) }));
}

/** In a single stack, an encoder or decoder is not one of a pair. @param {Kind} kind @param {Group[]} groups @returns {Kind} */
function kindIn(kind, groups) {
  if (kind === "cross") return kind;
  if (groups.length === 1) return "self";
  return kind === "self" ? "decoder" : kind;
}

/** @param {Contents["arrays"]} arrays */
function nothing(arrays) {
  const list = [...arrays].slice(0, 6).map(([name, { shape }]) => `${name} [${shape.join(", ")}]`);
  if ([...arrays.keys()].some(isParameter)) {
    return `This file seems to hold the weights of a model: ${list.join(", ")} … The page needs what attention computed on a text. Save the patterns, or q, k and v.`;
  }
  const has =
    list.length > 0
      ? `The file has: ${list.join(", ")}${arrays.size > 6 ? " …" : ""}.`
      : "The file has no arrays of numbers.";
  return `No array in this file is called a pattern, or q and k. ${has} Call patterns “pattern”, and vectors “q”, “k” and “v”.`;
}

/** @param {Record<string, any>} facts @param {string[]} names @returns {string[][] | null} */
function tokensIn(facts, names) {
  const value = names
    .map((name) => facts[name])
    .find((one) => Array.isArray(one) && one.length > 0);
  if (!value) return null;
  const rows = Array.isArray(value[0]) ? value : [value];
  const text = (/** @type {any} */ token) => String(token?.token ?? token); // inseq: {"id": 5, "token": "▁the"}
  return rows.map((/** @type {any[]} */ row) => [row].flat().map(text));
}

/** Where a second sequence begins: as the file says, or after a separator within the text. @param {Record<string, any>} facts @param {string[][] | null} tokens */
function secondIn(facts, tokens) {
  const said = SECOND.map((name) => numberIn(facts[name])).find((one) => one !== null) ?? null;
  if (said !== null || tokens?.length !== 1) return said;
  const [row] = tokens;
  const at = row.findIndex(isSeparator);
  const after = row.findIndex((token, index) => index > at && !isSeparator(token));
  return at > 0 && after > 0 && row.slice(after).some(isSeparator) ? after : null;
}

/** @param {unknown} value */
const numberIn = (value) =>
  value !== null && value !== "" && Number.isFinite(Number(value)) ? Number(value) : null;

/** @param {unknown} value */
const flagIn = (value) =>
  [true, "true", "True", 1].includes(/** @type {any} */ (value))
    ? true
    : [false, "false", "False", 0].includes(/** @type {any} */ (value))
      ? false
      : null;

/** Whether no query of a square pattern looks at a later key. @param {import("./formats/contents.js").NumberArray} array @param {Axis[]} axes */
function isLower({ shape, data }, axes) {
  const [query, key] = [axes.indexOf("query"), axes.indexOf("key")];
  if (shape[query] !== shape[key] || shape[key] < 2) return false;
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  for (let at = 0; at < data.length; at++) {
    const row = Math.floor(at / strides[query]) % shape[query];
    if (Math.floor(at / strides[key]) % shape[key] > row && data[at] !== 0) return false;
  }
  return true;
}
