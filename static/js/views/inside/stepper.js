// The buttons that step through the computation; they can play it, unless the reader prefers reduced motion.

import { button, make } from "../../dom/dom.js";
import { shownOf, stepped, stepsOf } from "./steps.js";
import { progressInWords, STEPPER } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const PACE = 1200; // ms per step

/** One step forward or back. @param {Readonly<State>} state @param {number} by @returns {Partial<State> | null} */
export function stepBy(state, by) {
  const n = stepsOf(state.inside?.answer).length;
  return state.view === "inside" && n > 0 ? { step: stepped(state.step, n, by) } : null;
}

/** @param {Store} store */
export function stepper(store) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;

  /** @param {string} text @param {string} name @param {() => void} act @param {string} [shortcut] */
  const control = (text, name, act, shortcut) => {
    const element = button(text, act, { title: shortcut ? `${name} (${shortcut})` : name });
    element.setAttribute("aria-label", name);
    if (shortcut) element.setAttribute("aria-keyshortcuts", shortcut);
    return element;
  };
  /** @param {number} by */
  const go = (by) => {
    pause();
    store.update(stepBy(store.state, by) ?? {});
  };
  const first = control("«", STEPPER.first, () => go(Number.NEGATIVE_INFINITY));
  const back = control("‹", STEPPER.back, () => go(-1), ",");
  const play = control(STEPPER.play.text, STEPPER.play.name, () => (timer ? pause() : start()));
  const on = control("›", STEPPER.on, () => go(1), ".");
  const last = control("»", STEPPER.last, () => go(Number.POSITIVE_INFINITY));
  const where = make("output", { class: "inside-where" });
  const stillness = make("span", { text: STEPPER.still, class: "faint" });
  const bar = make("div", { class: "inside-steps" }, [
    make("span", { class: "inside-buttons" }, [first, back, play, on, last]),
    where,
    stillness,
  ]);
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", STEPPER.label);

  function start() {
    store.update({ step: 1 });
    timer = setTimeout(advance, PACE);
    draw();
  }
  function advance() {
    const next = stepBy(store.state, 1);
    timer = next && next.step !== null ? setTimeout(advance, PACE) : 0;
    store.update(next ?? {});
    draw();
  }
  function pause() {
    clearTimeout(timer);
    timer = 0;
    draw();
  }

  const draw = () => {
    const steps = stepsOf(store.state.inside?.answer);
    const { step } = store.state;
    const shown = shownOf(step, steps.length);
    where.textContent = progressInWords(shown, steps);
    first.disabled = back.disabled = shown <= 1;
    on.disabled = last.disabled = shown >= steps.length;
    const { text, name } = timer ? STEPPER.pause : STEPPER.play;
    play.textContent = text;
    play.setAttribute("aria-label", name);
    play.hidden = still.matches;
    stillness.hidden = !still.matches;
  };
  still.addEventListener("change", () => (still.matches ? pause() : draw()));
  store.watch(["step", "inside"], draw);
  store.watch(["view"], ({ view }) => {
    if (view !== "inside" && timer) pause();
  });
  return bar;
}
