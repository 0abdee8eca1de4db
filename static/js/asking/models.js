// Makes the chosen model load, and says how far it is. The server is asked how far only while it loads.

import { ApiError, getModels, pause } from "../api/api.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {{opened: () => void, failed: (error: unknown) => void}} Listener */

const LOOKS = 1; // seconds between two questions after the progress
const TRIES = 5; // of a server whose processes each load a model of their own, or that has no room to keep it

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

  /** Look how far a model is, until another is followed; null: none is. @param {string | null} name */
  follow(name) {
    if (name === this.#followed) return;
    this.#followed = name;
    this.#tries = 0;
    this.#abort.abort(); // the server goes on with the other, but nobody here waits for it
    this.#abort = new AbortController();
    if (name !== null) this.#watch(this.#abort.signal);
  }

  /**
   * The request that makes a model load: the smallest trace. Whoever types while it loads waits for the same.
   * @param {string} name
   * @param {Listener} listener
   * @returns {import("./lane.js").Job}
   */
  opening(name, listener) {
    return {
      request: { model: name, texts: ["a"], select: { layers: [] }, predict: null },
      quiet: true,
      worth: () => (this.#followed === name ? "wanted" : "unwanted"),
      answered: () => this.#look(name, null, listener),
      // a text that does not suit the model is no reason to stop
      refused: (error) =>
        this.#look(name, error instanceof ApiError && !error.retry ? null : error, listener),
      cancelled: () => {},
    };
  }

  /** Whether it is there now. @param {string} name @param {unknown} refusal @param {Listener} listener */
  async #look(name, refusal, { opened, failed }) {
    const { signal } = this.#abort;
    try {
      this.#learn(await getModels(signal));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.passes) return opened(); // which asks again
      return failed(error);
    }
    const { models, grid } = this.#store.state;
    const model = models.find((one) => one.name === name);
    this.#tries += 1;
    if (model?.state === "ready") opened();
    else if (model?.state === "failed") failed(unloadable(model, grid?.trace.model));
    else if (refusal || this.#tries === TRIES)
      failed(refusal ?? new ApiError(LATE, { retry: true }));
    else opened();
  }

  /** A look that fails is no failure. @param {AbortSignal} signal */
  async #watch(signal) {
    while (!signal.aborted) {
      try {
        const models = await getModels(signal);
        if (!signal.aborted) this.#learn(models);
      } catch {
        // the request that makes it load will say what is wrong
      }
      await pause(LOOKS);
    }
  }

  /** @param {Model[]} models */
  #learn(models) {
    if (JSON.stringify(models) !== JSON.stringify(this.#store.state.models)) {
      this.#store.update({ models });
    }
  }
}

const LATE = "The model was loaded, but not kept: the server has no room for it. Try again.";

/** @param {Model} model @param {string | undefined} pictured the model whose picture stands */
function unloadable({ name, error }, pictured) {
  const stays =
    pictured && pictured !== name ? ` The picture below is still that of ${pictured}.` : "";
  const message = `${name} could not be loaded: ${error ?? "the server does not say why."} Choose another model, or mend it and try again.${stays}`;
  return new ApiError(message, { retry: true });
}
