// The page's only fetch. Errors come out as `ApiError`, in words for the reader.

import { decode } from "./decode.js";

/** @typedef {import("./types.d.ts").Answer} Answer */
/** @typedef {import("./types.d.ts").Model} Model */
/** @typedef {import("./types.d.ts").Probe} Probe */

const TRIES = 3; // when the server is busy

/** What each answer was asked. @type {WeakMap<Answer, object>} */
export const questions = new WeakMap();

export class ApiError extends Error {
  /**
   * @param {string} message what happened and what to do
   * @param {{retry: boolean, after?: number | null, field?: string | null, code?: string | null}} options `after`: seconds
   *   after which the server asks to try again; `field`: the part of the request that does not fit; `code`: a stable word
   */
  constructor(message, { retry, after = null, field = null, code = null }) {
    super(message);
    this.retry = retry;
    this.after = after;
    this.field = field;
    this.code = code;
  }
}

/**
 * POST /api/trace, answered as safetensors.
 * @param {object} request
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export async function postTrace(request, signal) {
  const response = await reach("/api/trace", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/safetensors" },
    body: JSON.stringify(request),
    signal,
  });
  if (!response.ok) throw await problem(response);
  const { metadata, tensors } = await decode(await response.arrayBuffer());
  const answer = { trace: JSON.parse(metadata.trace ?? "null"), tensors };
  questions.set(answer, request);
  return answer;
}

/**
 * POST /api/trace, its answer as a file.
 * @param {object} request
 * @param {"application/json" | "application/safetensors"} type
 * @returns {Promise<Blob>}
 */
export async function traceFile(request, type) {
  const response = await reach("/api/trace", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: type },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw await problem(response);
  return new Blob([await response.arrayBuffer()], { type });
}

/**
 * GET /api/models: every model, as far as it is.
 * @param {AbortSignal} signal
 * @returns {Promise<Model[]>}
 */
export async function getModels(signal) {
  const response = await reach("/api/models", { signal });
  if (!response.ok) throw await problem(response);
  return (await response.json()).models;
}

/**
 * GET /api/models/{name}/heads: the probe, as far as it is.
 * @param {string} model
 * @param {AbortSignal} signal
 * @returns {Promise<{probe: Probe, after: number | null}>} `after`: seconds after which to ask again, while it is computed
 */
export async function getProbe(model, signal) {
  const response = await reach(`/api/models/${encodeURIComponent(model)}/heads`, { signal });
  if (!response.ok) throw await problem(response);
  const after = response.status === 202 ? Number(response.headers.get("Retry-After")) || 1 : null;
  return { probe: await response.json(), after };
}

/**
 * Ask again when the server is busy, as it asks.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export async function patiently(ask, signal) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const wait = error instanceof ApiError && tries < TRIES ? error.after : null;
      if (wait === null || signal.aborted) throw error;
      await pause(wait);
    }
  }
}

/** @param {number} seconds */
export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * @param {string} path
 * @param {RequestInit} options
 */
async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(
      "The server cannot be reached. The picture below is the last one it sent. Check that it is running, then try again.",
      { retry: true },
    );
  }
}

/** @param {Response} response */
async function problem(response) {
  const after = Number(response.headers.get("Retry-After")) || null;
  const busy = response.status === 503 || response.status === 429;
  try {
    const { error } = await response.json();
    const retry = busy || response.status >= 500;
    return new ApiError(String(error.message), {
      retry,
      after,
      field: error.field,
      code: error.code,
    });
  } catch {
    const message = `The server answered ${response.status} without an explanation. Try again; if it stays, look at its log.`;
    return new ApiError(message, { retry: true, after });
  }
}
