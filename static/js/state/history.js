// Undo and redo, and the steps that Back of the browser walks. A step is one change of the reader's, or several without a pause
// between them: which changes those are is said in the table (address/rows.js).

import { CHOICE_KEYS, changedRows, choiceOf, keysOf } from "./address.js";
import { different } from "./choice.js";
import { same } from "./store.js";

/** @import { Store } from "./store.js" */
/** @import { Choice, Masks, State, Step } from "../types.d.ts" */

const MAX_STEPS = 200; // steps kept for undo

let moments = 0;
/** A number for what the page shows from now on, until the next step. */
export function newMoment() {
  moments += 1;
  return moments;
}

/** @type {WeakSet<Masks>} */
const moved = new WeakSet();

/**
 * Mark masks whose painted cells only followed their tokens, so that the change is not a step of its own.
 * @param {Masks} masks
 */
export function untracked(masks) {
  moved.add(masks);
  return masks;
}

/** @type {WeakSet<string[]>} */
const whole = new WeakSet();

/**
 * Mark texts as a step of their own, which no typing before or after joins.
 * @param {string[]} texts
 */
export function apart(texts) {
  whole.add(texts);
  return texts;
}

/** @type {WeakSet<string[]>} */
const onward = new WeakSet();

/**
 * Mark texts as going on with the step before, which is `apart`, however long it takes.
 * @param {string[]} texts
 */
export function goingOn(texts) {
  onward.add(texts);
  return apart(texts);
}

/**
 * Remember every change of the choice that can be undone, and begin a new moment with every change that Back takes back.
 * @param {Store} store
 * @param {() => number} now in ms
 */
export function history(store, now = () => performance.now()) {
  let last = choiceOf(store.state);
  let { moment } = store.state;
  /** The last change, which the next one may go on with. @type {{names: Set<string>, at: number} | null} */
  let open = null;

  store.watch(CHOICE_KEYS, (state) => {
    const before = last;
    last = choiceOf(state);
    if (state.moment !== moment) {
      // undo, redo and Back have counted it already
      moment = state.moment;
      open = null;
      return;
    }
    if (moved.delete(last.masks)) {
      const { past } = state;
      store.update({ past: past.map((step) => followed(step, before, last)) });
      return;
    }
    const rows = changedRows(before, last).filter((row) => pauseOf(row, before, state) !== null);
    if (rows.length === 0) return;
    const alone = rows.some(({ key }) => isMarked(last[key]));
    if (alone) open = null;
    const at = now();
    const names = rows.flatMap(({ key }) => namesIn(key, before[key], last[key]));
    const pause = Math.min(...rows.map((row) => pauseOf(row, before, state) ?? 0));
    const goesOn =
      rows.some(({ key }) => onward.has(/** @type {string[]} */ (last[key]))) ||
      (open !== null && at - open.at < pause && names.every((name) => open?.names.has(name)));
    open = alone ? null : { names: (goesOn && open?.names) || new Set(names), at };
    if (!goesOn) moment = newMoment();
    if (!rows.some(({ undone }) => undone)) return store.update({ moment });
    const { past } = state;
    const begun = goesOn ? past.at(-1) : null;
    const edits = begun?.edits || rows.some(({ part }) => part === "edit");
    const step = { before: begun?.before ?? before, after: last, edits };
    const steps = begun ? past.slice(0, -1) : past;
    const future = state.future.length > 0 ? [] : state.future;
    store.update({ moment, past: [...steps, step].slice(-MAX_STEPS), future });
  });
}

/** Whether a step changed texts that were marked so. @param {Pick<Step, "before" | "after">} step */
export const isApart = ({ before, after }) =>
  changedRows(before, after).some(({ key }) => isMarked(after[key]));

/** @param {unknown} value */
const isMarked = (value) => whole.has(/** @type {string[]} */ (value)); // of nothing else

/**
 * What of a key has changed: one setting is not another.
 * @param {keyof Choice} key
 * @param {unknown} before
 * @param {unknown} after
 */
function namesIn(key, before, after) {
  if (Array.isArray(before) || Array.isArray(after) || !isObject(before) || !isObject(after))
    return [key];
  const parts = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return parts.flatMap((part) => (same(before[part], after[part]) ? [] : `${key}.${part}`));
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null;

/** @param {import("./address/row.js").Row} row @param {Choice} before @param {Choice} after */
const pauseOf = ({ pause }, before, after) =>
  typeof pause === "function" ? pause(before, after) : pause;

/**
 * A step with the painted cells at their new places.
 * @param {Step} step
 * @param {Choice} from
 * @param {Choice} to
 * @returns {Step}
 */
function followed(step, from, to) {
  const carried = (/** @type {Choice} */ choice) =>
    choice.masks === from.masks && sameTexts(choice, from)
      ? { ...choice, masks: to.masks }
      : choice;
  return { ...step, before: carried(step.before), after: carried(step.after) };
}

/** @param {Readonly<State>} state @returns {Partial<State> | null} null: there is nothing to undo */
export function undo(state) {
  const { past, future } = state;
  const step = past.at(-1);
  if (!step) return null;
  const lists = { past: past.slice(0, -1), future: [step, ...future], moment: newMoment() };
  return { ...taken(state, step.after, step.before), ...lists };
}

/**
 * Undo the last edit of the model, together with what was done to look at it.
 * @param {Readonly<State>} state
 * @returns {Partial<State> | null} null: there is none, or the text has changed since
 */
export function undoEdit(state) {
  const step = state.past.findLast(({ edits }) => edits);
  if (!step || !sameTexts(step.after, state)) return null;
  /** @type {Partial<State>} */
  let changes = {};
  let { past } = state;
  while (past.includes(step)) {
    changes = { ...changes, ...undo({ ...state, ...changes }) };
    past = changes.past ?? [];
  }
  return changes;
}

/** @param {Readonly<State>} state @returns {Partial<State> | null} */
export function redo(state) {
  const { past, future } = state;
  const [step, ...rest] = future;
  if (!step) return null;
  const lists = { past: [...past, step], future: rest, moment: newMoment() };
  return { ...taken(state, step.before, step.after), ...lists };
}

/** What a step leaves unchanged stays as it is now. @param {Readonly<State>} state @param {Choice} from @param {Choice} to @returns {Partial<State>} */
function taken(state, from, to) {
  const changed = changedRows(from, to).map(({ key }) => key);
  const places = changed.includes("model") ? keysOf("head") : []; // another model has other heads
  const changes = /** @type {Partial<Choice>} */ (
    Object.fromEntries([...changed, ...places].map((key) => [key, to[key]]))
  );
  const { shown, query, texts } = { ...state, ...(isOfOther(changes) && to), ...changes };
  return withOwnCells({ ...changes, query, shown: Math.min(shown, texts.length - 1) });
}

/** Go to a choice of the past, as changes of the state. @param {Readonly<State>} state @param {Choice} choice @returns {Partial<State>} */
export function restored(state, choice) {
  const changes = different(state, choice);
  return withOwnCells(isOfOther(changes) ? { ...changes, masks: choice.masks } : changes);
}

/** Whether a row is then another one: of other texts, or of another model. @param {Partial<Choice>} changes */
const isOfOther = (changes) => keysOf("input").some((key) => key in changes);

/**
 * Lists of painted cells belong to the texts that they came with: those of another time come back as new lists.
 * @param {Partial<Choice>} changes
 */
function withOwnCells(changes) {
  const { masks } = changes;
  if (!masks) return changes;
  const [blocked, allowed] = [[...masks.blocked], [...masks.allowed]];
  return { ...changes, masks: { ...masks, blocked, allowed } };
}

/** @param {Choice} a @param {Choice} b */
const sameTexts = (a, b) =>
  a.texts === b.texts &&
  a.targets === b.targets &&
  a.pairs === b.pairs &&
  a.special_tokens === b.special_tokens;
