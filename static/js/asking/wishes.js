// The answers that a state needs, which of them to request next, and the status of them all. Pure.

import { modelIn } from "../state/choice.js";
import { bundled } from "./bundle.js";

/** @import { State } from "../types.d.ts" */
/** @import { Ledger } from "./ledger.js" */
/** @import { Name, Question, Questions } from "./questions.js" */
/** @typedef {{name: Name, question: Question, request: Record<string, any>, key: string, outcome: ReturnType<Ledger["outcome"]>, held: boolean}} Wish `held`: not asked yet, since the reader does not rest */

/**
 * All questions that a state needs answered, in the order of the table.
 * @param {Readonly<State>} state
 * @param {Questions} questions
 * @param {Ledger} ledger
 * @returns {Wish[]}
 */
export function wishesOf(state, questions, ledger) {
  const model = modelIn(state);
  /** @type {Wish[]} */
  const wishes = [];
  let isCurrent = model.state === "ready";
  for (const [name, question] of questions) {
    const request = question.late && !isCurrent ? null : question.request(state, model, isCurrent);
    if (!request) continue;
    const key = JSON.stringify(request);
    const outcome = ledger.outcome(name, key);
    if (isPicture({ question }) && outcome !== "answered") isCurrent = false;
    const held = Boolean(question.rests) && !state.rested;
    wishes.push({ name, question, request, key, outcome, held });
  }
  return wishes;
}

/**
 * The next request: first everything about one trace at once; then, one by one, what can wait.
 * @param {Wish[]} wishes
 * @param {boolean} alone ask one question at a time: together they were too much
 * @returns {Wish[] | null} null: nothing
 */
export function nextOf(wishes, alone) {
  if (wishes.some((wish) => wish.outcome === "refused" && isPicture(wish))) return null;
  const missing = wishes.filter((wish) => isMissing(wish) && !wish.held);
  const together = missing.filter((wish) => !isApart(wish));
  if (together.length === 0) return missing.length > 0 ? [missing[0]] : null;
  return alone ? [together[0]] : /** @type {Wish[]} */ (bundled(together)[0]);
}

/**
 * Whether the answer to a bundle is still wanted, now that the wishes may have changed.
 * @param {Wish[]} bundle
 * @param {Wish[]} wishes the current ones
 * @returns {"wanted" | "older" | "unwanted"}
 */
export function worthOf(bundle, wishes) {
  const same = bundle.every(({ name, key }) =>
    wishes.some((wish) => wish.name === name && wish.key === key),
  );
  if (!bundle.every(isApart)) return same ? "wanted" : "older";
  // what comes after the picture gives way to everything else
  const first = wishes.some((wish) => isMissing(wish) && !isApart(wish));
  return same && !first ? "wanted" : "unwanted";
}

/**
 * The status of the page and of each answer, as changes of the state.
 * @param {Readonly<State>} state
 * @param {Wish[]} wishes
 * @param {Questions} questions
 * @param {Ledger} ledger
 * @returns {Partial<State>}
 */
export function statusesOf(state, wishes, questions, ledger) {
  const status = statusOf(state, wishes, ledger);
  /** @type {Partial<State>} */
  const changes = status === "ready" ? { status, problem: null } : { status };
  for (const [name] of [...questions].filter(isSlot)) {
    const slot = state[name];
    // after a refusal nothing else is asked: the old answers still belong to the old picture
    const waits = status !== "error" && wishes.some((one) => one.name === name && isMissing(one));
    const next = waits ? "loading" : slot?.status === "loading" ? "ready" : slot?.status;
    if (!next || next === slot?.status) continue;
    Object.assign(changes, {
      [name]: { answer: slot?.answer ?? null, problem: null, status: next },
    });
  }
  return changes;
}

/** @param {Readonly<State>} state @param {Wish[]} wishes @param {Ledger} ledger @returns {State["status"]} */
function statusOf(state, wishes, ledger) {
  if (state.missing) return "error";
  const model = modelIn(state);
  if (model.state !== "ready") {
    return ledger.outcome("model", model.name) === "refused" ? "error" : "loading";
  }
  const picture = wishes.filter(isPicture);
  if (picture.some(({ outcome }) => outcome === "refused")) return "error";
  return picture.some(isMissing) ? "loading" : "ready";
}

/** @param {Wish} wish */
const isMissing = ({ outcome }) => outcome === "missing";
/** @param {Pick<Wish, "question">} wish */
export const isPicture = ({ question }) => question.turn === "picture";
/** @param {Pick<Wish, "question">} wish */
const isApart = ({ question }) => question.turn === "apart";
/**
 * Whether its answer is stored in the state under its name.
 * @param {[Name, Question]} row
 * @returns {row is [import("./questions.js").Slot, Question]}
 */
export const isSlot = (row) => row[1].put === undefined;
