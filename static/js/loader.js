// From the reader's choice to pictures: asks for all heads and for the selected one, and drops answers that came too late.

import { ApiError, patiently, postTrace } from "./api.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.d.ts").Model} Model */
/** @typedef {import("./types.d.ts").State} State */

const TYPING_PAUSE = 90; // ms after the last key
const WALKING_PAUSE = 30; // so that a held arrow asks for the head where it stops
const TENSORS = ["q", "k", "v", "scores", "pattern", "blocked_by"];
const LENS_TOP = 3; // candidates at each stage
export const THUMBNAIL = 64; // cells a side at most

/** What the page can do without: the field of a refusal, and what it is a refusal of. */
const SPARE = /** @type {const} */ ({
  "select.tensors": "norms",
  "analyse.rollout": "rollout",
  "analyse.lens": "lens",
});

/** What a trace depends on. @param {Readonly<State>} state */
export const inputs = ({ model, texts, masks, muted }) => ({ model, texts, masks, muted });

/** All heads, small, and how they score on these texts. @param {Readonly<State>} state */
export const gridRequest = (state) => ({
  ...inputs(state),
  select: { tensors: ["pattern"], resolution: THUMBNAIL, dtype: "uint8" },
  analyse: { scores: true },
});

/**
 * One head, in full, the next token, and how the layers come to it.
 * @param {Readonly<State>} state
 * @param {Pick<Model, "predicts" | "tensors">} model
 */
export function detailRequest(state, { predicts, tensors }) {
  const { layer, head, query, matrix, lacks } = state;
  const norms = tensors === null ? matrix === "norms" : tensors.includes("norms");
  const lens = predicts && !lacks.lens;
  return {
    ...inputs(state),
    select: {
      tensors: norms && !lacks.norms ? [...TENSORS, "norms"] : TENSORS,
      layers: [layer],
      heads: [head],
    },
    analyse: {
      rollout: matrix === "rollout",
      lens: lens ? { top_k: LENS_TOP, position: query } : null,
    },
    ...(predicts ? { predict: { top_k: 10, position: query } } : {}),
  };
}

/** What muting each head does to the next token; no tensors. @param {Readonly<State>} state */
export const effectsRequest = (state) => ({
  ...inputs(state),
  select: { layers: [] },
  analyse: { mute_effects: { position: state.query, token: null } },
  predict: null,
});

export class Loader {
  #store;
  #modelOf;
  #abort = new AbortController();
  #timer = 0;
  #gridKey = "";
  #asked = "";

  /** @param {Store} store @param {(name: string) => Model} modelOf */
  constructor(store, modelOf) {
    this.#store = store;
    this.#modelOf = modelOf;
    let { texts } = store.state;
    store.watch(["model", "texts", "masks", "muted", "layer", "head", "query", "matrix"], () => {
      if (this.#refuses() || this.#key() === this.#asked) return; // most matrices are there already
      const typed = store.state.texts !== texts;
      ({ texts } = store.state);
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
    return { grid: gridRequest(state), detail: detailRequest(state, this.#modelOf(state.model)) };
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
    const requests = this.#requests();
    const key = JSON.stringify(requests.grid);
    /** @param {object} request */
    const ask = (request) => patiently(() => postTrace(request, signal), signal);
    try {
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

  /** Whether the matrix chosen is one that this model is known not to give. */
  #refuses() {
    const { matrix, model, lacks } = this.#store.state;
    if (matrix !== "norms" && matrix !== "rollout") return false;
    const known = this.#modelOf(model).tensors;
    const missing = matrix === "norms" && known !== null && !known.includes("norms");
    if (!missing && !lacks[matrix]) return false;
    this.#without(matrix, lacks[matrix] ?? `${model} does not say how its heads write: no W_O.`);
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
