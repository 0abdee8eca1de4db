// Branches: what a model would say after each of its likeliest next tokens. As model/sources/branching.py.

import { InputError, UnavailableError } from "../errors.js";
import { predict, readPositions, readTokens } from "../trace/trace.js";
import { generateSettings } from "./generation.js";

/** @import { Cell, Generated, Inputs, Trace } from "../types.d.ts" */
/** @import { Prediction } from "../../types.d.ts" */

export const FIELD = "analyse.branches";

/** @typedef {{position: number | null, top_k: number, n_tokens: number}} Asked */
/** @typedef {{token: Prediction, special: boolean, follows: Prediction[], ended: boolean}} Branch */
/** @typedef {(inputs: Inputs) => Generated | undefined} Continued */

/**
 * For each text, its `top_k` likeliest tokens after a position, and what would follow each.
 * @param {Trace} trace
 * @param {Inputs} inputs
 * @param {Continued} continued runs the model on inputs to generate
 * @param {Asked} asked
 * @returns {{position: number, branches: Branch[]}[]} no branches at padding
 * @throws {import("../errors.js").HeadlightError} the model does not predict next tokens, or there is no such position
 */
export function branches(trace, inputs, continued, { position, top_k, n_tokens }) {
  if (trace.predicts !== "next")
    throw new UnavailableError(
      `${trace.model} does not predict next tokens, so it cannot continue a text.`,
      { field: FIELD },
    );
  if (inputs.generate)
    throw new InputError(
      "Branches go on from what was typed: leave out `generate`, or type what it gave.",
      { field: FIELD },
    );
  const positions = readPositions(trace, position, FIELD);
  const likeliest = predict(trace, { top_k, position });
  return positions.map((at, text) => ({
    position: at,
    branches: ofText(trace, inputs, continued, text, at, likeliest[text], n_tokens),
  }));
}

/**
 * @param {Trace} trace
 * @param {Inputs} inputs
 * @param {Continued} continued
 * @param {number} text
 * @param {number} at
 * @param {import("../../types.d.ts").Listed[]} tokens
 * @param {number} n_tokens
 * @returns {Branch[]}
 */
function ofText(trace, inputs, continued, text, at, tokens, n_tokens) {
  const row = readTokens(trace)[text];
  if (row[at].padding) return [];
  const after = at - row.slice(0, at).filter(({ padding }) => padding).length;
  const start = { after, ids: tokens.map(({ id }) => id) };
  const own = alone(trace, inputs, text, tokens.length);
  const grown = continued({ ...own, generate: generateSettings({ n_tokens, start }) });
  if (!grown) return [];
  return tokens.map(({ id, text: spelled, probability, special }, branch) => ({
    token: { id, text: spelled, probability },
    special,
    follows: grown.rows[branch].slice(after + 2).map((one, n) => ({
      id: one.id,
      text: one.text,
      probability: Math.exp(grown.log_p[branch][n]),
    })),
    ended: grown.rows[branch][grown.rows[branch].length - 1].special,
  }));
}

/**
 * The inputs for copies of one of the texts, without padding.
 * @param {Trace} trace
 * @param {Inputs} inputs
 * @param {number} text
 * @param {number} copies
 * @returns {Inputs}
 */
function alone(trace, inputs, text, copies) {
  const { masks, texts, ids, targets, pairs } = inputs;
  const isMoved = masks.padding_side === "left" && trace.tokens[text][0].padding;
  if (isMoved && masks.blocked.length + masks.allowed.length > 0)
    throw new UnavailableError(
      "Painted cells and interventions count positions with the padding on the left, which branches do not have. Pad on the right.",
      { field: "masks.padding_side" },
    );
  /** @template T @param {T[]} each */
  const copied = (each) => each.slice(text, text + 1).flatMap((one) => Array(copies).fill(one));
  const ofRow = (/** @type {Cell[]} */ cells) =>
    cells
      .filter((cell) => cell.text === null || cell.text === text)
      .map((cell) => ({ ...cell, text: null }));
  return {
    ...inputs,
    texts: copied(texts),
    ids: ids ? copied(ids) : null,
    targets: targets && copied(targets),
    pairs: pairs && copied(pairs),
    masks: { ...masks, blocked: ofRow(masks.blocked), allowed: ofRow(masks.allowed) },
  };
}
