// What a request may ask of the predictions, and the tokens that it may have generated first. Mirrors the classes `Predict`
// and `GenerateTokens` in server/schemas/requests.py.

import LIMITS from "../../../facts/limits.json" with { type: "json" };
import { list, record } from "../containers.js";
import { boolean, index, integer, number, optional, unique } from "../fields.js";

const TEMPERATURE = number({ ge: 0.05, le: 100 });
const TOP_P = optional(number({ ge: 0.001, le: 1 }));

/**
 * @typedef {object} Predict
 * @property {number} top_k
 * @property {number | null} position
 * @property {number} temperature
 * @property {number | null} top_p
 * @property {number[]} tokens
 * @property {boolean} unedited
 */

export const PREDICT = record("Predict", {
  top_k: [integer({ ge: 1, le: 100 }), 10],
  position: [optional(index), null],
  temperature: [TEMPERATURE, 1],
  top_p: [TOP_P, null],
  tokens: [unique(list(index, { max: 100 })), []],
  unedited: [boolean, false],
});

/** @type {Predict} what a request without `predict` asks for, if the model can predict */
export const TEN_TOKENS = PREDICT({}, [], []);

export const GENERATE = record("GenerateTokens", {
  n_tokens: [integer({ ge: 1, le: 64 })],
  sampled: [boolean, false],
  temperature: [TEMPERATURE, 1],
  seed: [integer({ ge: 0, le: 2n ** 63n - 1n }), 0],
  top_k: [optional(integer({ ge: 1, le: LIMITS.index })), null],
  top_p: [TOP_P, null],
});
