// Asks for the mute effects, which cost a run for every head: only while their tab is open, and after the picture is there.

import { ApiError, patiently, postTrace } from "./api.js";
import { modelIn } from "./choice.js";
import { effectsRequest } from "./loader.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.d.ts").Effects} Effects */

/** @type {Readonly<Effects>} */
const NOTHING = { status: "ready", answer: null, problem: null };

export class EffectsLoader {
  #store;
  #abort = new AbortController();
  #asked = ""; // the request that is answered, or under way

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    const inputs = /** @type {const} */ (["texts", "targets", "pairs", "masks", "muted"]);
    store.watch(["right", "status", "model", ...inputs, "kind", "query"], () => this.#look());
  }

  /** Ask again for what is selected now. */
  retry() {
    this.#asked = "";
    this.#look();
  }

  #look() {
    const { state } = this.#store;
    const { right, status, effects } = state;
    const model = modelIn(state);
    if (right !== "effects" || model.lacks || (model.state === "ready" && !model.predicts)) {
      if (effects?.status === "loading") this.#stop({ ...effects, status: "ready" });
      return;
    }
    const request = effectsRequest(state, model);
    const key = JSON.stringify(request);
    if (key === this.#asked) return;
    if (status === "ready") {
      this.#stop({ ...(effects ?? NOTHING), status: "loading", problem: null });
      this.#asked = key;
      this.#load(request, this.#abort.signal);
    } else {
      // a text that is still being typed, or was refused: what stands there belongs to the picture that stands there
      const now = status === "loading" ? "loading" : "ready";
      this.#stop({ ...(effects ?? NOTHING), status: now, problem: null });
    }
  }

  /** What is under way is not wanted any more. @param {Effects} effects */
  #stop(effects) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#asked = "";
    if (effects.status !== this.#store.state.effects?.status) this.#store.update({ effects });
  }

  /** @param {object} request @param {AbortSignal} signal */
  async #load(request, signal) {
    try {
      const { trace } = await patiently(() => postTrace(request, signal), signal);
      if (signal.aborted) return;
      this.#store.update({ effects: { status: "ready", answer: trace, problem: null } });
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof ApiError;
      const message = known ? error.message : `The answer could not be read: ${error}`;
      const problem = { message, retry: known ? error.retry : true };
      if (problem.retry) this.#asked = ""; // the next look may have more luck
      this.#store.update({ effects: { status: "error", answer: null, problem } });
    }
  }
}
