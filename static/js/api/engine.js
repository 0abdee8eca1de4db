// Asks the engine in the page: the same requests as to the server, the same answers and errors. It is started by the first
// request, with the model that this is about, and started again when it is busy with something that nobody wants any more.

import { ENGINE_FAILED } from "../words/problem.js";
import { ApiError, refusal } from "./errors.js";
import { started, threadsFor } from "./threads/thread.js";

/** @import { Answer, Model, Probe } from "../types.d.ts" */
/** @import { Problem } from "../wire.d.ts" */
/** @import { Progress, Request } from "./api.js" */
/** @import { OpenThread, Thread } from "./threads/thread.js" */
/** @typedef {{type: string, name: string} & Record<string, unknown>} Source data that the engine makes a model of, as engine/sources/opening.js says */
/** @typedef {{id: number, answer?: any, error?: Problem & {status: number}, progress?: Progress}} Reply */
/**
 * @typedef {object} Waiting
 * @property {object} message
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {(progress: Progress) => void} [onProgress]
 * @property {boolean} unwanted
 */

const GRACE_MS = 400; // that the engine may go on with what nobody wants any more

export class Engine {
  #sources;
  #limits;
  #threads;
  /** Those that it has; they are sent again if it starts again. @type {Map<string, Source>} */
  #added = new Map();
  /** @type {Map<string, Promise<unknown>>} */
  #opening = new Map();
  /** @type {Promise<Thread> | null} */
  #thread = null;
  /** The one that answers; its predecessor's replies are not read. @type {object | null} */
  #current = null;
  /** In the order in which they are answered. @type {Map<number, Waiting>} */
  #waiting = new Map();
  #last = 0;

  /**
   * @param {object} options
   * @param {Record<string, () => Promise<Source>>} options.sources the models that it may need, by name
   * @param {import("../types.d.ts").Limits} options.limits
   * @param {OpenThread[]} [options.threads] the first that starts is used
   */
  constructor({ sources, limits, threads = threadsFor("engine") }) {
    this.#sources = sources;
    this.#limits = limits;
    this.#threads = threads;
  }

  /** @param {Request} request @param {AbortSignal} [signal] @returns {Promise<Answer>} */
  postTrace(request, signal) {
    return this.#about(request.model, { kind: "trace", request }, signal);
  }

  /** @param {Request} request @param {AbortSignal} signal @param {(progress: Progress) => void} onProgress @returns {Promise<Answer>} */
  async streamTrace(request, signal, onProgress) {
    const message = { kind: "stream", request };
    const trace = await this.#about(request.model, message, signal, onProgress);
    return { trace, tensors: new Map() };
  }

  /** @param {Request} request @param {"application/json" | "application/safetensors"} type @returns {Promise<Blob>} */
  async traceFile(request, type) {
    return new Blob([await this.#about(request.model, { kind: "file", request, type })], { type });
  }

  /** Those that it has been asked about so far. @param {AbortSignal} [signal] @returns {Promise<Model[]>} */
  getModels(signal) {
    return this.#ask({ kind: "models" }, signal);
  }

  /** @param {string} model @param {AbortSignal} signal @returns {Promise<{probe: Probe, after: null}>} */
  async getProbe(model, signal) {
    return { probe: await this.#about(model, { kind: "heads", model }, signal), after: null };
  }

  /** Add a model, or replace the one of that name. @param {Source} source @returns {Promise<Model>} */
  async add(source) {
    const model = await this.#ask({ kind: "add", source });
    this.#added.set(source.name, source);
    return model;
  }

  /** Start it with a model, unless it has it. @param {string} name */
  async open(name) {
    if (!Object.hasOwn(this.#sources, name) || this.#added.has(name)) return;
    const opening = this.#opening.get(name) ?? this.#sources[name]().then((one) => this.add(one));
    this.#opening.set(name, opening);
    await opening.finally(() => this.#opening.delete(name));
  }

  /**
   * @param {string} model
   * @param {Record<string, unknown>} message
   * @param {AbortSignal} [signal]
   * @param {(progress: Progress) => void} [onProgress]
   */
  async #about(model, message, signal, onProgress) {
    await this.open(model);
    return this.#ask(message, signal, onProgress);
  }

  /**
   * @param {Record<string, unknown>} message
   * @param {AbortSignal} [signal]
   * @param {(progress: Progress) => void} [onProgress]
   * @returns {Promise<any>}
   */
  async #ask(message, signal, onProgress) {
    const thread = await this.#running();
    signal?.throwIfAborted();
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      const one = { message: { ...message, id }, resolve, reject, onProgress, unwanted: false };
      this.#waiting.set(id, one);
      signal?.addEventListener("abort", () => this.#giveUp(id, signal.reason), { once: true });
      thread.post(one.message);
    });
  }

  #running() {
    this.#thread ??= this.#open().catch((error) => {
      this.#thread = null;
      throw error;
    });
    return this.#thread;
  }

  /** @returns {Promise<Thread>} */
  async #open() {
    const me = {};
    this.#current = me;
    this.#last += 1;
    const sources = [...this.#added.values()];
    const first = { id: this.#last, kind: "start", sources, limits: this.#limits };
    const listeners = {
      received: (/** @type {Reply} */ reply) => this.#current === me && this.#receive(reply),
      lost: (/** @type {string} */ reason) => this.#current === me && this.#lose(reason),
    };
    const { thread, reply } = await started(this.#threads, first, listeners).catch((error) => {
      throw new ApiError(ENGINE_FAILED(error.message), { retry: true });
    });
    if (reply.error) throw refused(reply.error);
    return thread;
  }

  /** @param {Reply} reply */
  #receive({ id, answer, error, progress }) {
    const one = this.#waiting.get(id);
    if (!one) return;
    if (progress) {
      if (!one.unwanted) one.onProgress?.(progress);
      return;
    }
    this.#waiting.delete(id);
    if (error) one.reject(refused(error));
    else one.resolve(answer);
  }

  /** @param {number} id @param {unknown} reason */
  #giveUp(id, reason) {
    const one = this.#waiting.get(id);
    if (!one) return;
    one.reject(reason);
    one.unwanted = true;
    const [first] = this.#waiting.keys();
    if (first !== id) this.#waiting.delete(id); // it has not begun, and is dropped
    this.#last += 1;
    const message = { id: this.#last, kind: "cancel", cancels: id };
    this.#thread?.then((thread) => thread.post(message));
    if (first === id) setTimeout(() => this.#restart(id), GRACE_MS);
  }

  /** Start anew if it is still busy with what nobody wants, and others wait. @param {number} id */
  async #restart(id) {
    const thread = await this.#thread;
    if (!thread?.stop || !this.#waiting.has(id)) return;
    thread.stop();
    const wanted = [...this.#waiting.values()].filter(({ unwanted }) => !unwanted);
    this.#forget();
    if (wanted.length === 0) return;
    try {
      const next = await this.#running();
      for (const one of wanted) {
        this.#waiting.set(/** @type {{id: number}} */ (one.message).id, one);
        next.post(one.message);
      }
    } catch (error) {
      for (const { reject } of wanted) reject(error);
    }
  }

  /** It has crashed: it answers nothing any more, but may be started anew. @param {string} reason */
  #lose(reason) {
    const lost = [...this.#waiting.values()];
    this.#forget();
    for (const { reject } of lost) reject(new ApiError(ENGINE_FAILED(reason), { retry: true }));
  }

  #forget() {
    this.#thread = null;
    this.#current = null;
    this.#waiting.clear();
  }
}

/** @param {NonNullable<Reply["error"]>} error */
const refused = (error) => refusal(error.status, error, null);
