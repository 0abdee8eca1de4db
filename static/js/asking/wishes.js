// What is wanted of a state and not there yet, what of it is asked next, and how far all is. Pure.

import { modelIn } from "../state/choice.js";
import { bundled } from "./bundle.js";

/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("./ledger.js").Ledger} Ledger */
/** @typedef {import("./questions.js").Name} Name */
/** @typedef {import("./questions.js").Question} Question */
/** @typedef {import("./questions.js").Questions} Questions */
/** @typedef {{name: Name, question: Question, request: Record<string, any>, key: string, how: ReturnType<Ledger["how"]>}} Wish */

/**
 * All that is wanted of a state, in the order of the table.
 * @param {Readonly<State>} state
 * @param {Questions} questions
 * @param {Ledger} ledger
 * @returns {Wish[]}
 */
export function wishesOf(state, questions, ledger) {
  const model = modelIn(state);
  /** @type {Wish[]} */
  const found = [];
  let stands = model.state === "ready";
  for (const [name, question] of questions) {
    const request = question.late && !stands ? null : question.request(state, model, stands);
    if (!request) continue;
    const key = JSON.stringify(request);
    const how = ledger.how(name, key);
    if (isPicture({ question }) && how !== "answered") stands = false;
    found.push({ name, question, request, key, how });
  }
  return found;
}

/**
 * What is asked next: all of one trace at once; then, one by one, what may wait.
 * @param {Wish[]} wishes
 * @param {boolean} alone together it was too much
 * @returns {Wish[] | null} null: nothing
 */
export function nextOf(wishes, alone) {
  if (wishes.some((wish) => wish.how === "refused" && isPicture(wish))) return null;
  const missing = wishes.filter(({ how }) => how === "missing");
  const together = missing.filter((wish) => !isApart(wish));
  if (together.length === 0) return missing.length > 0 ? [missing[0]] : null;
  return alone ? [together[0]] : /** @type {Wish[]} */ (bundled(together)[0]);
}

/**
 * What the answer to some wishes is still worth, now that others may be wanted.
 * @param {Wish[]} bundle
 * @param {Wish[]} wishes of now
 * @returns {"wanted" | "older" | "unwanted"}
 */
export function worthOf(bundle, wishes) {
  const same = bundle.every(({ name, key }) =>
    wishes.some((wish) => wish.name === name && wish.key === key),
  );
  if (!bundle.every(isApart)) return same ? "wanted" : "older";
  // no picture waits for it
  const first = wishes.some((wish) => isMissing(wish) && !isApart(wish));
  return same && !first ? "wanted" : "unwanted";
}

/**
 * How far all is, as changes of the state.
 * @param {Readonly<State>} state
 * @param {Wish[]} wishes
 * @param {Questions} questions
 * @param {Ledger} ledger
 * @returns {Partial<State>}
 */
export function toldOf(state, wishes, questions, ledger) {
  const status = statusOf(state, wishes, ledger);
  /** @type {Partial<State>} */
  const told = status === "ready" ? { status, problem: null } : { status };
  for (const [name] of [...questions].filter(isSlot)) {
    const held = state[name];
    // of a text that was refused nothing else is asked: what stands there belongs to the picture that stands there
    const waits = status !== "error" && wishes.some((one) => one.name === name && isMissing(one));
    const how = waits ? "loading" : held?.status === "loading" ? "ready" : held?.status;
    if (!how || how === held?.status) continue;
    Object.assign(told, { [name]: { answer: held?.answer ?? null, problem: null, status: how } });
  }
  return told;
}

/** @param {Readonly<State>} state @param {Wish[]} wishes @param {Ledger} ledger @returns {State["status"]} */
function statusOf(state, wishes, ledger) {
  const model = modelIn(state);
  if (model.state !== "ready") {
    return ledger.how("model", model.name) === "refused" ? "error" : "loading";
  }
  const picture = wishes.filter(isPicture);
  if (picture.some(({ how }) => how === "refused")) return "error";
  return picture.some(isMissing) ? "loading" : "ready";
}

/** @param {Wish} wish */
const isMissing = ({ how }) => how === "missing";
/** @param {Pick<Wish, "question">} wish */
export const isPicture = ({ question }) => question.turn === "picture";
/** @param {Pick<Wish, "question">} wish */
const isApart = ({ question }) => question.turn === "apart";
/**
 * Whether its answer lies in the state under its name.
 * @param {[Name, Question]} row
 * @returns {row is [import("./questions.js").Slot, Question]}
 */
export const isSlot = (row) => row[1].put === undefined;
