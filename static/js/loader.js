// From the reader's choice to pictures: asks for all heads and for the selected one, and drops answers that came too late.

import { ApiError, postTrace } from "./api.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.d.ts").State} State */

const TYPING_PAUSE = 90; // ms after the last key
const WALKING_PAUSE = 30; // so that a held arrow asks for the head where it stops
const TRIES = 3; // when the server is busy
export const THUMBNAIL = 64; // cells a side at most

/** What a trace depends on. @param {Readonly<State>} state */
const inputs = ({ model, texts, masks, muted }) => ({ model, texts, masks, muted });

/** All heads, small. @param {Readonly<State>} state */
export const gridRequest = (state) => ({
  ...inputs(state),
  select: { tensors: ["pattern"], resolution: THUMBNAIL, dtype: "uint8" },
});

/** One head, in full, and the next token. @param {Readonly<State>} state @param {boolean} predicts */
export const detailRequest = (state, predicts) => ({
  ...inputs(state),
  select: {
    tensors: ["q", "k", "v", "scores", "pattern", "blocked_by"],
    layers: [state.layer],
    heads: [state.head],
  },
  ...(predicts ? { predict: { top_k: 10, position: state.query } } : {}),
});

export class Loader {
  #store;
  #predicts;
  #abort = new AbortController();
  #timer = 0;
  #gridKey = "";

  /**
   * @param {Store} store
   * @param {(model: string) => boolean} predicts whether a model has a language-model head
   */
  constructor(store, predicts) {
    this.#store = store;
    this.#predicts = predicts;
    let texts = store.state.texts;
    store.watch(["model", "texts", "masks", "muted", "layer", "head", "query"], (state) => {
      const typed = state.texts !== texts;
      texts = state.texts;
      this.#soon(typed ? TYPING_PAUSE : WALKING_PAUSE);
    });
  }

  /** Ask again for what is selected now. */
  retry() {
    this.#gridKey = "";
    this.#soon(0);
  }

  /** @param {number} pause */
  #soon(pause) {
    clearTimeout(this.#timer);
    this.#abort.abort(); // whatever is under way is not wanted any more
    this.#abort = new AbortController();
    this.#store.update({ status: "loading" });
    this.#timer = setTimeout(() => this.#load(this.#abort.signal), pause);
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    const state = this.#store.state;
    const request = gridRequest(state);
    const key = JSON.stringify(request);
    try {
      const [grid, detail] = await Promise.all([
        key === this.#gridKey ? state.grid : this.#patiently(request, signal),
        this.#patiently(detailRequest(state, this.#predicts(state.model)), signal),
      ]);
      if (signal.aborted) return;
      this.#gridKey = key;
      this.#store.update({ grid, detail, status: "ready", problem: null });
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof ApiError;
      if (known && error.field === "predict.position" && state.query !== null) {
        this.#store.update({ query: null }); // a link to a token that this text does not have
        return;
      }
      const message = known ? error.message : `The answer could not be read: ${error}`;
      this.#store.update({
        status: "error",
        problem: { message, retry: known ? error.retry : true },
      });
    }
  }

  /**
   * Try again when the server is busy, as it asks.
   * @param {object} request
   * @param {AbortSignal} signal
   */
  async #patiently(request, signal) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await postTrace(request, signal);
      } catch (error) {
        const wait = error instanceof ApiError && tries < TRIES ? error.after : null;
        if (wait === null || signal.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait * 1000));
      }
    }
  }
}
