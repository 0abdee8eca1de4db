// Lines: pointing at tokens with the pointer, and walking over them with the keyboard.

import { enlarged } from "../../dom/canvas.js";
import { tokenAt } from "./scene.js";
import { KEYBOARD } from "./words.js";

/** @import { Picture, Pointed } from "./picture.js" */
/** @import { Geometry } from "./scene.js" */
/** @typedef {() => {picture: Picture, geometry: Geometry} | null} Held what is drawn */

const REACH = 0.25; // of the width between the tokens: this close to its token, the end of a line belongs to it

/**
 * @param {HTMLElement} plot
 * @param {Held} held
 * @param {(token: Pointed | null) => void} point
 * @param {(token: Pointed | null) => void} pin
 */
export function pointing(plot, held, point, pin) {
  /** @type {string} */
  let last = "";
  /** @param {PointerEvent | MouseEvent} event @returns {Pointed | null} */
  const tokenUnder = ({ clientX, clientY }) => {
    const now = held();
    if (!now) return null;
    const { geometry, picture } = now;
    const box = plot.getBoundingClientRect();
    const scale = enlarged(plot);
    const [x, y] = [(clientX - box.left) / scale, (clientY - box.top) / scale];
    const near = REACH * (geometry.right - geometry.left);
    const side = x < geometry.left + near ? "queries" : x > geometry.right - near ? "keys" : null;
    if (!side) return null;
    const places = picture.shown[side === "queries" ? "from" : "to"];
    const place = tokenAt(geometry[side], places, y, geometry.top);
    return place === null ? null : { side, place };
  };
  /** @param {Pointed | null} token */
  const update = (token) => {
    const name = token ? `${token.side} ${token.place}` : "";
    plot.classList.toggle("can-pin", token?.side === "queries");
    if (name !== last) point(token);
    last = name;
  };
  plot.addEventListener("pointermove", (event) => update(tokenUnder(event)));
  plot.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") update(null); // a lifted finger keeps the token
  });
  plot.addEventListener("click", (event) => {
    const token = tokenUnder(event);
    update(token);
    pin(token);
  });
  // pinning with the mouse does not take the focus, so that the arrow keys still walk the heads
  plot.addEventListener("mousedown", (event) => event.preventDefault());
}

/**
 * Let the picture take the focus: up and down walk the tokens of a side, left and right choose the side.
 * @param {HTMLElement} plot
 * @param {string} about the id of its description
 * @param {Held} held
 * @param {() => Pointed | null} pointed
 * @param {(token: Pointed | null) => void} point
 * @param {(token: Pointed | null) => void} pin
 * @param {() => void} clear
 */
export function walking(plot, about, held, pointed, point, pin, clear) {
  plot.tabIndex = 0;
  plot.setAttribute("role", "application");
  plot.setAttribute("aria-roledescription", KEYBOARD.role);
  plot.setAttribute("aria-label", KEYBOARD.label);
  plot.setAttribute("aria-describedby", about);

  /** @param {number} by */
  const step = (by) => {
    const now = held();
    if (!now) return;
    const token = pointed();
    const side = token?.side ?? "queries";
    const places = now.picture.shown[side === "queries" ? "from" : "to"];
    if (places.length === 0) return;
    const index = token ? places.indexOf(token.place) + by : by > 0 ? 0 : places.length - 1;
    point({ side, place: places[Math.max(0, Math.min(places.length - 1, index))] });
  };
  /** @param {"queries" | "keys"} side */
  const cross = (side) => {
    const now = held();
    const places = now?.picture.shown[side === "queries" ? "from" : "to"] ?? [];
    const place = pointed()?.place ?? places[0];
    const nearest = places.findLast((one) => one <= place) ?? places[0];
    if (nearest !== undefined) point({ side, place: nearest });
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    PageUp: () => step(-10),
    PageDown: () => step(10),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
    ArrowLeft: () => cross("queries"),
    ArrowRight: () => cross("keys"),
    Enter: () => pin(pointed()),
    " ": () => pin(pointed()),
    Escape: clear,
  };
  plot.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation(); // on the page, the arrow keys walk the heads
    act();
  });
  plot.addEventListener("blur", () => point(null));
}
