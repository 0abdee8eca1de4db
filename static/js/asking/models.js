// Makes the chosen model load and follows its progress, which is polled only while the model loads.

import { getModels } from "../api/api.js";
import { ApiError } from "../api/errors.js";
import { pause } from "../api/pauses.js";
import { same } from "../state/store.js";
import { NOT_KEPT, notLoaded } from "../words/problem.js";

/** @import { Store } from "../state/store.js" */
/** @import { Model } from "../types.d.ts" */
/** @typedef {{opened: () => void, failed: (error: unknown) => void}} Listener */

const POLL_S = 1; // seconds between two requests for the progress
const MAX_TRIES = 5; // each server process may load its own copy, or have no room to keep it

export class Models {
  #store;
  #abort = new AbortController();
  /** The model whose progress is followed. @type {string | null} */
  #followed = null;
  #tries = 0;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** Follow the progress of this model instead of the last one; null: of none. @param {string | null} name */
  follow(name) {
    if (name === this.#followed) return;
    this.#followed = name;
    this.#tries = 0;
    this.#abort.abort(); // the server goes on loading the last one, but the page no longer waits for it
    this.#abort = new AbortController();
    if (name !== null) this.#poll(name, this.#abort.signal);
  }

  /**
   * The request that makes a model load: the smallest possible trace. It stays the same while the reader types.
   * @param {string} name
   * @param {Listener} listener
   * @returns {import("./lane.js").Job}
   */
  opening(name, listener) {
    return {
      request: { model: name, texts: ["a"], select: { layers: [] }, predict: null },
      quiet: true,
      worth: () => (this.#followed === name ? "wanted" : "unwanted"),
      answered: () => this.#check(name, null, listener),
      // the model may refuse this text and still be loaded
      refused: (error) =>
        this.#check(name, error instanceof ApiError && !error.retry ? null : error, listener),
      cancelled: () => {},
    };
  }

  /** Check whether the model is loaded now. @param {string} name @param {unknown} refusal @param {Listener} listener */
  async #check(name, refusal, { opened, failed }) {
    const { signal } = this.#abort;
    try {
      this.#learn(await getModels(name, signal));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.passes) return opened(); // and ask again
      return failed(error);
    }
    const { models, grid } = this.#store.state;
    const model = models.find((one) => one.name === name);
    this.#tries += 1;
    if (model?.state === "ready") opened();
    else if (model?.state === "failed") failed(unloadable(model, grid?.trace.model));
    else if (refusal || this.#tries === MAX_TRIES)
      failed(refusal ?? new ApiError(NOT_KEPT, { retry: true }));
    else opened();
  }

  /** @param {string} name @param {AbortSignal} signal */
  async #poll(name, signal) {
    while (!signal.aborted) {
      try {
        const models = await getModels(name, signal);
        if (!signal.aborted) this.#learn(models);
      } catch {
        // the request that loads the model will report what is wrong
      }
      await pause(POLL_S);
    }
  }

  /** @param {Model[]} models */
  #learn(models) {
    if (!same(models, this.#store.state.models)) {
      this.#store.update({ models });
    }
  }
}

/** @param {Model} model @param {string | undefined} pictured the model of the picture on screen */
function unloadable({ name, error }, pictured) {
  const other = pictured && pictured !== name ? pictured : null;
  return new ApiError(notLoaded(name, error, other), { retry: true });
}
