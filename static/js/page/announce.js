// Announces what a change did, once the answer is there: to screen readers, and on a narrow screen, if the picture is out of sight, to
// everybody.

import { need, write } from "../dom/dom.js";
import { detailOf } from "../numbers/detail.js";
import { traceIn } from "../state/choice.js";
import { tells } from "../state/quiz.js";
import { ANNOUNCED, changed, predictionInWords, rowInWords } from "../words/announce.js";

/** @import { Store } from "../state/store.js" */
/** @import { State } from "../types.d.ts" */

const SHOWN_MS = 8000; // how long the message stays on a narrow screen

/** Whether less than half of the picture is in the window: then what it shows is to be read. */
function isAway() {
  const plots = [...document.querySelectorAll(".head [data-plot]")];
  const box = plots.map((plot) => plot.getBoundingClientRect()).find(({ height }) => height > 0);
  if (!box) return true;
  return Math.min(box.bottom, innerHeight) - Math.max(box.top, 0) < box.height / 2;
}

/** @param {Store} store */
export function announce(store) {
  const line = need("#announce", HTMLElement);
  /** @type {Readonly<State>} the state at the last announcement */
  let last = store.state;

  let timer = 0;

  const say = () => {
    const { state } = store;
    if (state.status !== "ready" || state.next?.status === "loading") return;
    const before = last;
    last = state;
    if (before.status !== "ready" || before.texts !== state.texts) return; // typing needs no announcement
    const { masks, muted } = tells(state) ? state : before; // a quiz does not say that an edit was dropped
    const words = changed(before, { ...state, masks, muted });
    const moved = state.query !== before.query;
    const detail = detailOf(state);
    if ((!words && !moved) || !detail) return;
    const [prediction] = predictionsOf(state);
    const [previous] = predictionsOf(before);
    const edited = masks !== before.masks || muted !== before.muted;
    clearTimeout(timer);
    timer = setTimeout(() => line.replaceChildren(), SHOWN_MS);
    line.replaceChildren(); // what is said twice is read out twice
    line.toggleAttribute("data-away", isAway());
    write(
      line,
      [
        words,
        rowInWords(detail),
        (edited || moved) && predictionInWords(prediction, edited ? previous : undefined),
      ]
        .filter(Boolean)
        .join(" "),
    );
  };
  // when the answers know of the change, too: a prediction belongs to the row that is read
  store.watch(["status", "next", ...ANNOUNCED], () => queueMicrotask(say));
}

/** Those of the chosen model: none if it predicts nothing. @param {Readonly<State>} state */
const predictionsOf = (state) => traceIn(state.next, state)?.predictions?.[state.shown] ?? [];
