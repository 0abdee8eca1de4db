// One more question beside the picture's own: asked while a view wants its answer, once the picture stands, and never twice.

import { ApiError, patiently, postTrace } from "./api.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.d.ts").State} State */
/** @typedef {import("./types.d.ts").Asked} Asked */
/** @typedef {"next" | "effects" | "overlays" | "inside" | "other" | "whole" | "facts" | "reference"} Slot where the answer lies in the state */

/** @type {Readonly<Asked>} */
const NOTHING = { status: "ready", answer: null, problem: null };

export class Asker {
  #store;
  #slot;
  #request;
  #abort = new AbortController();
  #asked = ""; // the request that is answered, or under way

  /**
   * @param {Store} store
   * @param {Slot} slot
   * @param {(keyof State)[]} keys what the request depends on, beside the status
   * @param {(state: Readonly<State>) => object | null} request null: nobody wants it now
   */
  constructor(store, slot, keys, request) {
    this.#store = store;
    this.#slot = slot;
    this.#request = request;
    store.watch([...keys, "status"], () => this.#look());
  }

  /** Ask again for what is selected now. */
  retry() {
    this.#asked = "";
    this.#look();
  }

  #look() {
    const { state } = this.#store;
    const held = state[this.#slot];
    const request = this.#request(state);
    if (!request) {
      if (held?.status === "loading") this.#stop({ ...held, status: "ready" });
      return;
    }
    const key = JSON.stringify(request);
    if (key === this.#asked) return;
    if (state.status === "ready") {
      this.#stop({ ...(held ?? NOTHING), status: "loading", problem: null });
      this.#asked = key;
      this.#load(request, this.#abort.signal);
    } else {
      // a text that is still being typed, or was refused: what stands there belongs to the picture that stands there
      const now = state.status === "loading" ? "loading" : "ready";
      this.#stop({ ...(held ?? NOTHING), status: now, problem: null });
    }
  }

  /** What is under way is not wanted any more. @param {Asked} asked */
  #stop(asked) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#asked = "";
    if (asked.status !== this.#store.state[this.#slot]?.status) this.#put(asked);
  }

  /** @param {Asked} asked */
  #put(asked) {
    this.#store.update({ [this.#slot]: asked });
  }

  /** @param {object} request @param {AbortSignal} signal */
  async #load(request, signal) {
    try {
      const answer = await patiently(() => postTrace(request, signal), signal);
      if (!signal.aborted) this.#put({ status: "ready", answer, problem: null });
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof ApiError;
      if (
        known &&
        /\.tokens?(\.\d+)?$/.test(error.field ?? "") &&
        this.#store.state.token !== null
      ) {
        this.#store.update({ token: null }); // a link to a token that this model does not have
        return;
      }
      const message = known ? error.message : `The answer could not be read: ${error}`;
      const problem = { message, retry: known ? error.retry : true };
      if (problem.retry) this.#asked = ""; // the next look may have more luck
      this.#put({ status: "error", answer: null, problem });
    }
  }
}
