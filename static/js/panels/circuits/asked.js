// Fetches what the panel shows while it is open: the selected head read over the vocabulary, and the partners of the chosen token. Both
// depend on no text, so an answer is kept as long as the page.

import { getCircuits } from "../../api/api.js";
import { ApiError } from "../../api/errors.js";
import { pause } from "../../api/pauses.js";
import { modelIn } from "../../state/choice.js";
import { openPanel } from "../../state/panels.js";
import { CROSS, NO_SERVER, noModel } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Circuits, CircuitsAsked as Asked, State } from "../../types.d.ts" */
/** @typedef {keyof State["vocabulary"]} Part */

const KEPT = 100; // answers
const REST_S = 0.15; // a reader who walks over the heads asks for none of them

/** What will never be answered. @param {string} of @param {string} message @returns {Asked} */
const refused = (of, message) => ({
  of,
  status: "error",
  answer: null,
  problem: { message, retry: false },
});

/** Whether the panel is open. @param {Readonly<State>} state */
export const isOpen = (state) => openPanel(state.right, modelIn(state)) === "circuits";

/** @param {Readonly<State>} state @param {Part} part @returns null: no token is chosen */
function ofPart({ model, kind, layer, head, vocab }, part) {
  if (part === "token" && vocab === null) return null;
  return JSON.stringify([model, kind, layer, head, ...(part === "token" ? [vocab] : [])]);
}

/** What belongs to the selection, for a part of the panel. @param {Readonly<State>} state @param {Part} part */
export function askedIn(state, part) {
  const asked = state.vocabulary[part];
  return asked?.of === ofPart(state, part) ? asked : null;
}

/**
 * @param {Store} store
 * @param {{get?: typeof getCircuits, rest?: () => Promise<unknown>}} [options]
 * @returns {() => void} asks again for what was refused
 */
export function asking(store, { get = getCircuits, rest = () => pause(REST_S) } = {}) {
  /** @type {Map<string, Asked>} */
  const known = new Map();
  /** @type {Record<Part, AbortController>} */
  const aborts = { head: new AbortController(), token: new AbortController() };

  /** @param {Part} part @param {Asked | null} asked */
  const put = (part, asked) =>
    store.update({ vocabulary: { ...store.state.vocabulary, [part]: asked } });

  /** @param {Part} part @param {string} of */
  async function load(part, of) {
    aborts[part].abort();
    aborts[part] = new AbortController();
    const { signal } = aborts[part];
    const kept = known.get(of);
    if (kept) return put(part, kept);
    const { model, kind, layer, head, vocab } = store.state;
    const { recorded, lacks } = modelIn(store.state);
    if (recorded) return put(part, refused(of, noModel(lacks)));
    if (kind === "cross") return put(part, refused(of, CROSS));
    put(part, { of, status: "loading", answer: null, problem: null });
    await rest();
    if (signal.aborted) return;
    const query = {
      kind,
      layer,
      head,
      ...(part === "token" && vocab !== null ? { token: vocab } : {}),
    };
    /** @type {Asked} */
    let found;
    try {
      const pairs = part === "head";
      const { answer, problem } = await whole(
        (more) => get(model, { ...query, ...more }, signal),
        pairs,
      );
      found = answer ? { of, status: "ready", answer, problem } : refused(of, NO_SERVER);
      keep(of, found);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const retry = !(error instanceof ApiError) || error.retry;
      found = { of, status: "error", answer: null, problem: { message, retry } };
    }
    if (!signal.aborted) put(part, found);
  }

  /** @param {string} of @param {Asked} found */
  function keep(of, found) {
    known.set(of, found);
    for (const old of [...known.keys()].slice(0, -KEPT)) known.delete(old);
  }

  /** @param {Readonly<State>} state */
  function check(state) {
    if (modelIn(state).state !== "ready" || !isOpen(state)) return;
    for (const part of /** @type {const} */ (["head", "token"])) {
      const of = ofPart(state, part);
      if (store.state.vocabulary[part]?.of === (of ?? undefined)) continue;
      if (of !== null) load(part, of);
      else {
        aborts[part].abort();
        put(part, null);
      }
    }
  }
  store.watch(["right", "model", "models", "kind", "layer", "head", "vocab"], check);
  return () => {
    const { head, token } = store.state.vocabulary;
    const failed = (/** @type {Asked | null} */ asked) =>
      asked?.status === "error" ? null : asked;
    store.update({ vocabulary: { head: failed(head), token: failed(token) } });
    check(store.state);
  };
}

/**
 * An answer with the strongest pairs or, where finding them takes too long, without, and why.
 * @param {(more: {pairs: boolean}) => Promise<Circuits | null>} ask
 * @param {boolean} pairs
 */
async function whole(ask, pairs) {
  try {
    return { answer: await ask({ pairs }), problem: null };
  } catch (error) {
    const isLong = error instanceof ApiError && error.code === "too_expensive";
    if (!pairs || !isLong) throw error;
    return {
      answer: await ask({ pairs: false }),
      problem: { message: error.message, retry: false },
    };
  }
}
