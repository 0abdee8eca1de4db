// From the reader's choice to pictures: asks for all heads and for the selected one, and drops answers that came too late.

import { ApiError, patiently, postTrace } from "./api.js";
import { aligned, modelIn, queryAxis } from "./choice.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./models.js").Models} Models */
/** @typedef {import("./types.d.ts").Model} Model */
/** @typedef {import("./types.d.ts").State} State */
/** @typedef {Pick<Model, "predicts" | "tensors" | "takes_targets" | "takes_pairs">} Traits */

const TYPING_PAUSE = 90; // ms after the last key
const WALKING_PAUSE = 30; // so that a held arrow asks for the head where it stops
const TENSORS = ["q", "k", "v", "scores", "pattern", "blocked_by", "norms"];
const LONG = 1000; // characters: of a longer text, scores and norms come when they are looked at
const LENS_TOP = 3; // candidates at each stage
export const THUMBNAIL = 64; // cells a side at most

/** What the page can do without: the field of a refusal, and what it is a refusal of. */
const SPARE = /** @type {const} */ ({
  "select.tensors": "norms",
  "analyse.rollout": "rollout",
  "analyse.lens": "lens",
});

/**
 * What a trace depends on, in the words of the API; what the model does not take is left out.
 * @param {Readonly<State>} state
 * @param {Traits} traits
 */
export const inputs = ({ model, texts, targets, pairs, masks, muted }, traits) => ({
  model,
  texts,
  ...(traits.takes_targets ? { targets: aligned(targets, texts.length) } : {}),
  ...(traits.takes_pairs && pairs ? { pairs: aligned(pairs, texts.length) } : {}),
  masks,
  muted,
});

/**
 * All heads, small, and how they score on these texts.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const gridRequest = (state, model) => ({
  ...inputs(state, model),
  select: { tensors: ["pattern"], ...kinds(state), resolution: THUMBNAIL, dtype: "uint8" },
  analyse: { scores: true },
});

/**
 * One head, in full, what the model predicts, and how the layers come to it.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export function detailRequest(state, model) {
  const { texts, layer, head, matrix, lacks } = state;
  const long = texts.some((text) => text.length > LONG);
  const given = TENSORS.filter(
    (name) =>
      (model.tensors?.includes(name) ?? true) &&
      !(long && name !== matrix && (name === "scores" || name === "norms")),
  );
  const lens = model.predicts && !lacks.lens;
  const position = readAt(state, model);
  return {
    ...inputs(state, model),
    select: {
      tensors: lacks.norms ? given.filter((name) => name !== "norms") : given,
      layers: [layer],
      ...kinds(state),
      heads: [head],
    },
    analyse: {
      rollout: matrix === "rollout",
      lens: lens ? { top_k: LENS_TOP, position } : null,
    },
    ...(model.predicts ? { predict: { top_k: 10, position } } : {}),
  };
}

/**
 * What muting each head does to the prediction; no tensors.
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
export const effectsRequest = (state, model) => ({
  ...inputs(state, model),
  select: { layers: [] },
  analyse: { mute_effects: { position: readAt(state, model), token: null } },
  predict: null,
});

/** Of the kind that is looked at; a single stack has but one. @param {Readonly<State>} state */
const kinds = ({ kind }) => (kind === "self" ? {} : { kinds: [kind] });

/**
 * Where predictions are read: at the query, if it is one of the tokens that predict (an encoder–decoder's target).
 * @param {Readonly<State>} state
 * @param {Traits} model
 */
const readAt = ({ kind, query }, { takes_targets }) =>
  takes_targets && queryAxis(kind) === "tokens" ? null : query;

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
