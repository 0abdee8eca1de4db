// Makes the chosen model load, and says how far it is. The server is asked how far only while it loads.

import { ApiError, getModels, pause, postTrace } from "./api.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.d.ts").Model} Model */

const LOOKS = 1; // seconds between two questions after the progress
const TRIES = 5; // of a server that is busy, or whose processes each load a model of their own

export class Models {
  #store;
  #abort = new AbortController();
  /** @type {{name: string, done: Promise<void>} | null} */
  #opening = null;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /**
   * Resolves when the model is ready, and the store knows it. Whoever types while it loads waits for the same.
   * @param {string} name
   * @returns {Promise<void>}
   * @throws {ApiError} in words for the reader, when it failed
   */
  open(name) {
    if (this.#opening?.name !== name) {
      this.#abort.abort(); // the server goes on with the other, but nobody here waits for it
      this.#abort = new AbortController();
      const done = this.#open(name, this.#abort.signal);
      const opening = { name, done };
      this.#opening = opening;
      const over = () => {
        if (this.#opening === opening) this.#opening = null; // it may be tried again
      };
      done.then(over, over);
    }
    return /** @type {{done: Promise<void>}} */ (this.#opening).done;
  }

  /** What was known of a model that the server no longer holds. @param {string} name */
  forget(name) {
    const { models } = this.#store.state;
    this.#store.update({
      models: models.map((model) => (model.name === name ? unloaded(name) : model)),
    });
  }

  /** @param {string} name @param {AbortSignal} signal */
  async #open(name, signal) {
    for (let tries = 1; ; tries += 1) {
      const loading = new AbortController();
      signal.addEventListener("abort", () => loading.abort());
      this.#watch(loading.signal);
      const refusal = await makeLoad(name, signal);
      loading.abort();
      this.#learn(await getModels(signal));
      const model = this.#store.state.models.find((one) => one.name === name);
      if (model?.state === "ready") return;
      if (model?.state === "failed") throw failed(model, this.#store.state.grid?.trace.model);
      if (refusal || tries === TRIES) throw refusal ?? new ApiError(LATE, { retry: true });
    }
  }

  /** Look how far it is until it is over; a look that fails is no failure. @param {AbortSignal} signal */
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

/**
 * The smallest trace: a model loads when it is first asked for one.
 * @param {string} model
 * @param {AbortSignal} signal
 * @returns {Promise<ApiError | null>} why there is none; that the text does not suit the model is no reason
 */
async function makeLoad(model, signal) {
  for (let tries = 1; ; tries += 1) {
    try {
      await postTrace({ model, texts: ["a"], select: { layers: [] }, predict: null }, signal);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.after === null) return error.retry ? error : null;
      if (error.code !== "loading" && tries >= TRIES) return error; // a large one may take long
      await pause(error.after);
      signal.throwIfAborted();
    }
  }
}

/** @param {Model} model @param {string | undefined} pictured the model whose picture stands */
function failed({ name, error }, pictured) {
  const stays =
    pictured && pictured !== name ? ` The picture below is still that of ${pictured}.` : "";
  const message = `${name} could not be loaded: ${error ?? "the server does not say why."} Choose another model, or mend it and try again.${stays}`;
  return new ApiError(message, { retry: true });
}

/** @param {string} name @returns {Model} */
const unloaded = (name) => ({
  ...{ name, state: "not_loaded", progress: 0, error: null, description: null, tensors: null },
  ...{ n_layers: null, n_heads: null, d_model: null, d_head: null, n_parameters: null },
  ...{ max_tokens: null, trained_tokens: null, causal: null, predicts: null, sites: null },
  ...{ takes_targets: null, takes_pairs: null, lacks: null, mechanisms: null, limits: null },
});
