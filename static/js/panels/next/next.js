// One suggestion of what to do next, with a button that does it.

import { edited } from "../../asking/requests.js";
import { button, make, write } from "../../dom/dom.js";
import {
  carrierIn,
  changedIn,
  copierIn,
  mutedTo,
  watchedIn,
} from "../../numbers/explain/forecast.js";
import { hasManyHeads } from "../../numbers/mutes.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { beforeOf, comparing, mayLookElsewhere } from "../../state/against.js";
import { modelIn, toggleMute } from "../../state/choice.js";
import { undoEdit } from "../../state/history.js";
import { OWN_MASKS } from "../../state/masks.js";
import { label, shorten } from "../../words/format.js";
import { placedInText } from "../../words/heads.js";
import { labelIn } from "../heads/called.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @typedef {Readonly<State>} Now */
/** @typedef {{title: string, show: () => void}} Following the next example */
/** @typedef {{following: () => Following | null, undoEdit: (also: Partial<State>) => void, watch: () => void}} Ways ways to go on that others have; an example is null if there is none, and `watch` opens the film of the model's sister */

/**
 * @typedef {object} Step
 * @property {(state: Now) => boolean} fits whether it makes sense now
 * @property {(state: Now, following: Following | null) => import("./words.js").Suggestion} words
 * @property {(state: Now, ways: Ways) => Partial<State> | null | void} act
 */

const LONGEST = 14; // characters of a token
const MOVED = 0.02; // a head that moves its probability by less does not matter for it
const LEAST = 0.01; // a token with less is lost: no other head is worth looking for

/** The first that fits is suggested: from muting a head through what it did to the next example. @type {readonly Step[]} */
const STEPS = [
  {
    fits: ({ texts, shown }) => !texts[shown]?.trim(),
    words: (_, following) => words.empty(following?.title ?? ""),
    act: (_, { following }) => following()?.show(),
  },
  // the head that helps the token the most; after one mute, among the others
  {
    fits: (state) => searches(state) && state.effects?.status === "loading",
    words: (state) => words.finding(hasManyHeads(modelIn(state))),
    act: () => null,
  },
  // where the token stands in the text already: the head that looks at it
  {
    fits: (state) =>
      isIdle(state) && searches(state) && isAt(state, copier(state)) && mutedTo(state) !== null,
    words: (state) => looking(state),
    act: toggleMute,
  },
  {
    fits: (state) => isIdle(state) && searches(state) && isFound(state) && copier(state) !== null,
    words: (state) => pointing(state),
    act: (state) => selecting(copier(state)),
  },
  {
    fits: (state) => searches(state) && found(state) !== null && !isFound(state),
    words: (state) => showing(state),
    act: (state) => selecting(found(state)),
  },
  {
    fits: (state) => isIdle(state) && searches(state) && isFound(state),
    words: (state) => showing(state),
    act: toggleMute,
  },
  {
    fits: (state) => mutesOnce(state) && searches(state) && isFound(state),
    words: () => words.MUTE_TOO,
    act: toggleMute,
  },
  {
    fits: (state) => {
      const before = edited(state) && state.view !== "compare" ? beforeOf(state) : null;
      return before !== null && mayLookElsewhere(state, before);
    },
    words: () => words.COMPARE,
    act: (state) => {
      const before = beforeOf(state);
      return before && comparing(before);
    },
  },
  {
    fits: (state) => {
      const move = mutesOnce(state) && state.right !== "effects" ? changedIn(state) : null;
      return move !== null && move.token.probability >= LEAST && state.temperature === 1;
    },
    words: (state) => finding(state),
    act: (state) => {
      const token = changedIn(state)?.token.id ?? null;
      const [likeliest] = state.next?.answer?.trace.predictions?.[state.shown] ?? [];
      return { right: "effects", token: token === likeliest?.id ? state.token : token };
    },
  },
  {
    fits: (state) => edited(state) && undoEdit(state) !== null,
    words: () => words.UNDO,
    act: ({ depth }, ways) =>
      ways.undoEdit({
        view: "heatmap",
        ...(depth === "start" ? /** @type {const} */ ({ right: "next" }) : {}), // which has no tabs to close them with
      }),
  },
  {
    fits: edited,
    words: () => words.CLEAR,
    act: ({ masks: { padding_side } }) => ({
      masks: { ...OWN_MASKS, padding_side },
      muted: [],
      interventions: [],
    }),
  },
  {
    fits: (state) => isIdle(state) && state.right !== "effects" && hardlyMoves(state) !== null,
    words: (state) => words.idle(hardlyMoves(state) ?? { token: "", from: 0, to: 0 }),
    act: () => ({ right: "effects" }),
  },
  {
    fits: (state) => canMute(state) && state.future.length === 0,
    words: () => words.MUTE,
    act: toggleMute,
  },
  // the reader has muted a head, taken it back, and seen no film yet
  {
    fits: (state) =>
      state.depth === "start" &&
      Boolean(modelIn(state).sister) &&
      !edited(state) &&
      state.trained === null,
    words: () => words.WATCH,
    act: (_, { watch }) => watch(),
  },
];
/** When none of them fits. @type {Omit<Step, "fits">} */
const ANOTHER = {
  words: (_, following) => words.another(following?.title ?? ""),
  act: (_, { following }) => following()?.show(),
};

/** Whether muting changes a prediction. @param {Now} state */
function canMute(state) {
  const { lacks, predicts } = modelIn(state);
  return !lacks && predicts !== null;
}

/** Whether the reader has muted one head, and taken nothing back yet. @param {Now} state */
const mutesOnce = (state) =>
  canMute(state) && state.muted.length === 1 && state.future.length === 0;

/** Whether the model is as it was, and the reader has taken nothing back. @param {Now} state */
const isIdle = (state) => canMute(state) && !edited(state) && state.future.length === 0;

/** How the selected head moves the watched token, if that is next to nothing; else null. @param {Now} state */
function hardlyMoves(state) {
  const watched = watchedIn(state);
  const to = mutedTo(state);
  if (state.depth !== "start" || !watched || to === null || state.temperature !== 1) return null;
  const from = watched.token.probability;
  if (from < LEAST || Math.abs(to - from) >= MOVED) return null;
  return { token: shorten(label(watched.token), LONGEST), from, to };
}

/** Whether the heads are being muted in turn: after one mute, or in a first look before any edit. @param {Now} state */
const searches = (state) =>
  state.right === "effects" && (mutesOnce(state) || (isIdle(state) && state.depth === "start"));

/** The head that helps the token most; null if it is not known. @param {Now} state */
const found = (state) => carrierIn(state);

/** The head that looks at the token where it stands already; null if none does, or if that is the one that it needs most. @param {Now} state */
function copier(state) {
  const head = copierIn(state, MOVED);
  const most = found(state);
  return head && most && head.layer === most.layer && head.head === most.head ? null : head;
}

/** @typedef {Pick<Now, "kind" | "layer" | "head">} Place */

/** Whether a head is selected. @param {Now} state @param {Place | null} head */
const isAt = (state, head) =>
  head !== null &&
  head.kind === state.kind &&
  head.layer === state.layer &&
  head.head === state.head;

/** @param {Now} state */
const isFound = (state) => isAt(state, found(state));

/** @param {Place | null} head */
const selecting = (head) => head && { kind: head.kind, layer: head.layer, head: head.head };

/** The head that the token needs most is selected, and another one looks at it. @param {Now} state */
function pointing(state) {
  const [most, head, of] = [found(state), copier(state), watchedIn(state)];
  if (!most || !head || !of) return words.UNDO;
  const called = placedInText({ label: "", ...head });
  const token = shorten(label(of.token), LONGEST);
  return words.looksAt({ token, to: most.probability, head: called, share: head.weight });
}

/** The head that looks at the token is selected. @param {Now} state */
function looking(state) {
  const [head, of] = [copier(state), watchedIn(state)];
  if (!head || !of) return words.UNDO;
  const token = shorten(label(of.token), LONGEST);
  return words.looks({ token, share: head.weight, to: head.probability });
}

/** @param {Now} state */
function showing(state) {
  const head = found(state);
  const isMore = edited(state);
  const of = isMore ? changedIn(state) : watchedIn(state);
  if (!head || !of) return words.UNDO;
  const token = shorten(label(of.token), LONGEST);
  if (isFound(state)) return words.needed({ token, to: head.probability, among: head.among });
  const { kind, layer, head: number } = head;
  const name = labelIn({ ...state, kind }, head);
  const called = placedInText({ label: name, kind, layer, head: number });
  return words.show({
    head: called,
    token,
    to: head.probability,
    isMore,
    among: head.among,
  });
}

/** @param {Now} state */
function finding(state) {
  const move = changedIn(state);
  if (!move) return words.UNDO;
  const { token, before } = move;
  const named = shorten(label(token), LONGEST);
  return words.find({ token: named, from: before, to: token.probability });
}

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {Ways} ways
 */
export function nextStep(root, store, ways) {
  /** @type {Omit<Step, "fits">} */
  let step = ANOTHER;
  const said = make("span");
  const act = button("", () => store.update(step.act(store.state, ways) ?? {}));
  root.append(said, act);
  const keys = /** @type {const} */ ([
    "kind",
    "layer",
    "head",
    "masks",
    "muted",
    "view",
    "past",
    "future",
    "texts",
    "shown",
    "right",
    "next",
    "muting",
    "token",
    "effects",
    "grid",
    "depth",
    "trained",
  ]);
  store.watch([...MODEL_KEYS, ...keys], (state) => {
    const example = ways.following();
    step = STEPS.find(({ fits }) => fits(state)) ?? ANOTHER;
    root.hidden = step === ANOTHER && !example;
    const suggestion = step.words(state, example);
    write(said, suggestion.text);
    act.textContent = suggestion.button;
    act.hidden = !suggestion.button;
  });
}
