// Painting a mask on the heatmap: the brush, strokes over the cells, the cursor for the keyboard, and the two counters.

import { redo, undo } from "../history.js";
import { line } from "../render/cells.js";
import {
  brushOf,
  cleared,
  cursorBy,
  cursorOf,
  isBlockedAt,
  nextBrush,
  paintedIn,
  stroke,
  whyNot,
} from "../stroke.js";
import { detailOf } from "./detail.js";
import { check, make, need } from "./dom.js";
import { palette } from "./palette.js";

/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {[query: number, key: number]} Place */
/**
 * The picture that is painted on.
 * @typedef {object} Picture
 * @property {(clientX: number, clientY: number) => Place | null} cellAt
 * @property {(query: number, key: number) => {x: number, y: number, width: number, height: number} | null} boxOf
 * @property {() => Promise<unknown>} drawn
 */

const BRUSHES = /** @type {const} */ (["head", "layer", "all"]);
const LEAST = 6; // pixels: the mark of a smaller cell is plain

/** Say what was done, to readers and to screen readers. @param {string} words */
export function sayPainted(words) {
  need("#paint-said", HTMLElement).textContent = words;
}

/** Say what happened to painted cells on its own account. @param {string} words */
export function notePainted(words) {
  need("#paint-notice", HTMLElement).textContent = words;
}

/** @param {Store} store @param {import("../stroke.js").Deed} deed */
export function perform(store, { changes, words }) {
  if (words) sayPainted(words);
  if (changes) store.update(changes);
}

/**
 * @param {Store} store
 * @param {Picture} picture
 * @param {(cell: Place | null) => void} onCell what is under the pointer
 */
export function paint(store, picture, onCell) {
  tools(store);
  const plot = need("#plot", HTMLElement);
  const layer = make("canvas", { class: "paint-layer" });
  layer.hidden = true;
  plot.after(layer);

  /** @typedef {{blocks: boolean, cells: Map<string, Place>, last: Place}} Stroke its cells by name; else they are freed */
  /** @type {Stroke | null} */
  let under = null;
  /** The one before, until it is in the picture. @type {Stroke | null} */
  let sent = null;

  const draw = () => {
    layer.hidden = brushOf(store.state) === null;
    if (layer.hidden) return;
    const { width, height } = plot.getBoundingClientRect();
    Object.assign(layer.style, {
      left: `${plot.offsetLeft}px`,
      top: `${plot.offsetTop}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    layer.width = Math.round(width * devicePixelRatio); // and it is empty again
    layer.height = Math.round(height * devicePixelRatio);
    const drawing = layer.getContext("2d");
    const from = layer.getBoundingClientRect();
    if (!drawing) return;
    drawing.scale(devicePixelRatio, devicePixelRatio);
    drawing.translate(-from.left, -from.top);
    const { accent, paper } = palette(store.state.scheme);
    for (const { blocks, cells } of [sent, under].filter((some) => some !== null)) {
      for (const [query, key] of cells.values()) {
        const box = picture.boxOf(query, key);
        if (box) mark(drawing, box, blocks ? paper.ink : accent, blocks);
      }
    }
    const cursor = cursorOf(store.state);
    const box = cursor && picture.boxOf(...cursor);
    if (!box) return;
    for (const [color, wide] of /** @type {const} */ ([
      [paper.panel, 5],
      [accent, 2.5],
    ])) {
      drawing.strokeStyle = color;
      drawing.lineWidth = wide;
      drawing.strokeRect(box.x + 1, box.y + 1, box.width - 2, box.height - 2);
    }
  };

  /** @param {PointerEvent} event */
  const cellOf = ({ clientX, clientY }) => picture.cellAt(clientX, clientY);

  /** @param {Place} cell */
  const add = (cell) => {
    if (!under) return;
    for (const place of line(under.last, cell)) under.cells.set(place.join(), place);
    under.last = cell;
  };

  layer.addEventListener("pointerdown", (event) => {
    const cell = cellOf(event);
    const detail = detailOf(store.state);
    if (!event.isPrimary || event.button !== 0 || !cell || !detail) return;
    event.preventDefault(); // no text is marked, and the focus stays where it is
    layer.setPointerCapture(event.pointerId);
    under = { blocks: !isBlockedAt(store.state, detail, ...cell), cells: new Map(), last: cell };
    add(cell);
    draw();
  });
  layer.addEventListener("pointermove", (event) => {
    const cell = cellOf(event);
    onCell(cell);
    if (!under || !cell) return;
    const n = under.cells.size;
    add(cell);
    if (under.cells.size > n) draw();
  });
  layer.addEventListener("pointerleave", () => onCell(null));
  layer.addEventListener("pointerup", () => {
    if (!under) return;
    const deed = stroke(store.state, [...under.cells.values()], under.blocks);
    sent = deed.changes ? under : null;
    under = null;
    perform(store, deed);
    draw();
  });
  const cancel = () => {
    if (!under) return false;
    under = null;
    draw();
    return true;
  };
  layer.addEventListener("pointercancel", cancel);
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !cancel()) return;
      event.stopPropagation();
      sayPainted("the stroke was dropped");
    },
    true,
  );
  // what lies under it still zooms by the wheel
  layer.addEventListener("wheel", (event) => {
    event.preventDefault();
    const below = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((element) => plot.contains(element));
    below?.dispatchEvent(new WheelEvent("wheel", event));
  });

  const after = () => picture.drawn().then(draw);
  store.watch(["detail", "status"], ({ status }) => {
    if (status === "loading") return;
    sent = null;
    after();
  });
  store.watch(
    ["brush", "view", "matrix", "models", "model", "query", "key", "scheme", "zoom"],
    () => {
      draw();
      after(); // it may have to be drawn first
    },
  );
  new ResizeObserver(after).observe(plot);
}

/**
 * A cell of the stroke: crossed out, or lit.
 * @param {CanvasRenderingContext2D} drawing
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {string} color
 * @param {boolean} blocks
 */
function mark(drawing, { x, y, width, height }, color, blocks) {
  drawing.globalAlpha = 0.25;
  drawing.fillStyle = color;
  drawing.fillRect(x, y, width, height);
  drawing.globalAlpha = 1;
  if (!blocks || Math.min(width, height) < LEAST) return;
  drawing.strokeStyle = color;
  drawing.lineWidth = 1;
  drawing.beginPath();
  for (const [from, to] of [
    [0.25, 0.75],
    [0.75, 0.25],
  ]) {
    drawing.moveTo(x + from * width, y + 0.25 * height);
    drawing.lineTo(x + to * width, y + 0.75 * height);
  }
  drawing.stroke();
}

/** The line of tools over the picture, and the counters beside the masks. @param {Store} store */
function tools(store) {
  const brush = need("#brush", HTMLFieldSetElement);
  const why = need("#paint-why", HTMLElement);
  const counts = {
    painted: need("#painted", HTMLButtonElement),
    muted: need("#muted", HTMLButtonElement),
  };
  const steps = { undo: need("#undo", HTMLButtonElement), redo: need("#redo", HTMLButtonElement) };
  const clear = need("#paint-clear", HTMLButtonElement);

  brush.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    store.update({ brush: BRUSHES.find((name) => name === target.value) ?? null });
  });
  steps.undo.addEventListener("click", () => step(store, undo));
  steps.redo.addEventListener("click", () => step(store, redo));
  const clearAll = () => {
    if (paintedIn(store.state) === 0) return;
    sayPainted(`cleared ${paintedIn(store.state)} painted`);
    store.update(cleared(store.state));
  };
  clear.addEventListener("click", clearAll);
  counts.painted.addEventListener("click", () => {
    clearAll();
    focusMasks(); // the button goes, and the focus must not go with it
  });
  counts.muted.addEventListener("click", () => {
    store.update({ muted: [] });
    focusMasks();
  });

  store.watch(["brush", "matrix", "models", "model"], (state) => {
    check("brush", state.brush ?? "off", brush);
    why.textContent = state.brush || state.matrix !== "rollout" ? whyNot(state) : "";
    brush.disabled = whyNot(state) !== "";
    brush.title = whyNot(state);
  });
  store.watch(["past", "future", "masks", "muted"], (state) => {
    const n = paintedIn(state);
    hold(steps.undo, state.past.length === 0);
    hold(steps.redo, state.future.length === 0);
    hold(clear, n === 0);
    clear.textContent = n > 0 ? `painted: ${n} ✕` : "painted: 0";
    clear.setAttribute("aria-label", `Clear painted: ${n}`);
    counts.painted.hidden = n === 0;
    counts.painted.textContent = `painted: ${n} ✕`;
    counts.muted.hidden = state.muted.length === 0;
    counts.muted.textContent = `muted: ${state.muted.length} ✕`;
  });
}

/** A button that has nothing to do keeps the focus, which a disabled one would lose. @param {HTMLButtonElement} button @param {boolean} idle */
const hold = (button, idle) => button.setAttribute("aria-disabled", String(idle));

function focusMasks() {
  const first = need("#masks", HTMLFormElement).querySelector("input:checked:enabled");
  if (first instanceof HTMLElement) first.focus();
}

/** @param {Store} store @param {typeof undo} act */
function step(store, act) {
  const changes = act(store.state);
  if (!changes) return;
  notePainted("");
  sayPainted(act === undo ? "undone" : "done again");
  store.update(changes);
}

/**
 * Undo and redo, as every program has them; in a text box they are of the text.
 * @param {Store} store
 * @param {KeyboardEvent} event
 * @returns {boolean} whether it was one of them
 */
export function stepped(store, { key, ctrlKey, metaKey, shiftKey, altKey, target }) {
  if (!(ctrlKey || metaKey) || altKey) return false;
  if (target instanceof Element && target.matches("textarea, input[type=text], input[type=number]"))
    return false;
  const letter = key.toLowerCase();
  if (letter === "z") step(store, shiftKey ? redo : undo);
  else if (letter === "y" && !shiftKey) step(store, redo);
  else return false;
  return true;
}

/**
 * The keys of the brush.
 * @param {Store} store
 * @returns {Record<string, (state: Readonly<State>) => Partial<State> | null>}
 */
export const paintKeys = (store) => ({
  w: nextBrush,
  "{": (state) => cursorBy(state, -1),
  "}": (state) => cursorBy(state, 1),
  x: (state) => {
    const cursor = cursorOf(state);
    const detail = detailOf(state);
    if (cursor && detail) {
      perform(store, stroke(state, [cursor], !isBlockedAt(state, detail, ...cursor)));
    }
    return null;
  },
});
