// One request at a time for the whole page. While one is under way only the newest wish of each asker waits; what cannot be
// answered now is asked again, after growing pauses, until it is answered or no longer wanted.

import { ApiError, postTrace, streamTrace } from "../api/api.js";
import { pauseAfter } from "../api/pauses.js";

/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../api/api.js").Progress} Progress */

/**
 * @typedef {object} Job one request
 * @property {object} request
 * @property {boolean} [events] it takes long and says how far it is; its answer has no tensors
 * @property {boolean} [quiet] somebody else says that it takes its time
 * @property {() => "wanted" | "older" | "unwanted"} worth "older": a newer one waits, but its answer can be shown
 * @property {(answer: Answer) => unknown} answered
 * @property {(error: unknown) => unknown} refused it will not be answered
 * @property {() => void} cancelled by the reader
 */
/** @typedef {{next: () => Job | null}} Asker what it wants most now */
/** @typedef {{job: Job, asker: Asker, abort: AbortController, since: number, settled: boolean}} Running `settled`: it has its answer */
/** @typedef {"busy" | "loading" | "unreachable"} Reason why there is no answer yet; "loading": of a model */
/** @typedef {{kind: "idle"} | {kind: "pause", reason: Reason, until: number} | {kind: "again", reason: Reason} | {kind: "long", progress: Progress | null}} Shown `until`: ms of the clock */

const PATIENCE = { least: 250, most: 3000, ofUsual: 3 }; // ms that a newer wish waits for an older answer
const LONG = 800; // ms after which a computation is a long one

export class Lane {
  #ask;
  #clock;
  #random;
  /** Whoever may want something, in turns. @type {Set<Asker>} */
  #askers = new Set();
  /** @type {Running | null} */
  #running = null;
  /** After a failure: when to go on, and before when not even a new wish may. @type {{job: Job, until: number, earliest: number} | null} */
  #pause = null;
  #choosing = false;
  #tries = 0;
  #usual = 0; // ms that the last answer took
  #given = 0; // answers in a row that nobody waited for
  #timer = 0; // to go on after a pause
  #patience = 0; // to end what is worth little
  #long = 0; // to say that it takes long
  /** @type {Shown} */
  #shown = { kind: "idle" };
  /** @type {((shown: Shown) => void)[]} */
  #listeners = [];

  /**
   * @param {object} [options] otherwise in tests
   * @param {(job: Job, signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Answer>} [options.ask]
   * @param {{now: () => number, set: (act: () => void, ms: number) => number, clear: (timer: number) => void}} [options.clock]
   * @param {() => number} [options.random]
   */
  constructor({ ask = overHttp, clock = REAL, random = Math.random } = {}) {
    this.#ask = ask;
    this.#clock = clock;
    this.#random = random;
  }

  /** @param {(shown: Shown) => void} draw what the reader should know */
  watch(draw) {
    this.#listeners.push(draw);
    draw(this.#shown);
  }

  /** An asker may want something else than before. @param {Asker} asker */
  look(asker) {
    this.#askers.add(asker);
    if (this.#running?.asker === asker) this.#weigh(this.#running);
    if (this.#pause && this.#pause.job.worth() !== "wanted") {
      this.#pause.until = 0;
      this.#tries = 0; // of something else than now
    }
    this.#go();
  }

  /** Go on now, if the server allows it: it can be reached again, or somebody looks again. */
  wake() {
    if (this.#pause) this.#pause.until = 0;
    this.#go();
  }

  /** The reader does not want to wait for the pause to end. */
  hurry() {
    this.#pause = null;
    this.#go();
  }

  /** The reader does not want to wait for the answer. */
  cancel() {
    const running = this.#running;
    if (!running) return;
    this.#end(running);
    running.job.cancelled();
    this.#go();
  }

  #go() {
    if (this.#running || this.#choosing) return;
    this.#clock.clear(this.#timer);
    if (this.#pause) {
      const { until, earliest } = this.#pause;
      const end = Math.max(until, earliest);
      const wait = end - this.#clock.now();
      if (wait > 0) {
        const shown = this.#shown;
        if (shown.kind === "pause" && shown.until !== end) this.#show({ ...shown, until: end });
        this.#timer = this.#clock.set(() => this.#go(), wait);
        return;
      }
      this.#pause = null;
    }
    const [asker, job] = this.#choose();
    if (asker && job) this.#run(asker, job);
    else if (this.#shown.kind !== "idle") this.#show({ kind: "idle" });
  }

  /** @returns {[Asker, Job] | [null, null]} */
  #choose() {
    this.#choosing = true; // an asker may look again while it is asked
    try {
      for (const asker of [...this.#askers]) {
        const job = asker.next();
        this.#askers.delete(asker);
        if (job) return [asker, job];
      }
      return [null, null];
    } finally {
      this.#choosing = false;
    }
  }

  /** @param {Asker} asker @param {Job} job */
  async #run(asker, job) {
    const abort = new AbortController();
    const running = { job, asker, abort, since: this.#clock.now(), settled: false };
    this.#running = running;
    /** @type {Progress | null} */
    let progress = null;
    let long = false;
    const show = () => long && this.#show({ kind: "long", progress });
    if (this.#shown.kind === "pause") this.#show({ kind: "again", reason: this.#shown.reason });
    if (!job.quiet) {
      this.#long = this.#clock.set(() => {
        long = true;
        show();
      }, LONG);
    }
    try {
      const answer = await this.#ask(job, abort.signal, (told) => {
        progress = told;
        if (this.#running === running) show();
      });
      if (this.#running !== running) return;
      running.settled = true;
      this.#usual = this.#clock.now() - running.since;
      this.#tries = this.#given = 0;
      this.#show({ kind: "idle" });
      await job.answered(answer);
    } catch (error) {
      if (this.#running !== running) return;
      running.settled = true;
      if (error instanceof ApiError && error.passes) this.#failed(job, error, error.passes);
      else {
        this.#tries = 0;
        this.#show({ kind: "idle" });
        await job.refused(error);
      }
    }
    if (this.#running === running) this.#end(running);
    this.#go();
  }

  /** @param {Job} job @param {ApiError} error @param {Reason} reason */
  #failed(job, { after, code }, reason) {
    this.#tries += 1;
    const now = this.#clock.now();
    const until = now + 1000 * pauseAfter(this.#tries, after, this.#random);
    const loads = code === "loading"; // one model; whoever asks another need not wait
    this.#pause = { job, until, earliest: loads ? now : now + 1000 * (after ?? 0) };
    if (job.quiet) this.#show({ kind: "idle" });
    else this.#show({ kind: "pause", reason: loads ? "loading" : reason, until });
  }

  /** Whether to go on with what is under way. @param {Running} running */
  #weigh(running) {
    this.#clock.clear(this.#patience);
    if (running.settled) return;
    const worth = running.job.worth();
    if (worth === "wanted") return;
    const { least, most, ofUsual } = PATIENCE;
    // longer each time: whoever types without pause sees a picture in the end
    const patience = Math.min(most, Math.max(least, ofUsual * this.#usual)) * 2 ** this.#given;
    const wait = worth === "older" ? running.since + patience - this.#clock.now() : 0;
    if (wait > 0) {
      this.#patience = this.#clock.set(() => this.#weigh(running), wait);
      return;
    }
    if (worth === "older") this.#given += 1;
    this.#end(running);
    this.#go();
  }

  /** @param {Running} running */
  #end(running) {
    running.abort.abort(); // which ends the computation, where it still goes on
    for (const timer of [this.#patience, this.#long]) this.#clock.clear(timer);
    if (this.#running === running) this.#running = null;
    this.#askers.delete(running.asker);
    this.#askers.add(running.asker); // it may want more: behind the others
    if (this.#shown.kind === "long") this.#show({ kind: "idle" });
  }

  /** @param {Shown} shown */
  #show(shown) {
    this.#shown = shown;
    for (const draw of this.#listeners) draw(shown);
  }
}

/** @param {Job} job @param {AbortSignal} signal @param {(progress: Progress) => void} onProgress */
const overHttp = ({ request, events }, signal, onProgress) =>
  events ? streamTrace(request, signal, onProgress) : postTrace(request, signal);

const REAL = {
  now: () => performance.now(),
  set: (/** @type {() => void} */ act, /** @type {number} */ ms) =>
    /** @type {number} */ (/** @type {unknown} */ (setTimeout(act, ms))),
  clear: (/** @type {number} */ timer) => clearTimeout(timer),
};
