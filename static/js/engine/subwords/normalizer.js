// The normalizers of a tokenizer.json, with the place in the typed text that each character comes from.

import { CheckpointError } from "../errors.js";
import { translated } from "./patterns.js";

/**
 * A text on its way to tokens. `ends[i]` is where the typed character that the UTF-16 unit `text[i]` comes from ends, in code
 * points of the typed text; an inserted character shares the end of the one before it.
 * @typedef {{text: string, ends: Int32Array}} Aligned
 */

/** @typedef {(aligned: Aligned) => Aligned} Normalizer */

/**
 * The parts of `normalizer` in a tokenizer.json that the page knows.
 * @param {any} spec
 * @returns {Normalizer}
 * @throws {CheckpointError} a normalizer of another kind
 */
export function normalizerOf(spec) {
  if (spec === null) return (aligned) => aligned;
  switch (spec.type) {
    case "Sequence": {
      const steps = spec.normalizers.map(normalizerOf);
      return (aligned) =>
        steps.reduce(
          (/** @type {Aligned} */ so, /** @type {Normalizer} */ step) => step(so),
          aligned,
        );
    }
    case "Lowercase":
      return lowercase;
    case "Replace": {
      const pattern = patternOf(spec.pattern);
      return (aligned) => replace(aligned, pattern, spec.content);
    }
  }
  throw new CheckpointError(
    `The tokenizer has a normalizer of type ${spec.type}, which the page cannot run. Trace on the server.`,
  );
}

/**
 * A pattern of a tokenizer.json: an exact text or a regular expression.
 * @param {{String?: string, Regex?: string}} pattern
 */
export function patternOf({ String: text, Regex: regex }) {
  if (regex !== undefined) return translated(regex);
  const points = [...(text ?? "")].map((one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
  return new RegExp(points.join(""), "gv");
}

/**
 * The matches of a pattern as the `tokenizers` library finds them: an empty match directly after another does not count.
 * @param {string} text
 * @param {RegExp} pattern
 * @returns {Generator<[start: number, end: number]>}
 */
export function* matches(text, pattern) {
  let last = -1;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    const end = index + found.length;
    if (end > index || index !== last) yield [index, end];
    last = end;
  }
}

/** A typed text, with each character aligned to itself. @param {string} text @returns {Aligned} */
export function typed(text) {
  const ends = new Int32Array(text.length);
  let unit = 0;
  let end = 0;
  for (const character of text) {
    end++;
    for (let i = 0; i < character.length; i++) ends[unit++] = end;
  }
  return { text, ends };
}

/** Lower case, character by character: a final sigma is no different. @param {Aligned} aligned @returns {Aligned} */
function lowercase({ text, ends }) {
  const lower = [...text].map((character) => character.toLowerCase());
  const found = new Int32Array(lower.reduce((sum, character) => sum + character.length, 0));
  let from = 0;
  let to = 0;
  for (const character of lower) {
    found.fill(ends[from], to, to + character.length);
    to += character.length;
    from += /** @type {number} */ (text.codePointAt(from)) > 0xffff ? 2 : 1;
  }
  return { text: lower.join(""), ends: found };
}

/**
 * @param {Aligned} aligned
 * @param {RegExp} pattern
 * @param {string} content what each match becomes, aligned to the last character of the match or, if it is empty, to the one
 *   before it
 * @returns {Aligned}
 */
function replace({ text, ends }, pattern, content) {
  const found = [...matches(text, pattern)];
  const kept = found.reduce((sum, [start, end]) => sum - (end - start), text.length);
  const aligned = new Int32Array(kept + found.length * content.length);
  const parts = [];
  let from = 0;
  let to = 0;
  const keep = (/** @type {number} */ end) => {
    parts.push(text.slice(from, end));
    aligned.set(ends.subarray(from, end), to);
    to += end - from;
  };
  for (const [start, end] of found) {
    keep(start);
    parts.push(content);
    aligned.fill(end ? ends[end - 1] : 0, to, to + content.length);
    to += content.length;
    from = end;
  }
  keep(text.length);
  return { text: parts.join(""), ends: aligned };
}
