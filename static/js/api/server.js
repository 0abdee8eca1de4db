// What the page asks the server.

import { decode } from "./decode.js";
import { refusal, unreachable } from "./errors.js";
import { eventsOf } from "./events.js";
import { reach } from "./reach.js";

/** @import { Answer, Model, Probe } from "../types.d.ts" */
/** @import { Progress } from "./api.js" */

const UP_MS = 3000; // that a server which is up may take to say so

/** @type {Record<string, string>} */
let reader = {};

/** Have the server tell this page's reader from others by a random name, where its cookie may not arrive: else they all share one turn. */
export function nameReader() {
  const name = crypto.getRandomValues(new Uint32Array(3)).join("-");
  reader = { "X-Headlight-Participant": name };
}

/**
 * POST /api/trace, with a safetensors answer.
 * @param {object} request
 * @param {AbortSignal} [signal] aborting also stops the computation on the server
 * @returns {Promise<Answer>}
 */
export async function postTrace(request, signal) {
  const response = await post(request, "application/safetensors", signal);
  const { metadata, tensors } = await decode(await bodyOf(response));
  return { trace: JSON.parse(metadata.trace ?? "null"), tensors };
}

/**
 * POST /api/trace for a long computation, which reports its progress. The answer is JSON, so request no tensors.
 * @param {object} request
 * @param {AbortSignal} signal
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<Answer>}
 */
export async function streamTrace(request, signal, onProgress) {
  const response = await post(request, "text/event-stream", signal);
  if (!response.body) throw unreachable();
  try {
    for await (const { name, data } of eventsOf(response.body)) {
      const event = JSON.parse(data);
      if (name === "progress") onProgress(event);
      if (name === "error") throw refusal(event.status, event.error, event.retry_after);
      if (name === "answer") return { trace: event, tensors: new Map() };
    }
  } catch (error) {
    throw error instanceof TypeError ? unreachable() : error; // the connection broke
  }
  throw unreachable(); // it ended too soon
}

/**
 * POST /api/trace, with the answer as a file.
 * @param {object} request
 * @param {"application/json" | "application/safetensors"} type
 * @returns {Promise<Blob>}
 */
export async function traceFile(request, type) {
  const response = await post(request, type);
  return new Blob([await bodyOf(response)], { type });
}

/**
 * GET /export: the inspector as one file that opens with a view.
 * @param {string} query of the view, with its "?"
 * @returns {Promise<Blob>}
 */
export async function exportPage(query) {
  const response = await reach(`/export${query}`, {});
  return new Blob([await bodyOf(response)], { type: "text/html" });
}

/**
 * GET /api/models: every model, with its progress while it loads.
 * @param {string} model one that may not be listed, because it was trained by hand
 * @param {AbortSignal} signal
 * @returns {Promise<Model[]>}
 */
export async function getModels(model, signal) {
  const response = await reach(`/api/models?model=${encodeURIComponent(model)}`, { signal });
  return (await response.json()).models;
}

/**
 * GET /api/models/{name}/heads: the probe, or its progress.
 * @param {string} model
 * @param {AbortSignal} signal
 * @returns {Promise<{probe: Probe, after: number | null}>} `after`: seconds after which to ask again; null once it is complete
 */
export async function getProbe(model, signal) {
  const response = await reach(`/api/models/${encodeURIComponent(model)}/heads`, { signal });
  const after = response.status === 202 ? Number(response.headers.get("Retry-After")) || 1 : null;
  return { probe: await response.json(), after };
}

/**
 * GET /api/models/{name}/dossier: what its heads do over many texts.
 * @param {string} model
 * @param {AbortSignal} signal
 * @returns {Promise<import("../types.d.ts").Dossier>}
 */
export async function getDossier(model, signal) {
  const response = await reach(`/api/models/${encodeURIComponent(model)}/dossier`, { signal });
  return response.json();
}

/**
 * GET /api/models/{name}/film: what was measured at each kept step of its training.
 * @param {string} model
 * @param {AbortSignal} signal
 * @returns {Promise<import("../types.d.ts").Film>}
 */
export async function getFilm(model, signal) {
  const response = await reach(`/api/models/${encodeURIComponent(model)}/film`, { signal });
  return response.json();
}

/**
 * GET /api/models/{name}/circuits: a head read over the vocabulary.
 * @param {string} model
 * @param {import("../types.d.ts").CircuitsQuery} query
 * @param {AbortSignal} signal
 * @returns {Promise<import("../types.d.ts").Circuits>}
 */
export async function getCircuits(model, query, signal) {
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  const path = `/api/models/${encodeURIComponent(model)}/circuits?${asked}`;
  const response = await reach(path, { headers: reader, signal });
  return response.json();
}

/**
 * POST /api/lessons/{slug}/programs/{name}: run a reader's version of a program.
 * @param {string} slug of the lesson
 * @param {string} name
 * @param {string} code
 * @returns {Promise<import("../types.d.ts").ProgramAnswer>}
 */
export async function runProgram(slug, name, code) {
  const path = `/api/lessons/${encodeURIComponent(slug)}/programs/${encodeURIComponent(name)}`;
  const response = await reach(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  return response.json();
}

/**
 * A file of the page, such as the weights of a model.
 * @param {string} address
 */
export const getFile = async (address) => bodyOf(await reach(address, {}));

/** Whether the server is ready to answer. */
export const isUp = () =>
  reach("/readyz", { cache: "no-store", signal: AbortSignal.timeout(UP_MS) }).then(
    () => true,
    () => false,
  );

/** @param {object} request @param {string} accept @param {AbortSignal} [signal] */
const post = (request, accept, signal) =>
  reach("/api/trace", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: accept, ...reader },
    body: JSON.stringify(request),
    signal,
  });

/** @param {Response} response */
async function bodyOf(response) {
  try {
    return await response.arrayBuffer();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable(); // the connection broke
  }
}
