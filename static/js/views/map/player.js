// Sends a token along its path: one step at a time, or by itself unless the reader prefers reduced motion.

import { button, make } from "../../dom/dom.js";
import { progress, TOOLS } from "./words.js";

const PACE = 1600; // ms per step, long enough to read its sentence
const LONGEST = 40_000; // ms for the whole path; a long one goes faster
const FASTEST = 500;

/** @param {{length: () => number, show: (step: number | null) => void}} path `show`: null shows no step */
export function player({ length, show }) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {number | null} */
  let step = null;
  let timer = 0;

  const play = button("", () => toggle());
  const back = button("‹", () => move(-1));
  back.setAttribute("aria-label", TOOLS.back);
  const on = button("›", () => move(1));
  on.setAttribute("aria-label", TOOLS.on);
  const where = make("output", { class: "map-where" });
  const root = make("div", { class: "map-play" }, [play, back, on, where]);
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", TOOLS.label);

  /** @param {number | null} to */
  function go(to) {
    step = to;
    show(step);
    draw();
  }
  function pause() {
    clearTimeout(timer);
    timer = 0;
    draw();
  }
  /** One step, from either end to none. @param {number} by */
  function move(by) {
    pause();
    const to = step === null ? (by > 0 ? 0 : length() - 1) : step + by;
    go(to >= 0 && to < length() ? to : null);
  }
  function advance() {
    const last = length() - 1;
    go(Math.min((step ?? -1) + 1, last));
    const pace = Math.max(FASTEST, Math.min(PACE, LONGEST / length()));
    timer = step !== null && step < last ? setTimeout(advance, pace) : 0;
    draw();
  }
  /** Play or pause; with reduced motion, one step. */
  function toggle() {
    if (still.matches) return move(1);
    if (timer) return pause();
    if (step === length() - 1) step = null;
    advance();
  }
  const draw = () => {
    const words = still.matches ? TOOLS.step : timer ? TOOLS.pause : TOOLS.play;
    play.textContent = words.text;
    play.setAttribute("aria-label", words.name);
    play.setAttribute("aria-keyshortcuts", "Space");
    where.textContent = step === null ? "" : progress(step + 1, length());
  };
  still.addEventListener("change", () => (still.matches ? pause() : draw()));
  draw();
  return {
    root,
    toggle,
    move,
    /** Forget the path. @returns {boolean} whether there was one */
    stop: () => {
      const was = step !== null;
      pause();
      if (was) go(null);
      return was;
    },
    step: () => step,
  };
}
