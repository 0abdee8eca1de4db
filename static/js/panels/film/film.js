// The film of a model: a slider over the kept steps of its training, what was measured at each, and when its heads got their habits.

import { button, make, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { modelIn } from "../../state/choice.js";
import { asking } from "./asked.js";
import { becoming, phaseChange, placeIn, stepsOf } from "./born.js";
import { curve } from "./curve.js";
import { paint } from "./paint.js";
import { save } from "./save.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Film, State } from "../../types.d.ts" */

const PACE_MS = 900; // of a film that plays: a step is looked at, not only passed

/**
 * @param {HTMLElement} panel
 * @param {Store} store
 * @param {Parameters<typeof asking>[1]} [get]
 */
export function film(panel, store, get) {
  const again = tryAgain(asking(store, get));
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const slider = make("input", { class: "film-slider" });
  Object.assign(slider, { type: "range", min: "0", step: "1" });
  slider.setAttribute("aria-label", words.SLIDER);
  const play = button(words.PLAY, () => (timer ? stop() : start()));
  const bar = make("div", { class: "film-bar" }, [play, slider]);
  const curves = make("div", { class: "film-curves" });
  const change = make("p", { class: "source" });
  const title = make("h3", { text: words.BECOMING });
  const list = make("ol", { class: "film-heads" });
  const habits = make("div", {}, [change, title, list]);
  const rounding = make("p", { class: "source" });
  const source = make("p", { class: "source" });
  panel.append(summary, again, bar, curves, habits, rounding, source);

  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    play.textContent = words.PLAY;
  };
  const start = () => {
    const { steps, at } = stepsOf(modelIn(store.state), store.state.models);
    if (at === steps.length - 1) go(0);
    timer = setInterval(() => {
      const now = stepsOf(modelIn(store.state), store.state.models);
      if (store.state.status === "loading") return; // the last step is still on its way
      if (now.at === now.steps.length - 1) stop();
      else go(now.at + 1);
    }, PACE_MS);
    play.textContent = words.PAUSE;
  };
  /** @param {number} at the place of a step among those of the film */
  const go = (at) => {
    const { names } = stepsOf(modelIn(store.state), store.state.models);
    const model = names[at];
    if (model && model !== store.state.model) store.update({ model, searched: null });
  };
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });

  let drawn = "";
  store.watch(["model", "models", "trained", "layer", "head", "right"], (state) => {
    const { steps, at } = stepsOf(modelIn(state), state.models);
    if (steps.length === 0) return stop(); // a model without a film has no such tab
    const asked = askedIn(state);
    again.hidden = !asked?.problem?.retry;
    slider.max = String(steps.length - 1);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", words.after(steps, at));
    const answer = asked?.answer ?? null;
    const isMeasured = Boolean(answer && Object.keys(answer.curves).length > 0);
    for (const part of [curves, source]) part.hidden = !isMeasured;
    rounding.hidden = !isMeasured || answer?.rounding === null;
    habits.hidden = !isMeasured || Object.keys(answer?.heads ?? {}).length === 0;
    if (state.right !== "film") stop();
    write(summary, answer ? words.summary(answer, at) : (asked?.problem?.message ?? words.READING));
    if (!answer || !isMeasured) return;
    const key = `${state.trained?.model} ${at}`;
    if (key !== drawn) {
      drawn = key;
      const phase = phaseChange(answer);
      const rows = words.curvesOf(answer);
      curves.replaceChildren(...rows.map((row) => curve(answer, row, { at, phase, go })));
      if (!habits.hidden) write(change, words.phaseInWords(answer, phase));
      source.textContent = words.source(answer);
      list.replaceChildren(...becoming(answer).map((head) => line(head, answer, at, store)));
      write(rounding, words.rounded(answer.rounding ?? 0));
    }
    for (const one of list.querySelectorAll("button")) {
      const isSelected = one.dataset.place === `${state.layer}.${state.head}`;
      if (isSelected) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  });
}

/** The film of the model on screen, if it is that. @param {Readonly<State>} state */
function askedIn({ trained, ...state }) {
  return trained?.model === stepsOf(modelIn(state), state.models).base ? trained : null;
}

/** @param {ReturnType<typeof becoming>[number]} head @param {Film} film @param {number} at @param {Store} store */
function line({ layer, head, name, from }, film, at, store) {
  const said = words.became({ layer, head, name, step: film.steps[from] });
  const go = button("", () => store.update({ layer, head }), { class: "line" }, [
    make("span", { text: words.shortHead({ layer, head }) }),
    make("span", { text: name, class: "name" }),
    make("span", { text: words.since(film.steps[from]), class: "number" }),
  ]);
  go.dataset.place = `${layer}.${head}`;
  go.setAttribute("aria-label", said);
  go.style.setProperty("--share", String(1 - placeIn(film, from)));
  return make("li", { class: from > at ? "faint" : "" }, [go]);
}

/** @type {import("../panel.js").Panel} */
export const FILM = {
  make: (root, store) => film(root, store),
  questions: {}, // a film belongs to the weights, not to a text (asked.js)
  save: save(askedIn),
  paint: (state) => {
    const answer = askedIn(state)?.answer;
    return answer ? paint(answer, stepsOf(modelIn(state), state.models).at) : null;
  },
};
