// The choice of the colour scale and of linear or logarithmic steps, and the colour bar beside the head.

import { check, make, need } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { marks } from "../../draw/legends/bar.js";
import { detailOf } from "../../numbers/detail.js";
import { rangeOf } from "../../numbers/matrices.js";
import { MATRICES } from "../../state/matrices.js";
import { logarithmic } from "./words.js";

/** @import { Store } from "../../state/store.js" */

/** The popover with the choices. It is set up before the views, which read the CSS tokens that it sets. @param {HTMLFormElement} form @param {Store} store */
export function colours(form, store) {
  store.watch(["scale", "log"], ({ scale, log }) => {
    if (scale === "ink") delete document.documentElement.dataset.scale;
    else document.documentElement.dataset.scale = scale;
    check("scale", scale, form);
    check("log", String(log), form);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "scale") store.update({ scale: target.value === "sea" ? "sea" : "ink" });
    if (target.name === "log") store.update({ log: target.value === "true" });
  });
}

/** @param {HTMLElement} bar @param {Store} store */
export function colourBar(bar, store) {
  const strip = need(".colour-strip", HTMLElement, bar);
  const numbers = need(".colour-numbers", HTMLElement, bar);
  const unitName = need(".faint", HTMLElement, bar);
  store.watch(["detail", "shown", "matrix", "scheme", "scale", "log"], (state) => {
    const { matrix: name, scheme, log } = state;
    const matrix = detailOf(state)?.[name];
    bar.hidden = !matrix;
    if (!matrix) return;
    const { sequential, diverging } = palette(scheme);
    const range = rangeOf(name, matrix, log);
    strip.style.background = gradient(range.low < 0 ? diverging : sequential);
    const { unit } = MATRICES[name];
    unitName.textContent = range.log ? logarithmic(unit) : unit;
    numbers.replaceChildren(
      ...marks(range).map(({ place, text }) => {
        const mark = make("span", { text });
        mark.style.setProperty("--place", String(place));
        return mark;
      }),
    );
  });
}

/** @param {Uint8ClampedArray} table 256 colours */
function gradient(table) {
  const stops = Array.from({ length: 17 }, (_, step) => {
    const at = Math.round((255 * step) / 16) * 4;
    return `rgb(${table[at]} ${table[at + 1]} ${table[at + 2]})`;
  });
  return `linear-gradient(to top, ${stops.join(", ")})`;
}
