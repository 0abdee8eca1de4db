// The head under the mouse, large, with what it does: a thumbnail has room for little.

import { fit } from "../../dom/canvas.js";
import { make, write } from "../../dom/dom.js";

const REST_MS = 150; // a mouse that only passes opens nothing
const [GAP, EDGE] = [22, 8]; // pixels to the heads, and to the edge of the window

/**
 * @param {HTMLElement} root the grid of heads, whose cells have a canvas, and what is said of them as `data-about`
 * @returns {HTMLElement} where it is drawn; it covers no head, and takes no press
 */
export function preview(root) {
  const canvas = make("canvas");
  const said = make("p");
  const box = make("div", { class: "head-preview" }, [canvas, said]);
  box.ariaHidden = "true"; // the name of a cell says the same
  box.popover = "manual";
  /** @type {HTMLElement | null} */
  let over = null;
  let timer = 0;
  let [lastX, lastY] = [-1, -1]; // of the mouse

  const close = () => {
    clearTimeout(timer);
    over = null;
    if (box.matches(":popover-open")) box.hidePopover();
  };

  /** @param {HTMLElement} cell */
  const open = (cell) => {
    const picture = cell.querySelector("canvas");
    if (!picture || !cell.isConnected) return;
    fit(canvas, picture);
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    write(said, cell.dataset.about ?? "");
    if (!box.matches(":popover-open")) box.showPopover();
    const { width, height } = box.getBoundingClientRect();
    const { right, top } = root.getBoundingClientRect();
    const at = cell.getBoundingClientRect();
    const isBeside = right + GAP + width <= innerWidth; // else the grid is a strip below the picture
    const [x, y] = isBeside ? [right + GAP, Math.max(top, at.top)] : [at.left, top - GAP - height];
    box.style.left = `${Math.min(x, innerWidth - EDGE - width)}px`;
    box.style.top = `${Math.max(EDGE, Math.min(y, innerHeight - EDGE - height))}px`;
  };

  root.addEventListener("pointerover", ({ target, pointerType, buttons, clientX, clientY }) => {
    const cell = target instanceof Element ? target.closest(".cell") : null;
    const rests = clientX === lastX && clientY === lastY; // the page has moved, not the mouse
    if (pointerType === "touch" || buttons > 0 || rests || !(cell instanceof HTMLElement))
      return close();
    if (cell === over) return;
    over = cell;
    clearTimeout(timer);
    if (box.matches(":popover-open")) open(cell);
    else timer = window.setTimeout(() => open(cell), REST_MS);
  });
  for (const end of ["pointerleave", "pointerdown", "wheel"]) root.addEventListener(end, close);
  const note = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    [lastX, lastY] = [clientX, clientY];
  };
  addEventListener("pointermove", note, { capture: true, passive: true });
  addEventListener("keydown", close, { capture: true }); // of which Escape closes it, and others act
  return box;
}
