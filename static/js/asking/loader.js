// Fetches the answers that the reader's choice needs: finds what is missing, requests it with one request per trace, and puts
// the answers into the state. The caller provides the questions; the page's lane decides when a request may run.

import { questions as asked } from "../api/api.js";
import { CANCELLED, canSplit, problemOf, recoveryOf, refusedIn } from "../api/refusals.js";
import { keysOf } from "../state/address.js";
import { modelIn } from "../state/choice.js";
import { merged, parted } from "./bundle.js";
import { Ledger } from "./ledger.js";
import { REQUEST_KEYS } from "./questions.js";
import { isPicture, nextOf, statusesOf, wishesOf, worthOf } from "./wishes.js";

/** @import { Store } from "../state/store.js" */
/** @import { Answer, Problem, State } from "../types.d.ts" */
/** @import { Job } from "./lane.js" */
/** @import { Questions } from "./questions.js" */
/** @import { Wish } from "./wishes.js" */

export class Loader {
  #store;
  #lane;
  #models;
  #repaint;
  #questions;
  #ledger = new Ledger();
  #alone = false; // ask one question at a time: together they were too much
  #isScheduled = false;

  /**
   * @param {Store} store
   * @param {object} options
   * @param {import("./lane.js").Lane} options.lane the one of the page
   * @param {import("./models.js").Models} options.models
   * @param {ReturnType<typeof import("./repaint.js").repainter>} options.repaint moves painted cells with their tokens
   * @param {Questions} options.questions
   */
  constructor(store, { lane, models, repaint, questions }) {
    this.#store = store;
    this.#lane = lane;
    this.#models = models;
    this.#repaint = repaint;
    this.#questions = questions;
    store.watch(["models", ...keysOf("input", "edit")], () => {
      this.#alone = false;
    });
    store.watch(REQUEST_KEYS, () => this.#check());
  }

  /** Ask again for everything that was refused or cancelled. */
  retry() {
    this.#ledger.forgetRefusals();
    this.#alone = false;
    this.#check();
  }

  /** The next request, for the lane. @returns {Job | null} */
  next() {
    const { state } = this.#store;
    if (state.missing) return null; // the reader has to choose first
    const model = modelIn(state);
    if (model.state !== "ready") {
      if (this.#ledger.outcome("model", model.name) === "refused") return null;
      return this.#models.opening(model.name, {
        opened: () => this.#check(),
        failed: (error) => {
          this.#ledger.refuse("model", model.name);
          this.#store.update({ problem: problemOf(error) });
          this.#check();
        },
      });
    }
    const tokens = this.#repaint.question();
    if (tokens) return this.#tokens(tokens);
    this.#repaint.follow();
    const bundle = nextOf(this.#wishes(), this.#alone);
    return bundle && this.#job(bundle);
  }

  /** Ask which tokens the texts have, so that painted cells can follow them. @param {object} request @returns {Job} */
  #tokens(request) {
    const key = JSON.stringify(request);
    return {
      request,
      worth: () => (JSON.stringify(this.#repaint.question()) === key ? "wanted" : "older"),
      answered: (answer) => {
        asked.set(answer, request);
        this.#repaint.learn(answer);
        this.#check();
      },
      refused: (error) => this.#refused(error, this.#wishes()),
      cancelled: () => this.#refuse(this.#wishes(), CANCELLED),
    };
  }

  /** @param {Wish[]} bundle @returns {Job} */
  #job(bundle) {
    const { model, kind } = this.#store.state;
    return {
      request: merged(bundle),
      events: bundle.every(({ question }) => question.events),
      quiet: bundle.every(({ question }) => question.rests),
      worth: () => worthOf(bundle, this.#wishes()),
      answered: (answer) => {
        const { state } = this.#store;
        // an answer to an older request is shown, too, but not heads of another model
        if (state.model === model && state.kind === kind) this.#put(bundle, answer);
        else this.#check();
      },
      refused: (error) => this.#refused(error, bundle),
      cancelled: () => this.#refuse(bundle, CANCELLED),
    };
  }

  #wishes() {
    return wishesOf(this.#store.state, this.#questions, this.#ledger);
  }

  /** @param {Wish[]} bundle @param {Answer} answer */
  #put(bundle, answer) {
    const { state } = this.#store;
    /** @type {Partial<State>} */
    const changes = {};
    const parts = parted(bundle, answer);
    for (const [place, { name, question, request, key }] of bundle.entries()) {
      const part = parts[place];
      asked.set(part, request);
      const into = question.put?.({ ...state, ...changes }, part, request);
      Object.assign(changes, into ?? { [name]: { status: "ready", answer: part, problem: null } });
      this.#ledger.forget(
        ...[...this.#questions].flatMap(([other, { completes }]) =>
          completes === name ? other : [],
        ),
      );
      this.#ledger.answered(name, key);
    }
    this.#update(changes);
    const drawn = bundle.some(isFirst);
    const waits = this.#wishes().some((wish) => isFirst(wish) && wish.outcome === "missing");
    if (drawn && !waits) painted();
  }

  /** @param {unknown} error @param {Wish[]} bundle */
  #refused(error, bundle) {
    const changes = recoveryOf(error, this.#store.state);
    if (changes) this.#store.update(changes);
    else if (canSplit(error, bundle)) this.#alone = true;
    else this.#refuse(refusedIn(error, bundle), problemOf(error));
    this.#check();
  }

  /** @param {Wish[]} wishes @param {Problem} problem */
  #refuse(wishes, problem) {
    /** @type {Partial<State>} */
    const changes = {};
    for (const { name, question, key } of wishes) {
      this.#ledger.refuse(name, key);
      if (isPicture({ question })) changes.problem = problem;
      else if (question.put === undefined) {
        const slot = this.#store.state[/** @type {import("./questions.js").Slot} */ (name)];
        const answer = problem === CANCELLED ? (slot?.answer ?? null) : null;
        Object.assign(changes, { [name]: { status: "error", answer, problem } });
      } else console.info(`${name} could not be fetched:`, problem.message); // asked again at the next pointer move
    }
    this.#update(changes);
  }

  /** Update what is missing after a change of the choice or of what has been answered. */
  #check() {
    const { matrix, lacks } = this.#store.state;
    if (lacks[matrix]) {
      this.#store.update({ matrix: "pattern", lacks: { ...lacks } }); // the server has refused it
      return;
    }
    const model = modelIn(this.#store.state);
    if (model.state === "ready") this.#ledger.forget("model");
    const opens =
      model.state !== "ready" && this.#ledger.outcome("model", model.name) === "missing";
    this.#models.follow(opens ? model.name : null);
    this.#update({});
  }

  /** Update the state together with the status of the answers, then notify the lane. @param {Partial<State>} changes */
  #update(changes) {
    const { state } = this.#store;
    const next = { ...state, ...changes };
    const wishes = wishesOf(next, this.#questions, this.#ledger);
    const statuses = statusesOf(next, wishes, this.#questions, this.#ledger);
    this.#store.update({ ...changes, ...statuses });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#lane.notify(this);
    });
  }
}

/** Whether it belongs to the first picture. @param {Wish} wish */
const isFirst = (wish) => isPicture(wish) && !wish.question.late;

/** Mark the time at which the answer is on the screen: see benchmarks/interaction.py. */
function painted() {
  requestAnimationFrame(() =>
    setTimeout(() => {
      performance.clearMarks("picture");
      performance.mark("picture");
    }),
  );
}
