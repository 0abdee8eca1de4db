// The choice of the colour scale and of its steps, and the colour bar beside the head.

import { check, make, need } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { marks } from "../../draw/legends/bar.js";
import { detailOf } from "../../numbers/detail.js";
import { rangeOf } from "../../numbers/matrices.js";
import { MATRICES } from "../../state/matrices.js";
import { spread } from "../../words/picture.js";
import { STEP_NAMES } from "./words.js";

/** @import { Store } from "../../state/store.js" */

/** The popover with the choices. It is set up before the views, which read the CSS tokens that it sets. @param {HTMLFormElement} form @param {Store} store */
export function colours(form, store) {
  store.watch(["scale", "steps"], ({ scale, steps }) => {
    if (scale === "ink") delete document.documentElement.dataset.scale;
    else document.documentElement.dataset.scale = scale;
    check("scale", scale, form);
    check("steps", steps, form);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "scale") store.update({ scale: target.value === "sea" ? "sea" : "ink" });
    const steps = STEP_NAMES.find((name) => target.name === "steps" && name === target.value);
    if (steps) store.update({ steps });
  });
}

/** @param {HTMLElement} bar @param {Store} store */
export function colourBar(bar, store) {
  const strip = need(".colour-strip", HTMLElement, bar);
  const numbers = need(".colour-numbers", HTMLElement, bar);
  const unitName = need(".faint", HTMLElement, bar);
  store.watch(["detail", "shown", "matrix", "scheme", "scale", "steps"], (state) => {
    const { matrix: name, scheme, steps } = state;
    const matrix = detailOf(state)?.[name];
    bar.hidden = !matrix;
    if (!matrix) return;
    const { sequential, diverging } = palette(scheme);
    const range = rangeOf(name, matrix, steps);
    strip.style.background = gradient(range.low < 0 ? diverging : sequential);
    const { unit } = MATRICES[name];
    unitName.textContent = spread(unit, range.steps);
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
