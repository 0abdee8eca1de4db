// A small notice at the edge of the page, for everybody and read out, that goes away by itself.

const SHOWN_MS = 10_000;

/** @param {HTMLElement} line with the role `status` @returns {(words: string) => void} */
export function notice(line) {
  let timer = 0;
  return (words) => {
    clearTimeout(timer);
    line.textContent = words;
    timer = setTimeout(() => line.replaceChildren(), SHOWN_MS);
  };
}
