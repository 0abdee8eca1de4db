// From the reader's choice to answers: finds what is missing, asks for it in as few requests as there are traces, and puts what
// comes into the state. What it asks, whoever makes it says; when it may ask, the page's lane decides.

import { questions as asked } from "../api/api.js";
import { CANCELLED, goingOn, problemOf, refusedOf, splits } from "../api/refusals.js";
import { modelIn } from "../state/choice.js";
import { merged, parted } from "./bundle.js";
import { Ledger } from "./ledger.js";
import { TRACE } from "./questions.js";
import { isPicture, nextOf, toldOf, wishesOf, worthOf } from "./wishes.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").Problem} Problem */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("./lane.js").Job} Job */
/** @typedef {import("./questions.js").Questions} Questions */
/** @typedef {import("./wishes.js").Wish} Wish */

export class Loader {
  #store;
  #lane;
  #models;
  #repaint;
  #questions;
  #ledger = new Ledger();
  #alone = false; // what is missing is asked one by one: together it was too much
  #soon = false;

  /**
   * @param {Store} store
   * @param {object} options
   * @param {import("./lane.js").Lane} options.lane the page's
   * @param {import("./models.js").Models} options.models
   * @param {ReturnType<typeof import("./repaint.js").repainter>} options.repaint lets painted cells follow their tokens
   * @param {Questions} options.questions
   */
  constructor(store, { lane, models, repaint, questions }) {
    this.#store = store;
    this.#lane = lane;
    this.#models = models;
    this.#repaint = repaint;
    this.#questions = questions;
    const keys = [...questions.values()].flatMap((question) => question.keys);
    store.watch([...TRACE], () => {
      this.#alone = false;
    });
    store.watch([...new Set([...TRACE, ...keys])], () => this.#look());
  }

  /** Ask again for what was refused, or was given up. */
  retry() {
    this.#ledger.forgive();
    this.#alone = false;
    this.#look();
  }

  /** What the reader wants most now: for the lane. @returns {Job | null} */
  next() {
    const { state } = this.#store;
    const model = modelIn(state);
    if (model.state !== "ready") {
      if (this.#ledger.how("model", model.name) === "refused") return null;
      return this.#models.opening(model.name, {
        opened: () => this.#look(),
        failed: (error) => {
          this.#ledger.refuse("model", model.name);
          this.#store.update({ problem: problemOf(error) });
          this.#look();
        },
      });
    }
    const tokens = this.#repaint.question();
    if (tokens) return this.#tokens(tokens);
    this.#repaint.follow();
    const bundle = nextOf(this.#wishes(), this.#alone);
    return bundle && this.#job(bundle);
  }

  /** Which tokens the texts have: painted cells are theirs. @param {object} request @returns {Job} */
  #tokens(request) {
    const key = JSON.stringify(request);
    return {
      request,
      worth: () => (JSON.stringify(this.#repaint.question()) === key ? "wanted" : "older"),
      answered: (answer) => {
        asked.set(answer, request);
        this.#repaint.learn(answer);
        this.#look();
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
      worth: () => worthOf(bundle, this.#wishes()),
      answered: (answer) => {
        const { state } = this.#store;
        // late or not, it shows what was typed; but not heads of another model
        if (state.model === model && state.kind === kind) this.#put(bundle, answer);
        else this.#look();
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
        ...[...this.#questions].flatMap(([other, { of }]) => (of === name ? other : [])),
      );
      this.#ledger.answered(name, key);
    }
    this.#update(changes);
    const drawn = bundle.some(isFirst);
    const waits = this.#wishes().some((wish) => isFirst(wish) && wish.how === "missing");
    if (drawn && !waits) painted();
  }

  /** @param {unknown} error @param {Wish[]} bundle */
  #refused(error, bundle) {
    const changes = goingOn(error, this.#store.state);
    if (changes) this.#store.update(changes);
    else if (splits(error, bundle)) this.#alone = true;
    else this.#refuse(refusedOf(error, bundle), problemOf(error));
    this.#look();
  }

  /** @param {Wish[]} wishes @param {Problem} problem */
  #refuse(wishes, problem) {
    /** @type {Partial<State>} */
    const changes = {};
    for (const { name, question, key } of wishes) {
      this.#ledger.refuse(name, key);
      if (isPicture({ question })) changes.problem = problem;
      else if (question.put === undefined) {
        const held = this.#store.state[/** @type {import("./questions.js").Slot} */ (name)];
        const answer = problem === CANCELLED ? (held?.answer ?? null) : null;
        Object.assign(changes, { [name]: { status: "error", answer, problem } });
      } else console.info(`${name} could not be fetched:`, problem.message); // pointing again asks again
    }
    this.#update(changes);
  }

  /** The choice has changed, or what is known. */
  #look() {
    const { matrix, lacks } = this.#store.state;
    if (lacks[matrix]) {
      this.#store.update({ matrix: "pattern", lacks: { ...lacks } }); // it was refused before
      return;
    }
    const model = modelIn(this.#store.state);
    if (model.state === "ready") this.#ledger.forget("model");
    const opens = model.state !== "ready" && this.#ledger.how("model", model.name) === "missing";
    this.#models.follow(opens ? model.name : null);
    this.#update({});
  }

  /** Put something into the state, together with how far all is; then ask. @param {Partial<State>} changes */
  #update(changes) {
    const { state } = this.#store;
    const next = { ...state, ...changes };
    const wishes = wishesOf(next, this.#questions, this.#ledger);
    const told = toldOf(next, wishes, this.#questions, this.#ledger);
    this.#store.update({ ...changes, ...told });
    if (this.#soon) return;
    this.#soon = true;
    queueMicrotask(() => {
      this.#soon = false;
      this.#lane.look(this);
    });
  }
}

/** Whether it is of the picture that comes first. @param {Wish} wish */
const isFirst = (wish) => isPicture(wish) && !wish.question.late;

/** Say when what was asked for is on the screen: see benchmarks/interaction.py. */
function painted() {
  requestAnimationFrame(() =>
    setTimeout(() => {
      performance.clearMarks("picture");
      performance.mark("picture");
    }),
  );
}
