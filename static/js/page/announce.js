// What a toggle has changed, once the answer is there: for screen readers, and on a phone, where it happens far away, for all.

import { need } from "../dom/dom.js";
import { detailOf } from "../numbers/detail.js";
import { changed, HEARD, predictionInWords, rowInWords } from "../words/announce.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").State} State */

const SAID = 8000; // ms that it stands on a narrow screen

/** @param {Store} store */
export function announce(store) {
  const line = need("#announce", HTMLElement);
  /** @type {Readonly<State>} as it was last heard */
  let last = store.state;

  let timer = 0;

  store.watch(["status", ...HEARD], (state) => {
    if (state.status !== "ready") return;
    const before = last;
    last = state;
    if (before.status !== "ready" || before.texts !== state.texts) return; // whoever types hears themselves
    const words = changed(before, state);
    const turned = state.query !== before.query;
    const detail = detailOf(state);
    if ((!words && !turned) || !detail) return;
    const [now] = predictionsOf(state);
    const [was] = predictionsOf(before);
    const edited = state.masks !== before.masks || state.muted !== before.muted;
    clearTimeout(timer);
    timer = setTimeout(() => line.replaceChildren(), SAID);
    line.textContent = [
      words,
      rowInWords(detail),
      (edited || turned) && predictionInWords(now, edited ? was : undefined),
    ]
      .filter(Boolean)
      .join(" ");
  });
}

/** @param {Readonly<State>} state */
const predictionsOf = ({ next, shown }) => next?.answer?.trace.predictions?.[shown] ?? [];
