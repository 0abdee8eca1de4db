// What the page asks, wherever it is answered: by the server or by the engine in the page. Errors are `ApiError`s.

import { pageAgain } from "../standalone/again.js";
import { written } from "../standalone/writing.js";
import { backend } from "./backend.js";
import * as server from "./server.js";

/** @import { Answer, Model, Probe } from "../types.d.ts" */
/** @typedef {Record<string, any>} Request the body of POST /api/trace */
/** @typedef {{state: "waiting" | "computing", done: number, total: number}} Progress */

/** The request that each answer belongs to. @type {WeakMap<Answer, object>} */
export const questions = new WeakMap();

/**
 * POST /api/trace, with a safetensors answer.
 * @param {Request} request
 * @param {AbortSignal} [signal] aborting also stops the computation
 * @returns {Promise<Answer>}
 */
export async function postTrace(request, signal) {
  return remember(request, await of(request.model).postTrace(request, signal));
}

/**
 * POST /api/trace for a long computation, which reports its progress. The answer is JSON, so request no tensors.
 * @param {Request} request
 * @param {AbortSignal} signal
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<Answer>}
 */
export async function streamTrace(request, signal, onProgress) {
  return remember(request, await of(request.model).streamTrace(request, signal, onProgress));
}

/**
 * POST /api/trace, with the answer as a file.
 * @param {Request} request
 * @param {"application/json" | "application/safetensors"} type
 * @returns {Promise<Blob>}
 */
export const traceFile = (request, type) => of(request.model).traceFile(request, type);

/**
 * The inspector as one file that opens with a view. A page that is such a file copies itself.
 * @param {string} query of the view, with its "?"
 * @returns {Promise<Blob>}
 */
export async function exportPage(query) {
  const page = pageAgain();
  return page ? written(page, query) : server.exportPage(query);
}

/**
 * As `exportPage`, for a view of data that only this page has. They are put into the file here: the server gives it without them.
 * @param {string} query
 * @param {import("../standalone/writing.js").Added[]} added
 * @param {string | null} model another one that the view shows, and the page can run
 */
export async function exportOwn(query, added, model) {
  const page = pageAgain() ?? (await emptyPage(model));
  return written(page, query, added);
}

/** @param {string | null} model */
async function emptyPage(model) {
  const query = model === null ? "?export=empty" : `?${new URLSearchParams({ model })}`;
  const html = await (await server.exportPage(query)).text();
  return new DOMParser().parseFromString(html, "text/html").documentElement;
}

/**
 * GET /api/models: every model, with its progress while it loads, and those that only the page has.
 * @param {string} model the one that the page wants to know about: if it runs in the page, the server is not asked
 * @param {AbortSignal} signal
 * @returns {Promise<Model[]>}
 */
export async function getModels(model, signal) {
  if (!backend.isHere(model)) backend.models = await server.getModels(model, signal);
  if (!backend.hasEngine) return backend.models;
  const here = (await backend.engine.getModels(signal)).filter(({ name }) => backend.isHere(name));
  const there = backend.models.filter(({ name }) => !backend.isHere(name));
  const known = [...there, ...here];
  const names = new Set([...backend.models, ...here].map(({ name }) => name)); // in the server's order
  const films = new Map(backend.models.map(({ name, film }) => [name, film]));
  return [...names].flatMap((name) => {
    const one = known.find((each) => each.name === name);
    return one ? [/** @type {Model} */ ({ ...one, film: films.get(name) ?? null })] : [];
  });
}

/**
 * GET /api/models/{name}/heads: the probe, or its progress.
 * @param {string} model
 * @param {AbortSignal} signal
 * @returns {Promise<{probe: Probe, after: number | null}>} `after`: seconds after which to ask again; null once it is complete
 */
export const getProbe = (model, signal) => of(model).getProbe(model, signal);

/**
 * GET /api/models/{name}/dossier. Only a server has dossiers, also where the page computes.
 * @param {string} model
 * @param {AbortSignal} signal
 * @returns {Promise<import("../types.d.ts").Dossier | null>} null: no server knows this model
 */
export const getDossier = async (model, signal) =>
  backend.isOnlyHere(model) ? null : server.getDossier(model, signal);

/** GET /api/models/{name}/film. Only a server has films. */
export const { getFilm } = server;

/**
 * GET /api/models/{name}/circuits. Only a server reads heads over the vocabulary, also where the page computes.
 * @param {string} model
 * @param {import("../types.d.ts").CircuitsQuery} query
 * @param {AbortSignal} signal
 * @returns {Promise<import("../types.d.ts").Circuits | null>} null: no server knows this model
 */
export const getCircuits = async (model, query, signal) =>
  backend.isOnlyHere(model) ? null : server.getCircuits(model, query, signal);

/** Who answers for a model. @param {string} model */
const of = (model) => (backend.isHere(model) ? backend.engine : server);

/** @param {object} request @param {Answer} answer */
function remember(request, answer) {
  questions.set(answer, request);
  return answer;
}
