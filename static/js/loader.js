// From the reader's choice to pictures: asks for all heads and for the selected one, and drops answers that came too late.

import { ApiError, patiently, pause, postTrace } from "./api.js";
import { modelIn } from "./choice.js";
import { blockWith, isExact, pictured, withRows, withTensors } from "./exact.js";
import {
  detailRequest,
  gridRequest,
  isLong,
  matrixRequest,
  rowsRequest,
  vectorsRequest,
} from "./requests.js";
import { detailOf } from "./views/detail.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./models.js").Models} Models */

/**
 * How long a newer question waits for the answer to an older one, in ms: the server computes one at a time, and goes on with
 * what nobody waits for any more, so that giving up soon would make it slower.
 */
const PATIENCE = { least: 250, most: 3000, ofUsual: 3 };
const RESTING = 120; // ms on a head before they are fetched
const POINTING_PAUSE = 40; // ms on a row before its numbers are fetched
/** What the page can do without: the field of a refusal, and what it is a refusal of. */
const SPARE = /** @type {const} */ ({
  "select.tensors": "norms",
  "analyse.rollout": "rollout",
  "analyse.lens": "lens",
});

export class Loader {
  #store;
  #models;
  #repaint;
  #grid;
  #abort = new AbortController();
  #timer = 0;
  #pointing = 0;
  #gridKey = "";
  #asked = ""; // what is wanted, or was answered
  #since = 0; // when the question under way was asked; 0: none is
  /** The question whose q, k and v were asked for. @type {AbortSignal | null} */
  #vectorsFor = null;
  #usual = 0; // how long the last answer took

  /**
   * @param {Store} store
   * @param {Models} models
   * @param {ReturnType<typeof import("./repaint.js").repainter>} repaint lets painted cells follow their tokens
   * @param {boolean} grid whether somebody shows all heads
   */
  constructor(store, models, repaint, grid) {
    this.#store = store;
    this.#models = models;
    this.#repaint = repaint;
    this.#grid = grid;
    const keys = /** @type {const} */ (["kind", "layer", "head", "query", "matrix", "by"]);
    store.watch(
      ["model", "scratch", "texts", "targets", "pairs", "masks", "muted", ...keys],
      () => {
        if (this.#refuses() || this.#key() === this.#asked) return; // most matrices are there already
        this.#soon();
      },
    );
  }

  /** Ask again for what is selected now. */
  retry() {
    this.#gridKey = "";
    this.#soon();
  }

  /** A row of a long text is pointed at: fetch its exact numbers. @param {number | null} row */
  point(row) {
    clearTimeout(this.#pointing);
    const { detail } = this.#store.state;
    if (row === null || !detail || isExact(detail, row)) return;
    this.#pointing = setTimeout(() => this.#pointed(row), POINTING_PAUSE);
  }

  /** q, k and v of a long text are looked at: fetch them, unless the reader walks on. */
  async vectors() {
    const { signal } = this.#abort;
    if (this.#vectorsFor === signal) return;
    this.#vectorsFor = signal;
    const { state } = this.#store;
    const request = vectorsRequest(state, modelIn(state));
    if (!request) return;
    await pause(RESTING / 1000);
    if (signal.aborted) return;
    try {
      const vectors = await asking(signal)(request);
      const { detail } = this.#store.state;
      if (detail && !signal.aborted) this.#store.update({ detail: withTensors(detail, vectors) });
    } catch (error) {
      if (!signal.aborted) console.info("q, k and v could not be fetched:", error);
    }
  }

  #requests() {
    const { state } = this.#store;
    const model = modelIn(state);
    return {
      grid: this.#grid ? gridRequest(state, model) : null,
      detail: detailRequest(state, model),
      matrix: matrixRequest(state, model),
    };
  }

  #key() {
    return JSON.stringify(this.#requests());
  }

  /** Ask at once, or as soon as the answer under way is there; if several want to ask, the newest does. */
  #soon() {
    clearTimeout(this.#timer);
    clearTimeout(this.#pointing);
    this.#asked = this.#key();
    this.#store.update({ status: "loading" });
    const { least, most, ofUsual } = PATIENCE;
    const patience = Math.min(most, Math.max(least, ofUsual * this.#usual));
    const wait = this.#since ? Math.max(0, this.#since + patience - performance.now()) : 0;
    if (wait) this.#timer = setTimeout(() => this.#load(), wait);
    else queueMicrotask(() => this.#load());
  }

  async #load() {
    this.#abort.abort(); // whatever is under way is not wanted any more
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#since = performance.now();
    let asked = this.#asked;
    try {
      const { model } = this.#store.state;
      if (modelIn(this.#store.state).state !== "ready") await this.#models.open(model);
      if (!signal.aborted) await this.#repaint(asking(signal));
      if (signal.aborted) return; // now that the model is known, the choice may have had to change
      clearTimeout(this.#timer);
      asked = this.#asked = this.#key();
      await this.#answer(asked, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#since = 0;
      if (asked !== this.#asked) this.#load();
      else this.#failed(error);
    }
  }

  /** @param {string} asked @param {AbortSignal} signal */
  async #answer(asked, signal) {
    const ask = asking(signal);
    const { state } = this.#store;
    const requests = this.#requests();
    const key = JSON.stringify(requests.grid);
    const since = performance.now();
    const [grid, head, matrix] = await Promise.all([
      !requests.grid || key === this.#gridKey ? state.grid : ask(requests.grid),
      ask(requests.detail),
      requests.matrix && ask(requests.matrix),
    ]);
    if (signal.aborted) return;
    this.#usual = performance.now() - since;
    this.#since = 0;
    const long = isLong(state);
    const detail = long ? pictured(head, matrix) : head;
    const newer = asked !== this.#asked;
    if (!newer && !long) {
      this.#gridKey = key;
      this.#store.update({ grid, detail, status: "ready", problem: null });
      painted();
      return;
    }
    const { model, kind } = this.#store.state;
    if (model === state.model && kind === state.kind) {
      // both at once: no picture of one text stands beside that of another
      this.#gridKey = key;
      this.#store.update({ grid, detail });
      if (!newer) painted();
    }
    if (newer) this.#load();
    else await this.#readable(signal);
  }

  /** The picture of a long text stands: now the numbers of its row. @param {AbortSignal} signal */
  async #readable(signal) {
    const row = detailOf(this.#store.state)?.row ?? 0;
    await this.#fetchRows(row, signal);
    if (signal.aborted) return;
    this.#store.update({ status: "ready", problem: null });
  }

  /** @param {number} row @param {AbortSignal} signal */
  async #fetchRows(row, signal) {
    const { state } = this.#store;
    const rows = blockWith(row, detailOf(state)?.queries.length ?? 1);
    const answer = await asking(signal)(rowsRequest(state, modelIn(state), rows));
    const { detail } = this.#store.state;
    if (detail && !signal.aborted)
      this.#store.update({ detail: withRows(detail, answer, rows[0]) });
  }

  /** @param {number} row */
  async #pointed(row) {
    const { status, detail } = this.#store.state;
    if (status !== "ready" || !detail || isExact(detail, row)) return; // the rest of the picture is on its way
    const { signal } = this.#abort;
    try {
      await this.#fetchRows(row, signal);
    } catch (error) {
      if (!signal.aborted) console.info("A row could not be fetched:", error); // pointing again asks again
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    const known = error instanceof ApiError;
    if (known && error.code === "loading" && modelIn(this.#store.state).state === "ready") {
      this.#models.forget(this.#store.state.model); // it had to make way for another, and comes again
      this.#soon();
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
      problem: { message, retry: known ? error.retry : true, field: known ? error.field : null },
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
    if (this.#key() !== this.#asked) this.#soon(); // the matrix did not change, so nobody has asked anew
  }
}

/** Say when what was asked for is on the screen: see benchmarks/interaction.py. */
function painted() {
  requestAnimationFrame(() =>
    setTimeout(() => {
      performance.clearMarks("picture");
      performance.mark("picture");
    }),
  );
}

/** @param {AbortSignal} signal */
const asking =
  (signal) =>
  /** @param {object} request */
  (request) =>
    patiently(() => postTrace(request, signal), signal);

/** @param {string | null} field */
const spared = (field) =>
  field !== null && field in SPARE ? SPARE[/** @type {keyof typeof SPARE} */ (field)] : null;
