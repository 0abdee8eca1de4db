// Pointing at cells without zooming: a picture in a text leaves the wheel and drags to the text.

import { cellIn } from "../../draw/viewport.js";

/**
 * @param {HTMLElement} surface
 * @param {object} picture
 * @param {() => import("../../draw/viewport.js").Frame | null} picture.frame its position in the window
 * @param {(cell: [number, number] | null) => void} picture.onCell called with the cell under the pointer
 * @param {(cell: [number, number]) => void} picture.onChoose called with the cell that was clicked
 */
export function pointing(surface, { frame, onCell, onChoose }) {
  /** @param {MouseEvent} event */
  const cellOf = ({ clientX, clientY }) => {
    const shown = frame();
    return shown && cellIn(shown, clientX, clientY);
  };
  surface.addEventListener("pointermove", (event) => onCell(cellOf(event)));
  surface.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") onCell(null); // a finger that is lifted still points
  });
  surface.addEventListener("click", (event) => {
    const cell = cellOf(event);
    onCell(cell);
    if (cell) onChoose(cell);
  });
}
