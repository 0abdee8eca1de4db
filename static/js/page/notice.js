// A small notice at the edge of the page, for everybody and read out. It goes away by itself, or at a click.

import { write } from "../dom/dom.js";

const SHOWN_MS = 10_000;
export const LONG_MS = 60_000; // for what nobody asked for, and takes a while to read

/** @param {HTMLElement} line with the role `status` */
export function notice(line) {
  let timer = 0;
  const clear = () => line.replaceChildren();
  line.addEventListener("click", clear);
  return (/** @type {string} */ words, ms = SHOWN_MS) => {
    clearTimeout(timer);
    clear(); // what is said twice is read out twice
    write(line, words);
    timer = setTimeout(clear, ms);
  };
}
