// A film of the cache: token by token, what is computed, kept and thrown away while a text is written. Its step is the selected query, so the row
// of the picture moves with it.

import { make, write } from "../../dom/dom.js";
import { player } from "../../dom/player.js";
import { PLAYER } from "../film/words.js";
import { save } from "./save.js";
import { writingOf } from "./steps.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */

const STEP_MS = 900; // of a film that plays: long enough to read a number

/** @param {HTMLElement} panel @param {Store} store */
function cache(panel, store) {
  const slider = make("input", { class: "film-slider" });
  Object.assign(slider, { type: "range", min: "0", step: "1" });
  slider.setAttribute("aria-label", words.SLIDER);
  const { root: play, stop } = player(PLAYER, {
    begin: () => {
      const now = writingOf(store.state);
      if (now && now.at === now.steps.length - 1) go(0);
    },
    step: () => {
      const now = writingOf(store.state);
      if (store.state.right !== "cache" || !now || now.at === now.steps.length - 1) return false;
      go(now.at + 1);
      return true;
    },
    pace: () => STEP_MS,
  });
  const bar = make("div", { class: "film-bar" }, [play, slider]);
  const chips = make("ol", { class: "cache-tokens" });
  const labels = Object.entries(words.STATUSES).map(([status, text]) => ({
    status: /** @type {import("./steps.js").Status} */ (status),
    root: make("span", { class: status, text }),
  }));
  const legend = make(
    "p",
    { class: "cache-legend" },
    labels.map(({ root }) => root),
  );
  const said = make("p", { class: "summary" });
  said.setAttribute("role", "status");
  const otherwise = make("p", { class: "source" });
  panel.append(bar, chips, said, legend, otherwise);

  /** @param {number} step */
  const go = (step) => store.update({ query: writingOf(store.state)?.places[step] ?? null });
  slider.addEventListener("input", () => {
    stop();
    go(slider.valueAsNumber);
  });

  store.watch(["detail", "query", "shown", "models", "right"], (state) => {
    if (state.right !== "cache") return;
    const writing = writingOf(state);
    const isWritten = writing !== null && !writing.lacks;
    for (const part of [bar, chips, legend, otherwise]) part.hidden = !isWritten;
    if (!isWritten) {
      stop();
      write(said, writing?.lacks ? words.REASONS[writing.lacks] : words.NONE);
      return;
    }
    const { tokens, steps, at } = writing;
    slider.max = String(steps.length - 1);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", tokens[at]);
    const found = new Set(steps.flatMap(({ statuses }) => statuses));
    for (const { status, root } of labels) root.hidden = !found.has(status);
    chips.replaceChildren(
      ...steps[at].statuses.map((status, key) => {
        const chip = make("li", { class: status, title: words.chipInWords(tokens[key], status) });
        chip.append(make("span", { text: tokens[key], verbatim: true }));
        return chip;
      }),
    );
    write(said, words.stepInWords(writing, at));
    write(otherwise, words.otherwiseInWords(writing, at));
  });
}

export { cache as make, save };
