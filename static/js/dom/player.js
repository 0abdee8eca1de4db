// A button that plays steps one after another, and pauses.

import { button } from "./dom.js";

/**
 * @param {{play: string, pause: string}} words
 * @param {object} film
 * @param {() => void} film.begin what comes before the first step
 * @param {() => boolean} film.step takes the next step; whether there is more to play
 * @param {() => number} film.pace milliseconds between two steps
 */
export function player(words, { begin, step, pace }) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    root.textContent = words.play;
  };
  const start = () => {
    begin();
    timer = setInterval(() => {
      if (!step()) stop();
    }, pace());
    root.textContent = words.pause;
  };
  const root = button(words.play, () => (timer ? stop() : start()));
  return { root, start, stop };
}
