// The address follows what the page shows, so that it never contains what the server refused; but a text that could not be sent is
// kept, so that it survives a reload. What the reader changes makes an entry of the browser's history, which Back and Forward walk.

import { afterFrame } from "../dom/dom.js";
import { readBar, urlOf } from "../standalone/bar.js";
import { changedRows, choiceOf, keysThatFollow } from "../state/address.js";
import { newMoment, restored } from "../state/history.js";
import { toQuery } from "../state/url.js";
import { shorten } from "../words/format.js";
import { headName } from "../words/heads.js";
import { title } from "./words.js";

/** @import { Store } from "../state/store.js" */
/** @import { Choice, State } from "../types.d.ts" */
/** @typedef {{choice: Choice} & Pick<State, "past" | "future" | "moment">} Entry what an address cannot hold, such as the steps that can be undone, comes back, too */

const REST_MS = 150; // some keys change continuously: the address follows once they rest
// Browsers limit how often a page may write its address: Safari to 100 times in 30 s, the others to 200 times in 10 s.
const BURST = 60;
const PER_MS = 1 / 1000;
const MAX_ENTRIES = 1000; // kept with more than their address
const TITLE = 30; // characters of the sentence

/**
 * @param {Store} store
 * @param {(search: string) => {choice: Choice, missing: State["missing"]}} read an address that this page did not write itself
 */
export function address(store, read) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** The entry that the browser is at; null until the page has shown something. @type {(Entry & {id: string, query: string, search: string}) | null} */
  let current = null;
  let timer = 0;
  const mayWrite = limiter();

  const write = () => {
    clearTimeout(timer);
    const { state } = store;
    const { status, problem, missing } = state;
    if (missing || status === "loading" || (problem && !problem.retry)) return;
    const query = toQuery(state, state.models);
    const isNew = current !== null && state.moment !== current.moment && isOther(state, current);
    const id = isNew || !current ? idOf(state) : current.id;
    if (isNew || query !== current?.query) {
      const wait = mayWrite();
      if (wait > 0) {
        timer = setTimeout(write, wait);
        return;
      }
      try {
        if (isNew) history.pushState({ id }, "", urlOf(query));
        else history.replaceState({ id }, "", urlOf(query));
      } catch (error) {
        console.info("The address lags behind:", error);
        timer = setTimeout(write, 1 / PER_MS);
        return;
      }
    }
    const { past, future } = state;
    // A new moment in which nothing is new yet, as one types the same text again, is still to get its entry.
    const moment = isNew || !current ? state.moment : current.moment;
    const search = readBar();
    current = { id, query, search, choice: choiceOf(state), past, future, moment };
    entries.set(id, current);
    for (const old of [...entries.keys()].slice(0, -MAX_ENTRIES)) entries.delete(old);
    document.title = titleOf(state);
  };

  // A browser takes several milliseconds to note an entry, and the picture should not wait for it.
  let written = Promise.resolve();
  store.watch(["status"], () => {
    written = afterFrame().then(write);
  });
  store.watch(keysThatFollow("now"), write);
  store.watch(keysThatFollow("rest"), () => {
    clearTimeout(timer);
    timer = setTimeout(write, REST_MS);
  });

  addEventListener("popstate", ({ state: mark }) => {
    const search = readBar();
    const known = entries.get(mark?.id);
    if (!known && search === current?.search) return; // a link within the page
    clearTimeout(timer);
    /** @type {Entry & Partial<Pick<State, "missing">>} */
    const entry = known ?? { ...read(search), past: [], future: [], moment: newMoment() };
    const { choice, past, future, moment } = entry;
    current = { ...entry, id: mark?.id ?? idOf(entry), query: search, search };
    const { missing = null } = entry;
    store.update({ ...restored(store.state, choice), missing, past, future, moment });
    document.title = titleOf(store.state);
  });

  /** Resolves once the address is that of the last answer. */
  return () => written;
}

/** Another one for each time that the page is loaded. @param {Pick<State, "moment">} at */
const idOf = ({ moment }) => `${performance.timeOrigin} ${moment}`;

/** @param {Readonly<State>} state */
const titleOf = ({ texts, shown, kind, layer, head }) =>
  title({ text: shorten(texts[shown].trim(), TITLE), head: headName({ kind, layer }, head) });

/** Whether Back would show a change. @param {Readonly<State>} state @param {Entry} entry */
const isOther = (state, { choice }) =>
  changedRows(choice, state).some(({ pause }) => pause !== null);

/** Counts out how often something may happen; it returns how long to wait (ms), 0 for now. */
function limiter() {
  let left = BURST;
  let at = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(BURST, left + (now - at) * PER_MS);
    at = now;
    if (left < 1) return Math.ceil((1 - left) / PER_MS);
    left -= 1;
    return 0;
  };
}
