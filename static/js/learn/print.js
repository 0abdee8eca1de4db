// On paper a figure is a picture: in light colours, sharp, and without controls.

import { drawScene } from "../dom/canvas.js";
import { make } from "../dom/dom.js";

/** @import { Mounted } from "./figure.js" */

const FINE = 3; // canvas pixels per CSS pixel: about 300 dots per inch

/** @param {() => Map<HTMLElement, Mounted>} figures those that are mounted */
export function printing(figures) {
  /** @type {HTMLElement[]} */
  let sheets = [];

  const clear = () => {
    for (const sheet of sheets) sheet.remove();
    sheets = [];
  };
  addEventListener("beforeprint", () => {
    clear();
    for (const [root, mounted] of figures()) {
      const paper = mounted.paper();
      if (!paper) continue;
      const { scene, legend, words } = paper;
      const canvas = make("canvas");
      drawScene(canvas, scene, FINE);
      canvas.style.width = `${scene.width}px`;
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", root.querySelector("figcaption")?.textContent ?? "");
      const sheet = make("div", { class: "figure-paper" }, [canvas]);
      if (legend?.hasChildNodes()) sheet.append(legend);
      if (words) sheet.append(make("p", { text: words }));
      root.prepend(sheet);
      sheets.push(sheet);
    }
  });
  addEventListener("afterprint", clear);
}
