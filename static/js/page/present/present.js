// Present: one picture in large type, for a projector. Arrow keys and the keys of a clicker go through the slides: the views that the reader has
// kept or, if there are none, the examples. A view that is none of them comes first, and Esc goes back to it.

import { button, make, need } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { CHOICE_KEYS } from "../../state/address.js";
import { around } from "../../state/examples.js";
import { same } from "../../state/store.js";
import { PRESENT } from "../words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

/** All that a link contains. @param {Readonly<State>} state @returns {Partial<State>} */
const choiceOf = (state) => Object.fromEntries(CHOICE_KEYS.map((key) => [key, state[key]]));

const BY = /** @type {const} */ ({
  ArrowRight: 1,
  ArrowDown: 1,
  PageDown: 1,
  " ": 1,
  Enter: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageUp: -1,
  Backspace: -1,
});

/**
 * @param {Store} store
 * @param {object} slides
 * @param {() => number} slides.count
 * @param {(place: number) => Partial<State>} slides.at the choice of a slide
 * @param {() => number} slides.first where to begin: the slide that the page shows
 */
export function present(store, slides) {
  const open = need("#present-open", HTMLButtonElement);
  const sentence = need("#present-sentence", HTMLElement);
  const root = document.documentElement;
  let place = 0;
  /** What was on the page, if that is no slide. @type {Partial<State> | null} */
  let own = null;
  /** The depth to go back to. @type {State["depth"]} */
  let before = "start";

  const leave = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    if (store.state.depth === "present") store.update({ ...own, depth: before });
    own = null;
  };
  const enter = async () => {
    place = slides.first();
    own = isSlide() ? null : choiceOf(store.state);
    if (own) place = 0;
    store.update({ depth: "present" });
    try {
      await root.requestFullscreen?.();
    } catch {
      // the browser refuses it: the presentation fills the window instead
    }
  };
  /** Whether the page shows a slide as it is. */
  const isSlide = () =>
    slides.count() > 0 &&
    Object.entries(slides.at(place)).every(
      ([key, value]) =>
        key === "depth" || same(value, store.state[/** @type {keyof State} */ (key)]),
    );
  /** @param {number} by */
  const step = (by) => {
    if (slides.count() === 0) return null;
    const more = own ? 1 : 0; // it comes before the others
    place = around(place, by, slides.count() + more);
    const next = own && place === 0 ? own : slides.at(place - more);
    return { ...next, depth: /** @type {const} */ ("present") };
  };

  open.addEventListener("click", enter);
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) leave(); // Esc was the browser's
  });
  sentence.after(button("×", leave, { class: "quiet present-leave", title: PRESENT.leave }));
  const close = need(".present-leave", HTMLElement);
  close.dataset.only = "present";
  close.setAttribute("aria-label", PRESENT.leave);
  close.setAttribute("aria-keyshortcuts", "Escape");

  store.watch(["depth"], ({ depth }) => {
    if (depth === "present") return;
    before = depth;
    own = null; // the presentation was left in another way
  });
  store.watch([...MODEL_KEYS, "depth", "detail", "shown", "query"], (state) => {
    const detail = state.depth === "present" ? detailOf(state) : null;
    if (!detail) return;
    const { queryLabels, row, queries } = detail;
    sentence.replaceChildren(
      ...queryLabels.flatMap((text, at) =>
        queries[at].special || queries[at].padding
          ? []
          : [make(at === row ? "mark" : "span", { text }), document.createTextNode(" ")],
      ),
    );
  });

  /** What keys do while presenting. @type {Record<string, () => Partial<State> | null>} */
  const keys = {
    ...Object.fromEntries(Object.entries(BY).map(([key, by]) => [key, () => step(by)])),
    Home: () => {
      place = 1;
      return step(-1);
    },
    Escape: () => {
      leave();
      return null;
    },
  };
  return { keys };
}
