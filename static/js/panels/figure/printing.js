// On paper the inspector is the view that it shows, with its caption: as vectors, in light colours, and nothing else.

import { svgOf } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { captioned } from "../../draw/pictures/frame.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Look } from "../../draw/pictures/look.js" */

const LOOK = { scheme: /** @type {const} */ ("light"), bare: true, width: 680 }; // pixels: about the width of a sheet
const PRINTING = "printing"; // a class of the root, for the style sheet
const MAX_LINES = 12; // of a paragraph of the caption

/**
 * @param {(look: Look) => import("../../draw/scene.js").Scene | null} draw the present view; null: the page is printed as it is
 * @param {() => string[]} caption paragraphs
 */
export function printing(draw, caption) {
  /** @type {HTMLElement | null} */
  let sheet = null;
  const root = document.documentElement;
  const clear = () => {
    sheet?.remove();
    sheet = null;
    root.classList.remove(PRINTING);
  };
  addEventListener("beforeprint", () => {
    clear();
    const scene = draw(LOOK);
    if (!scene) return;
    const { paper } = palette(LOOK.scheme);
    const { title, marks } = scene;
    const isTitled = marks.some((mark) => mark.mark === "text" && mark.text === title);
    const about = [...(isTitled ? [] : [title]), ...caption()];
    const whole = captioned(scene, about, paper, { least: 0, most: MAX_LINES });
    const { documentElement } = new DOMParser().parseFromString(svgOf(whole).text, "image/svg+xml");
    sheet = make("div", { class: "on-paper" }, [document.importNode(documentElement, true)]);
    document.body.append(sheet);
    root.classList.add(PRINTING);
  });
  addEventListener("afterprint", clear);
}
