// Zooming with the pointer: a pinch, and the wheel with Ctrl or ⌘ or after a click, zoom about their centre, a drag selects a rectangle,
// Shift and a drag move.

import { cellIn, moved, nearer } from "../../draw/viewport.js";

/** @import { Frame, Part } from "../../draw/viewport.js" */

const SLACK = 4; // pixels that the pointer may move in a click
const WHEEL = 0.0015; // change of the log zoom per pixel of the wheel
const NOTCH = 40; // pixels that a real wheel turns at least
const PINCH = 0.01; // the same for a touchpad pinch, which comes in smaller steps

/**
 * @param {HTMLElement} surface
 * @param {object} picture
 * @param {() => Frame | null} picture.frame the visible part, and its position in the window
 * @param {() => {rows: number, cols: number}} picture.size
 * @param {(part: Part | null) => void} picture.zoomTo null: all
 * @param {(cell: [number, number] | null) => void} picture.onCell called with the cell under the pointer
 * @param {(cell: [number, number]) => void} picture.onChoose called with the cell that was clicked
 * @param {(box: {x0: number, x1: number, y0: number, y1: number} | null) => void} picture.onRubber called with the dragged rectangle
 */
export function zooming(surface, { frame, size, zoomTo, onCell, onChoose, onRubber }) {
  /** @type {Map<number, PointerEvent>} */
  const down = new Map();
  /** How the drag began. @type {{event: PointerEvent, seen: Frame, how: "select" | "move" | "pinch"} | null} */
  let drag = null;
  let strayed = false;
  let entered = false; // by a press that began in the picture: until the pointer leaves it, the wheel is the picture's

  /** The position under a point, in fractional cells. @param {Frame} seen @param {{clientX: number, clientY: number}} point */
  const placeIn = ({ left, top, width, height, part: [q0, q1, k0, k1] }, { clientX, clientY }) => {
    const [right, below] = [(clientX - left) / width, (clientY - top) / height].map((share) =>
      Math.max(0, Math.min(1, share)),
    );
    return /** @type {[number, number]} */ ([q0 + below * (q1 - q0), k0 + right * (k1 - k0)]);
  };

  surface.addEventListener("pointerdown", (event) => {
    const seen = frame();
    if (!seen || event.button !== 0) return;
    entered = true;
    surface.setPointerCapture(event.pointerId);
    down.set(event.pointerId, event);
    const how = down.size > 1 ? "pinch" : event.shiftKey ? "move" : "select";
    if (how === "pinch") onRubber(null);
    else strayed = false;
    drag = { event, seen, how };
  });

  surface.addEventListener("pointermove", (event) => {
    const seen = frame();
    if (!drag || !seen || !down.has(event.pointerId)) {
      onCell(seen && cellIn(seen, event.clientX, event.clientY));
      return;
    }
    const { event: start, how } = drag;
    if (how === "pinch") {
      const before = [...down.values()];
      down.set(event.pointerId, event);
      const now = [...down.values()];
      zoomTo(nearer(seen.part, apart(now) / apart(before), placeIn(seen, middle(now))));
      return;
    }
    const [x, y] = [event.clientX - start.clientX, event.clientY - start.clientY];
    strayed ||= Math.hypot(x, y) > SLACK;
    if (!strayed) return;
    const [q0, q1, k0, k1] = drag.seen.part;
    if (how === "move") {
      const { rows, cols } = size();
      const [up, left] = [(y / seen.height) * (q1 - q0), (x / seen.width) * (k1 - k0)];
      zoomTo(moved(drag.seen.part, -up, -left, rows, cols));
    } else onRubber(boxOf(start, event));
  });

  surface.addEventListener("pointerup", (event) => {
    down.delete(event.pointerId);
    if (!drag || down.size > 0) return;
    const { event: start, seen, how } = drag;
    drag = null;
    onRubber(null);
    if (how === "pinch") return;
    if (!strayed) {
      const cell = cellIn(seen, event.clientX, event.clientY);
      if (!cell) return;
      onChoose(cell);
      onCell(cell); // a finger points by tapping
    } else if (how === "select") {
      const [a, b] = [placeIn(seen, start), placeIn(seen, event)];
      const [queries, keys] = [0, 1].map((axis) => [a[axis], b[axis]].sort((x, y) => x - y));
      zoomTo([
        Math.floor(queries[0]),
        Math.ceil(queries[1]),
        Math.floor(keys[0]),
        Math.ceil(keys[1]),
      ]);
    }
  });

  const stop = (/** @type {PointerEvent} */ event) => {
    down.delete(event.pointerId);
    drag = null;
    onRubber(null);
  };
  surface.addEventListener("pointercancel", stop);
  surface.addEventListener("pointerleave", () => {
    entered = false;
    if (!drag) onCell(null);
  });
  surface.addEventListener("dblclick", () => zoomTo(null));

  surface.addEventListener(
    "wheel",
    (event) => {
      const seen = frame();
      if (!seen || !(event.ctrlKey || event.metaKey || entered)) return; // the page scrolls
      const { rows, cols } = size();
      const [q0, q1, k0, k1] = seen.part;
      const factor = Math.exp(-event.deltaY * (isPinch(event) ? PINCH : WHEEL));
      if (factor <= 1 && q1 - q0 >= rows && k1 - k0 >= cols) return; // fully zoomed out: let the page scroll
      event.preventDefault();
      zoomTo(nearer(seen.part, factor, placeIn(seen, event)));
    },
    { passive: false },
  );
}

/** A pinch on a touchpad comes as a wheel with Ctrl, in small steps. @param {WheelEvent} event */
const isPinch = ({ ctrlKey, deltaY }) => ctrlKey && Math.abs(deltaY) < NOTCH;

/** @param {PointerEvent} a @param {PointerEvent} b */
const boxOf = (a, b) => ({
  x0: Math.min(a.clientX, b.clientX),
  x1: Math.max(a.clientX, b.clientX),
  y0: Math.min(a.clientY, b.clientY),
  y1: Math.max(a.clientY, b.clientY),
});

/** @param {PointerEvent[]} two */
const apart = ([a, b]) => Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));

/** @param {PointerEvent[]} two */
const middle = ([a, b]) => ({
  clientX: (a.clientX + b.clientX) / 2,
  clientY: (a.clientY + b.clientY) / 2,
});
