// One request at a time for the whole page. While one is running, each asker has only its newest wish waiting. A request that
// the server cannot answer now is repeated, after growing pauses, until it is answered or no longer wanted.

import { postTrace, streamTrace } from "../api/api.js";
import { ApiError } from "../api/errors.js";
import { pauseAfter } from "../api/pauses.js";
import { Silence } from "./silence.js";

/** @import { Answer } from "../types.d.ts" */
/** @import { Progress } from "../api/api.js" */

/**
 * @typedef {object} Job one request
 * @property {Record<string, any>} request
 * @property {boolean} [events] it takes long and reports its progress; its answer has no tensors
 * @property {boolean} [quiet] other code tells the reader that it takes long
 * @property {() => "wanted" | "older" | "unwanted"} worth "older": a newer one is waiting, but this answer can still be shown
 * @property {(answer: Answer) => unknown} answered
 * @property {(error: unknown) => unknown} refused called when it will never be answered
 * @property {() => void} cancelled called when the reader cancels it
 */
/** @typedef {{now: () => number, set: (act: () => void, ms: number) => number, clear: (timer: number) => void}} Clock */
/** @typedef {{next: () => Job | null}} Asker `next` returns what it wants most now */
/** @typedef {{job: Job, asker: Asker, abort: AbortController, since: number, settled: boolean}} Running `settled`: it has been answered or refused */
/** @typedef {"busy" | "loading" | "fitting" | "unreachable"} Reason why there is no answer yet; "loading": the model is loading; "fitting": its lens is fitted */
/** @typedef {{kind: "idle"} | {kind: "pause", reason: Reason, until: number} | {kind: "again", reason: Reason} | {kind: "long", progress: Progress | null}} Shown `until`: in ms of the clock */

const PATIENCE = { min: 250, max: 3000, ofUsual: 3 }; // ms that a newer wish waits for the answer to an older one
const OF_PROXIES = [502, 504]; // their statuses while the server behind them is silent
/** What is waited for by what needs it alone: other requests may go on. @type {Record<string, Reason | undefined>} */
const WAITS = { loading: "loading", lens_fitting: "fitting" };
const LONG = 800; // ms after which the reader is told that a computation takes long

export class Lane {
  #ask;
  #clock;
  #random;
  /** Askers that may want something, in the order of their turns. @type {Set<Asker>} */
  #askers = new Set();
  /** @type {Running | null} */
  #running = null;
  /** After a failure: when to go on, and the earliest time for even a new wish. @type {{job: Job, until: number, earliest: number} | null} */
  #pause = null;
  #choosing = false;
  #tries = 0;
  #usual = 0; // ms that the last answer took
  #abandoned = 0; // requests in a row that were given up for a newer one
  #timer = 0; // goes on after a pause
  #patience = 0; // ends a request that is no longer worth waiting for
  #long = 0; // tells the reader that it takes long
  /** @type {Shown} */
  #shown = { kind: "idle" };
  /** @type {((shown: Shown) => void)[]} */
  #listeners = [];

  /**
   * @param {object} [options] replaced in tests
   * @param {(job: Job, signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Answer>} [options.ask]
   * @param {Clock} [options.clock]
   * @param {() => number} [options.random]
   */
  constructor({ ask = ofAnybody, clock = REAL, random = Math.random } = {}) {
    this.#ask = ask;
    this.#clock = clock;
    this.#random = random;
    /** Whether the server says anything. */
    this.silence = new Silence(clock);
  }

  /** @param {(shown: Shown) => void} draw called with what the reader should know */
  watch(draw) {
    this.#listeners.push(draw);
    draw(this.#shown);
  }

  /** Called by an asker when what it wants may have changed. @param {Asker} asker */
  notify(asker) {
    this.#askers.add(asker);
    if (this.#running?.asker === asker) this.#weigh(this.#running);
    if (this.#pause && this.#pause.job.worth() !== "wanted") {
      this.#pause.until = 0;
      this.#tries = 0; // they were for something else
    }
    this.#go();
  }

  /** End the pause if the server allows it: the network or the page is back. */
  wake() {
    if (this.#pause) this.#pause.until = 0;
    this.#go();
  }

  /** End the pause at once: the reader does not want to wait. */
  hurry() {
    this.#pause = null;
    this.#go();
  }

  /** Ask again at once for what is wanted, of whoever answers now. */
  renew() {
    this.silence.ends();
    this.#tries = 0;
    if (this.#running) this.#end(this.#running);
    this.hurry();
  }

  /** Cancel the running request: the reader does not want to wait. */
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
    else {
      this.silence.ends();
      if (this.#shown.kind !== "idle") this.#show({ kind: "idle" });
    }
  }

  /** @returns {[Asker, Job] | [null, null]} */
  #choose() {
    this.#choosing = true; // an asker may call `notify` from `next`
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
    this.silence.asked(job.request);
    if (this.#shown.kind === "pause") this.#show({ kind: "again", reason: this.#shown.reason });
    if (!job.quiet) {
      this.#long = this.#clock.set(() => {
        long = true;
        show();
      }, LONG);
    }
    try {
      const answer = await this.#ask(job, abort.signal, (latest) => {
        if (this.#running !== running) return;
        progress = latest;
        this.silence.ends();
        show();
      });
      if (this.#running !== running) return;
      running.settled = true;
      this.silence.ends();
      this.#usual = this.#clock.now() - running.since;
      this.#tries = this.#abandoned = 0;
      this.#show({ kind: "idle" });
      await job.answered(answer);
    } catch (error) {
      if (this.#running !== running) return;
      running.settled = true;
      if (error instanceof ApiError && error.passes) this.#failed(job, error, error.passes);
      else {
        this.silence.ends();
        this.#tries = 0;
        this.#show({ kind: "idle" });
        await job.refused(error);
      }
    }
    if (this.#running === running) this.#end(running);
    this.#go();
  }

  /** @param {Job} job @param {ApiError} error @param {Reason} reason */
  #failed(job, { after, code, status }, reason) {
    this.#tries += 1;
    const now = this.#clock.now();
    const until = now + 1000 * pauseAfter(this.#tries, after, this.#random);
    const waits = WAITS[code ?? ""];
    if (reason === "busy" && !OF_PROXIES.includes(status ?? 0)) this.silence.ends();
    this.#pause = { job, until, earliest: waits ? now : now + 1000 * (after ?? 0) };
    if (job.quiet) this.#show({ kind: "idle" });
    else this.#show({ kind: "pause", reason: waits ?? reason, until });
  }

  /** Decide whether the running request goes on. @param {Running} running */
  #weigh(running) {
    this.#clock.clear(this.#patience);
    if (running.settled) return;
    const worth = running.job.worth();
    if (worth === "wanted") return;
    const { min, max, ofUsual } = PATIENCE;
    // longer each time, so that a reader who keeps typing still gets a picture
    const patience = Math.min(max, Math.max(min, ofUsual * this.#usual)) * 2 ** this.#abandoned;
    const wait = worth === "older" ? running.since + patience - this.#clock.now() : 0;
    if (wait > 0) {
      this.#patience = this.#clock.set(() => this.#weigh(running), wait);
      return;
    }
    if (worth === "older") this.#abandoned += 1;
    this.#end(running);
    this.#go();
  }

  /** @param {Running} running */
  #end(running) {
    running.abort.abort(); // also stops the computation on the server
    for (const timer of [this.#patience, this.#long]) this.#clock.clear(timer);
    if (this.#running === running) this.#running = null;
    this.#askers.delete(running.asker);
    this.#askers.add(running.asker); // it may want more, but goes behind the others
    if (this.#shown.kind === "long") this.#show({ kind: "idle" });
  }

  /** @param {Shown} shown */
  #show(shown) {
    this.#shown = shown;
    for (const draw of this.#listeners) draw(shown);
  }
}

/** @param {Job} job @param {AbortSignal} signal @param {(progress: Progress) => void} onProgress */
const ofAnybody = ({ request, events }, signal, onProgress) =>
  events ? streamTrace(request, signal, onProgress) : postTrace(request, signal);

const REAL = {
  now: () => performance.now(),
  set: (/** @type {() => void} */ act, /** @type {number} */ ms) =>
    /** @type {number} */ (/** @type {unknown} */ (setTimeout(act, ms))),
  clear: (/** @type {number} */ timer) => clearTimeout(timer),
};
