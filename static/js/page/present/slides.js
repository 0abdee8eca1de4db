// The slides of a presentation: the views that the reader has kept in this browser or, if there are none, the examples.

import { need } from "../../dom/dom.js";
import { tells } from "../../state/quiz.js";
import { toQuery } from "../../state/url.js";
import { SLIDES } from "../words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const STORED = "slides";

/**
 * @param {Store} store
 * @param {object} from
 * @param {{count: () => number, at: (place: number) => Partial<State>, last: () => number}} from.examples
 * @param {(query: string) => Partial<State>} from.read a query string as a choice
 */
export function slides(store, { examples, read }) {
  const keep = need("#slide-keep", HTMLButtonElement);
  const clear = need("#slide-clear", HTMLButtonElement);
  const status = need("#save-status", HTMLElement);

  const show = () => {
    const n = kept().length;
    clear.hidden = n === 0;
    clear.textContent = SLIDES.clear(n);
  };
  /** @param {string[]} queries @param {string} words */
  const put = (queries, words) => {
    try {
      localStorage.setItem(STORED, JSON.stringify(queries));
      status.textContent = words;
    } catch {
      status.textContent = SLIDES.notKept; // storage is blocked or full
    }
    show();
  };
  keep.addEventListener("click", () => {
    const queries = [...kept(), toQuery({ ...store.state, depth: "full" }, store.state.models)];
    put(queries, SLIDES.kept(queries.length));
  });
  clear.addEventListener("click", () => {
    put([], SLIDES.cleared);
    keep.focus(); // the other button disappears
  });
  show();

  return {
    // each example opens at the head that does what its title says, so a quiz goes through none of them
    count: () => kept().length || (tells(store.state) ? examples.count() : 0),
    /** @param {number} place */
    at: (place) => {
      const query = kept()[place];
      return query === undefined ? examples.at(place) : read(query);
    },
    /** The slide that the page shows, or the first. */
    first: () => {
      const queries = kept();
      if (queries.length === 0) return examples.last();
      const now = toQuery({ ...store.state, depth: "full" }, store.state.models);
      return Math.max(0, queries.indexOf(now));
    },
  };
}

/** @returns {string[]} */
function kept() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
  } catch {
    return []; // storage is blocked, or holds something else
  }
}
