// What to do about a refusal: change the choice, do without a matrix or an analysis, or report which questions failed. Pure.

import { MATRICES, MATRIX_NAMES } from "../state/matrices.js";
import { CANCELLED as CANCELLED_WORDS, unreadable } from "../words/problem.js";
import { ApiError } from "./errors.js";

/** @import { State } from "../types.d.ts" */
/** @import { Wish } from "../asking/bundle.js" */

/**
 * What the page can do without, given the field of a refusal.
 * @param {string} field
 * @param {State["matrix"]} matrix
 * @returns {(State["matrix"] | "lens")[]}
 */
function optionalIn(field, matrix) {
  if (/^(select|parts\.\w+)\.tensors$/.test(field)) {
    return MATRICES[matrix].always ? ["norms"] : [matrix, "norms"];
  }
  const analysis = field.match(/^analyse\.(\w+)$/)?.[1];
  return [...MATRIX_NAMES, /** @type {const} */ ("lens")].filter((name) => name === analysis);
}
/** For a field that a whole bundle shares: which of its questions ask for it. @type {[RegExp, (request: Record<string, any>) => unknown][]} */
const SHARED = [[/^predict\b/, ({ predict }) => predict]];
/** Errors after which each question alone may still be small enough. */
const TOO_MUCH = ["answer_too_large", "too_expensive", "too_much_memory"];

/**
 * What to change so that the page can go on; null if no change helps.
 * @param {unknown} error
 * @param {Readonly<State>} state
 * @returns {Partial<State> | null}
 */
export function recoveryOf(error, { query, token, versus, lacks, matrix, most_runs }) {
  if (!(error instanceof ApiError)) return null;
  const field = error.field ?? "";
  // from a link to a position or a token that this text or model does not have
  if (query !== null && /^(predict|analyse\.\w+)\.position$/.test(field)) return { query: null };
  if (token !== null && /\.tokens?(\.\d+)?$/.test(field)) return { token: null };
  if (versus !== null && field.endsWith(".against")) return { versus: null };
  // fewer edges of the path map are cut then, as many as fit
  const fits = field === "analyse.paths.limit" && error.code === "too_many_runs" && error.limit;
  if (fits && fits !== most_runs) return { most_runs: fits };
  const spare = optionalIn(field, matrix).find((name) => !lacks[name]);
  if (error.code !== "unavailable" || !spare) return null;
  return {
    lacks: { ...lacks, [spare]: error.message },
    matrix: matrix === spare ? "pattern" : matrix,
  };
}

/** Whether the wishes of a bundle may succeed one by one. @param {unknown} error @param {Wish[]} bundle */
export const canSplit = (error, bundle) =>
  bundle.length > 1 && error instanceof ApiError && TOO_MUCH.includes(error.code ?? "");

/**
 * The wishes that a refusal concerns; all of them if it names none.
 * @template {Wish} W
 * @param {unknown} error
 * @param {W[]} bundle
 * @returns {W[]}
 */
export function refusedIn(error, bundle) {
  const field = (error instanceof ApiError && error.field) || "";
  const part = field.match(/^parts\.(\w+)/)?.[1];
  const analysis = field.match(/^analyse\.(\w+)/)?.[1];
  const asks = analysis
    ? (/** @type {Wish["request"]} */ { analyse }) => analyse?.[analysis]
    : SHARED.find(([pattern]) => pattern.test(field))?.[1];
  const found = bundle.filter(({ name, request }) => name === part || asks?.(request));
  return found.length > 0 ? found : bundle;
}

/** The problem to show to the reader. @param {unknown} error @returns {import("../types.d.ts").Problem} */
export function problemOf(error) {
  if (!(error instanceof ApiError)) {
    return { message: unreadable(error), retry: true };
  }
  const { message, retry, field, code, status } = error;
  return { message, retry, field, code, ...(status === 401 ? { closed: true } : {}) };
}

/** @type {import("../types.d.ts").Problem} */
export const CANCELLED = {
  message: CANCELLED_WORDS,
  retry: true,
  calm: true,
};
