// From the reader's choice to pictures: asks for all heads and for the selected one, and drops answers that came too late.

import { ApiError, patiently, postTrace } from "./api.js";
import { modelIn } from "./choice.js";
import { detailRequest, gridRequest } from "./requests.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./models.js").Models} Models */

const TYPING_PAUSE = 90; // ms after the last key
const WALKING_PAUSE = 30; // so that a held arrow asks for the head where it stops
/** What the page can do without: the field of a refusal, and what it is a refusal of. */
const SPARE = /** @type {const} */ ({
  "select.tensors": "norms",
  "analyse.rollout": "rollout",
  "analyse.lens": "lens",
});

export class Loader {
  #store;
  #models;
  #abort = new AbortController();
  #timer = 0;
  #gridKey = "";
  #asked = "";

  /** @param {Store} store @param {Models} models */
  constructor(store, models) {
    this.#store = store;
    this.#models = models;
    let { texts, targets, pairs } = store.state;
    const keys = /** @type {const} */ (["kind", "layer", "head", "query", "matrix"]);
    store.watch(["model", "texts", "targets", "pairs", "masks", "muted", ...keys], (now) => {
      if (this.#refuses() || this.#key() === this.#asked) return; // most matrices are there already
      const typed = now.texts !== texts || now.targets !== targets || now.pairs !== pairs;
      ({ texts, targets, pairs } = now);
      this.#soon(typed ? TYPING_PAUSE : WALKING_PAUSE);
    });
  }

  /** Ask again for what is selected now. */
  retry() {
    this.#gridKey = "";
    this.#soon(0);
  }

  #requests() {
    const { state } = this.#store;
    const model = modelIn(state);
    return { grid: gridRequest(state, model), detail: detailRequest(state, model) };
  }

  #key() {
    return JSON.stringify(this.#requests());
  }

  /** @param {number} pause */
  #soon(pause) {
    clearTimeout(this.#timer);
    this.#abort.abort(); // whatever is under way is not wanted any more
    this.#abort = new AbortController();
    this.#asked = this.#key();
    this.#store.update({ status: "loading" });
    this.#timer = setTimeout(() => this.#load(this.#abort.signal), pause);
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    /** @param {object} request */
    const ask = (request) => patiently(() => postTrace(request, signal), signal);
    try {
      const { model } = this.#store.state;
      if (modelIn(this.#store.state).state !== "ready") await this.#models.open(model);
      if (signal.aborted) return; // now that the model is known, the choice may have had to change
      const requests = this.#requests();
      const key = JSON.stringify(requests.grid);
      this.#asked = this.#key();
      const [grid, detail] = await Promise.all([
        key === this.#gridKey ? this.#store.state.grid : ask(requests.grid),
        ask(requests.detail),
      ]);
      if (signal.aborted) return;
      this.#gridKey = key;
      this.#store.update({ grid, detail, status: "ready", problem: null });
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    const known = error instanceof ApiError;
    if (known && error.code === "loading" && modelIn(this.#store.state).state === "ready") {
      this.#models.forget(this.#store.state.model); // it had to make way for another, and comes again
      this.#soon(0);
      return;
    }
    const { query } = this.#store.state;
    const place = known && /^(predict|analyse\.lens)\.position$/.test(error.field ?? "");
    if (place && query !== null) {
      this.#store.update({ query: null }); // a link to a token that this text does not have
      return;
    }
    const spare = known && error.code === "unavailable" ? spared(error.field) : null;
    if (spare && !this.#store.state.lacks[spare]) {
      this.#without(spare, error instanceof ApiError ? error.message : "");
      return;
    }
    const message = known ? error.message : `The answer could not be read: ${error}`;
    this.#store.update({
      status: "error",
      problem: { message, retry: known ? error.retry : true },
    });
  }

  /** Whether the matrix chosen is one that was refused before. */
  #refuses() {
    const { matrix, lacks } = this.#store.state;
    if ((matrix !== "norms" && matrix !== "rollout") || !lacks[matrix]) return false;
    this.#without(matrix, lacks[matrix]);
    return true;
  }

  /**
   * Go on without a part, and remember why.
   * @param {"norms" | "rollout" | "lens"} part
   * @param {string} reason
   */
  #without(part, reason) {
    const { matrix, lacks } = this.#store.state;
    this.#store.update({
      lacks: { ...lacks, [part]: reason },
      matrix: matrix === part ? "pattern" : matrix,
    });
    if (this.#key() !== this.#asked) this.#soon(0); // the matrix did not change, so nobody has asked anew
  }
}

/** @param {string | null} field */
const spared = (field) =>
  field !== null && field in SPARE ? SPARE[/** @type {keyof typeof SPARE} */ (field)] : null;
