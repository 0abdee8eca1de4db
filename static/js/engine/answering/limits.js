// How large requests and answers may be. They are the defaults of the server, too.
//
// The server's limit on processor time (`too_expensive`) is not here: it shares one machine among a class, and the page's machine
// serves one reader, whose answer is only late.

import MAXIMA from "../../facts/limits.json" with { type: "json" };
import { InputError, LimitError, sentence } from "../errors.js";

/**
 * @typedef {object} Limits
 * @property {number} texts per request
 * @property {number} characters (code points) per text
 * @property {number} tokens per text; a model's own limit may be lower
 * @property {number} bytes of a request as JSON
 * @property {number} answer_bytes of an answer, estimated before it is computed
 * @property {number} mute_tokens that `mute_effects` may run: texts · tokens · heads of all layers
 */

const { texts, characters, tokens, body_bytes: bytes, answer_bytes, mute_tokens } = MAXIMA;

/** @type {Limits} */
export const LIMITS = { texts, characters, tokens, bytes, answer_bytes, mute_tokens };

/** @param {string} json the request @param {Limits} limits @throws {LimitError} */
export function checkBytes(json, { bytes }) {
  if (json.length * 3 <= bytes || new TextEncoder().encode(json).length <= bytes) return;
  throw new TooLarge(
    sentence(
      "Expected a body of at most {most} bytes; this one is larger. Send fewer or shorter texts, or fewer painted cells.",
      { most: bytes },
    ),
    { limit: bytes },
  );
}

class TooLarge extends LimitError {
  static code = "body_too_large";
  static status = 413;
}

/** @param {unknown[]} texts @param {string} field @param {Limits} limits @throws {LimitError} there are too many */
export function checkNumber(texts, field, limits) {
  if (texts.length <= limits.texts) return;
  throw new LimitError(
    sentence("Expected at most {most} {field}; got {n}. Send fewer.", {
      most: limits.texts,
      field,
      n: texts.length,
    }),
    { code: "too_many_texts", field, limit: limits.texts },
  );
}

/**
 * @param {string[]} texts
 * @param {"texts" | "targets" | "pairs"} field
 * @param {number} n how many there should be
 * @param {Limits} limits
 * @throws {LimitError} there are too many, or one is too long
 * @throws {InputError} there is not one for each text
 */
export function checkTexts(texts, field, n, limits) {
  checkNumber(texts, field, limits);
  if (texts.length !== n) {
    throw new InputError(`Expected ${n} ${field}, one for each text; got ${texts.length}.`, {
      field,
    });
  }
  for (const [index, text] of texts.entries()) {
    const length = text.length <= limits.characters ? text.length : [...text].length;
    if (length <= limits.characters) continue;
    throw new LimitError(
      sentence(
        "Expected at most {most} characters per text; this one has {n}. Shorten it, or trace it in parts.",
        { most: limits.characters, n: length },
      ),
      { code: "too_many_characters", field: `${field}.${index}`, limit: limits.characters },
    );
  }
}
