// What was measured at each kept step of a model's training, as curves, and when its heads got their habits.

import { button, make, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { modelIn } from "../../state/choice.js";
import { asking } from "./asked.js";
import { show } from "./bar.js";
import { becoming, phaseChange, placeIn, stepsOf } from "./born.js";
import { curve } from "./curve.js";
import { paint } from "./paint.js";
import { save as savedWith } from "./save.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Film, State } from "../../types.d.ts" */

/**
 * @param {HTMLElement} panel
 * @param {Store} store
 * @param {Parameters<typeof asking>[1]} [get]
 */
export function film(panel, store, get) {
  const again = tryAgain(asking(store, get));
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const curves = make("div", { class: "film-curves" });
  const change = make("p", { class: "source" });
  const title = make("h3", { text: words.BECOMING });
  const list = make("ol", { class: "film-heads" });
  const habits = make("div", {}, [change, title, list]);
  const rounding = make("p", { class: "source" });
  const source = make("p", { class: "source" });
  panel.append(summary, again, curves, habits, rounding, source);

  /** @param {number} at the place of a step among those of the film */
  const go = (at) => {
    const { names } = stepsOf(modelIn(store.state), store.state.models);
    show(names[at], store);
  };

  let drawn = "";
  store.watch(["model", "models", "trained", "layer", "head", "right"], (state) => {
    const { steps, at } = stepsOf(modelIn(state), state.models);
    if (steps.length === 0) return; // a model without a film has no such tab
    const asked = askedIn(state);
    again.hidden = !asked?.problem?.retry;
    const answer = asked?.answer ?? null;
    const isMeasured = Boolean(answer && Object.keys(answer.curves).length > 0);
    for (const part of [curves, source]) part.hidden = !isMeasured;
    rounding.hidden = !isMeasured || answer?.rounding === null;
    habits.hidden = !isMeasured || Object.keys(answer?.heads ?? {}).length === 0;
    summary.hidden = answer !== null;
    write(summary, asked?.problem?.message ?? words.READING);
    if (!answer || !isMeasured) return;
    const { layer, head } = state;
    const key = `${state.trained?.model} ${at} ${layer}.${head}`;
    if (key !== drawn) {
      drawn = key;
      const phase = phaseChange(answer);
      const rows = words.curvesOf(answer, { layer, head });
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

/** @type {import("../panel.js").Part["make"]} */
const made = (root, store) => film(root, store);
const save = savedWith(askedIn);
/** @type {import("../panel.js").Part["paint"]} */
const painted = (state) => {
  const answer = askedIn(state)?.answer;
  return answer ? paint(answer, stepsOf(modelIn(state), state.models).at) : null;
};

export { made as make, painted as paint, save };
