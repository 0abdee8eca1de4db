// What is read from a trace besides its sites: predictions and the logit lens. As model/trace/trace.py.

import { InputError, UnavailableError } from "../errors.js";
import { likeliest, likeliestId, listed, logSoftmax, nucleus, prediction } from "./predictions.js";

/** @import { Token, Trace } from "../types.d.ts" */
/** @import { LogP } from "./predictions.js" */
/** @import { Lens, Listed } from "../../types.d.ts" */

/**
 * The likeliest next tokens of each text, by softmax(logits / temperature), at a position.
 * @param {Trace} trace
 * @param {object} settings
 * @param {number} settings.top_k
 * @param {number | null} [settings.position] counts in the padded sequence; null: each text's last real token
 * @param {number} [settings.temperature]
 * @param {number | null} [settings.top_p] leaves out tokens outside the nucleus; probabilities are still those of the whole
 *   vocabulary
 * @param {readonly number[]} [settings.tokens] ids of further tokens to list
 * @param {Trace | null} [settings.unedited] a trace of the same tokens: each prediction also has its probability there, and
 *   tokens that would be listed there follow after the others
 * @returns {Listed[][]}
 * @throws {UnavailableError} the model has no language-model head
 * @throws {InputError} the position, temperature, top_k, top_p or a token is invalid
 * @throws {NumericsError} a logit is not finite
 */
export function predict(
  trace,
  { top_k, position = null, temperature = 1, top_p = null, tokens = [], unedited = null },
) {
  if (trace.predicted)
    return trace.predicted({ top_k, position, temperature, top_p, tokens, unedited });
  const rows = logP(trace, position, temperature);
  const plain = unedited && logP(unedited, position, temperature);
  checkTopK(top_k, "predict");
  checkTopP(top_p);
  const n_vocab = rows[0].length;
  for (const id of tokens) {
    if (!(id >= 0 && id < n_vocab))
      throw new InputError(`${trace.model} has token ids 0 to ${n_vocab - 1}; got ${id}.`, {
        field: "predict.tokens",
      });
  }
  /** @param {LogP} log_p */
  const count = (log_p) => (top_p === null ? top_k : Math.min(top_k, nucleus(log_p, top_p).tokens));
  const { token_text } = head(trace, "predict");
  return rows.map((log_p, text) =>
    listed(log_p, count(log_p), token_text, {
      special: trace.special_ids,
      unedited: plain && { log_p: plain[text], n: count(plain[text]) },
      also: tokens,
    }),
  );
}

/**
 * The nucleus of each text, as `predict` uses it; throws the same errors.
 * @param {Trace} trace
 * @param {{top_p: number, position?: number | null, temperature?: number}} settings
 */
export function nuclei(trace, { top_p, position = null, temperature = 1 }) {
  checkTopP(top_p);
  return logP(trace, position, temperature).map((log_p) => nucleus(log_p, top_p));
}

/**
 * The likeliest next tokens of each text if the model stopped at each stage.
 *
 * The logit lens (nostalgebraist 2020): softmax(norm(resid) · W_U) of the residual stream before the first layer and after each,
 * at one position. The last stage equals `predict` at temperature 1.
 * @param {Trace} trace
 * @param {{top_k: number, position?: number | null}} settings
 * @returns {Lens[]}
 * @throws {UnavailableError} the model has no language-model head
 * @throws {InputError} the position or top_k is invalid
 * @throws {NumericsError} a logit is not finite
 */
export function lens(trace, { top_k, position = null }) {
  const { stages, unembed, token_text } = head(trace, "analyse.lens");
  const positions = readPositions(trace, position, "analyse.lens");
  checkTopK(top_k, "analyse.lens");
  const layers = trace.target_tokens ? "decoder.layers" : "layers";
  return positions.map((read_at, text) => {
    const log_p = Array.from({ length: stages.shape[0] }, (_, stage) =>
      logSoftmax(unembed(residAt(stages, stage, text, read_at)), trace),
    );
    const final = likeliestId(log_p[log_p.length - 1]);
    return {
      position: read_at,
      stages: log_p.map((here, stage) => ({
        name: stage === 0 ? "embedding" : `${layers}.${stage - 1}`,
        layer: stage === 0 ? null : stage - 1,
        candidates: likeliest(here, top_k, token_text),
        final: prediction(final, here, token_text),
      })),
    };
  });
}

/**
 * The position at which to read each text: `position`, or if it is null, the first mask token, or else the last real token.
 * @param {Trace} trace
 * @param {number | null} position
 * @param {string} field of the request, which an error names
 * @throws {InputError} there is no such position
 */
export function readPositions(trace, position, field) {
  const rows = readTokens(trace);
  if (position === null) return rows.map((row, text) => trace.read_at?.[text] ?? lastReal(row));
  const n = rows[0].length;
  if (!(position >= 0 && position < n))
    throw new InputError(`This trace has positions 0 to ${n - 1}; got ${position}.`, {
      field: `${field}.position`,
    });
  return rows.map(() => position);
}

/** The tokens whose successors are predicted: the target's if there is one. @param {Trace} trace */
export const readTokens = (trace) => trace.target_tokens ?? trace.tokens;

/**
 * The stages, and the functions that turn them into logits and ids into text.
 * @param {Trace} trace
 * @param {string} field of the request, which an error names
 * @throws {UnavailableError} there is no language-model head, or it was not recorded
 */
export function head({ model, stages, unembed, token_text, lacks }, field) {
  if (lacks)
    throw new UnavailableError(`The residual stream of ${model} was not recorded: ${lacks}.`, {
      field,
    });
  if (!stages || !unembed || !token_text)
    throw new UnavailableError(`${model} predicts nothing: it has no language-model head.`, {
      field,
    });
  return { stages, unembed, token_text };
}

/** The position of the last token that is not padding. @param {readonly Token[]} row */
export const lastReal = (row) =>
  Math.max(
    0,
    row.findLastIndex((token) => !token.padding),
  );

/**
 * One row of the residual stream.
 * @param {import("../types.d.ts").Tensor} stages (stage, batch, pos, d_model)
 * @param {number} stage from the end if negative
 * @param {number} text
 * @param {number} at
 */
export function residAt({ shape: [n_stages, batch, pos, d_model], data }, stage, text, at) {
  const start = (((stage < 0 ? n_stages + stage : stage) * batch + text) * pos + at) * d_model;
  return data.subarray(start, start + d_model);
}

/**
 * ln softmax(logits / temperature) for each text.
 * @param {Trace} trace
 * @param {number | null} position
 * @param {number} temperature
 */
function logP(trace, position, temperature) {
  const { stages, unembed } = head(trace, "predict");
  const positions = readPositions(trace, position, "predict");
  if (!(temperature > 0 && temperature < Infinity))
    throw new InputError(`Expected a temperature above 0; got ${temperature}.`, {
      field: "predict.temperature",
    });
  return positions.map((at, text) =>
    logSoftmax(unembed(residAt(stages, -1, text, at)), { model: trace.model, temperature }),
  );
}

/** @param {number} top_k @param {string} field */
function checkTopK(top_k, field) {
  if (!(top_k >= 1))
    throw new InputError(`Expected at least 1 prediction; got ${top_k}.`, {
      field: `${field}.top_k`,
    });
}

/** @param {number | null} top_p */
function checkTopP(top_p) {
  if (top_p !== null && !(top_p > 0 && top_p <= 1))
    throw new InputError(`Expected top_p to be above 0 and at most 1; got ${top_p}.`, {
      field: "predict.top_p",
    });
}
