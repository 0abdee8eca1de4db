// The selected head on a canvas, which follows every key; where the page has plotly and the text is short, its cells by plotly once the
// reader rests.

import { afterFrame, make, write } from "../../dom/dom.js";
import { legendItems } from "../../dom/hatching.js";
import { palette } from "../../dom/palette.js";
import { steady } from "../../dom/steady.js";
import { widthInText } from "../../draw/axes.js";
import { boxIn, cellIn, partOf, showing, zoomOf } from "../../draw/viewport.js";
import { blockedIn } from "../../numbers/detail.js";
import { seenAt, seenOf, tokensAt } from "../../numbers/units.js";
import { canvasPainter } from "./canvas.js";
import { numbersIn } from "./over/numbers.js";
import { over } from "./over/over.js";
import { cellValue } from "./over/value.js";
import { paperScene } from "./paper.js";
import { pictureOf, pointedIn, sizeOf } from "./picture.js";
import { isLarge } from "./plotly.js";
import { plotlyPainter } from "./plotted.js";
import { save } from "./save.js";
import { vectorsPainter } from "./vectors/vectors.js";
import { walking } from "./walking.js";
import { label, NOT_DRAWN, POOLED } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Detail } from "./picture.js" */
/** @typedef {[query: number, key: number]} Cell */

const MIN_SIDE = 160; // pixels: plotly throws if its margins leave no room, and does not recover
const MIN_WIDTH = 120; // pixels of a picture in a text: on less nothing can be seen
const REST = 250; // ms without a newer picture before plotly draws: it takes several times as long as the canvas

/**
 * @param {HTMLElement} root may hold the places of its pictures (.plot, and .vectors for q, k and v) among controls of the page
 * @param {Store} store
 * @param {import("../view.js").Page} page
 */
export function heatmap(root, store, { inText = false, onCell, onVector, onVectors }) {
  const plot = placeIn(root, ".plot") ?? root.appendChild(make("div", { class: "plot" }));
  plot.classList.toggle("in-text", inText);
  const beside = placeIn(root, ".vectors");
  const pooled = placeIn(root, ".pooled");
  let drawn = Promise.resolve();
  let turn = 0; // only the newest picture is drawn
  let endRest = () => {};
  /** What is drawn. @type {ReturnType<typeof seenOf>} */
  let shown = { state: store.state, detail: null };
  const overlay = over(plot, { inText });
  const press = steady(plot, plot.parentElement ?? plot);

  /** Point at a cell of tokens. @param {Cell | null} cell */
  const point = (cell) => {
    if (String(cell) === String(store.state.cell)) return;
    store.update({ cell });
    onCell?.(cell);
    if (cell) reveal(seenAt(seenOf(store.state).detail, cell));
  };
  /** Point at a cell of what is drawn, with the pointer or the arrow keys. @param {Cell | null} cell */
  const pointSeen = (cell) => point(cell && tokensAt(shown.detail, cell));
  /** Move the visible part to a cell of what is drawn. @param {Cell} cell */
  const reveal = (cell) => {
    const { detail } = seenOf(store.state);
    const { zoom } = store.state;
    if (!detail || inText || !zoom) return;
    const [rows, cols] = [detail.queries.length, detail.keys.length];
    const part = showing(partOf(zoom, rows, cols), cell);
    if (String(part) !== String(zoom)) onZoom(zoomOf(part, rows, cols));
  };
  /** @param {import("../../draw/viewport.js").Part | null} zoom */
  const onZoom = (zoom) => {
    if (String(zoom) !== String(store.state.zoom)) store.update({ zoom });
  };
  /** @param {Cell} cell */
  const onChoose = (cell) => {
    const [query, key] = tokensAt(shown.detail, cell);
    store.update({ query, key });
  };
  const on = { onCell: pointSeen, onChoose, onZoom };
  const canvas = canvasPainter(plot, { ...on, inText });
  const plotted = plotlyPainter(plot, on);
  const vectors =
    beside && vectorsPainter(beside, store, { onVector, onVectors }, plot, canvas.layout);

  const draw = () => press.whenFree(drawNow);
  const drawNow = () => {
    turn += 1;
    endRest();
    const mine = turn;
    if (!seenOf(store.state).detail) return;
    drawn = drawn.then(() => paint(() => mine === turn)).catch(report);
  };

  /** Whether the picture fits; in a text it takes the room that it needs. @param {import("./picture.js").Picture} picture */
  const hasRoom = ({ labels }) => {
    if (!inText) return Math.min(plot.clientWidth, plot.clientHeight) >= MIN_SIDE;
    plot.style.setProperty("--room", `${widthInText(labels)}px`);
    return plot.clientWidth >= MIN_WIDTH;
  };

  /** What the reader reads and points at. @param {Readonly<State>} state @param {Detail} detail */
  const marked = (state, detail) => {
    const { cell, matrix } = state;
    const at = pointedIn(state, detail);
    const [query, key] = cell ?? [0, 0];
    const isThere = query < detail.queries.length && key < detail.keys.length; // not of a longer text
    if (!cell || !isThere) return { ...at, value: [] };
    return { ...at, query, key, cell, value: cellValue(detail, matrix, cell) };
  };

  /** @param {() => boolean} wanted whether no newer picture is needed */
  const paint = async (wanted) => {
    const seen = press.isHeld() ? shown : seenOf(store.state);
    const { detail, state } = seen;
    const picture = detail && pictureOf(state, detail);
    if (!wanted() || !picture || !hasRoom(picture)) return; // the last picture stays
    shown = seen;
    const { rows, cols } = sizeOf(picture);
    const { cell } = state;
    if (cell && (cell[0] >= rows || cell[1] >= cols)) point(null);
    const zoom = inText ? null : store.state.zoom;
    plot.setAttribute("aria-label", label({ rows, cols }));
    const byPlotly = plotted.ready() && !isLarge(detail) && picture.spaced;
    const sameNumbers = byPlotly && plotted.shows(picture);
    if (!sameNumbers) plotted.clear();
    lay(picture, seen, zoom);
    await vectors?.draw(wanted);
    if (!byPlotly) return;
    await (sameNumbers ? afterFrame() : rest());
    if (!wanted()) return;
    if (press.isHeld()) return draw();
    await plotted.draw(picture, zoom);
  };

  /** Resolves after a moment, or with the next picture. @returns {Promise<void>} */
  const rest = () =>
    new Promise((resolve) => {
      endRest = resolve;
      setTimeout(resolve, REST);
    });

  /**
   * Draw the axes and cells, and over them what follows the pointer.
   * @param {import("./picture.js").Picture} picture
   * @param {ReturnType<typeof seenOf>} seen
   * @param {import("../../draw/viewport.js").Part | null} zoom
   */
  const lay = (picture, { state, detail }, zoom) => {
    if (!detail) return;
    canvas.draw(picture, zoom);
    const layout = canvas.layout();
    const { matrix } = state;
    const numbersOf = (/** @type {import("../../draw/viewport.js").Part} */ part) =>
      numbersIn(detail, matrix, part);
    if (layout) overlay.draw({ layout, picture, numbersOf }, marked(state, detail));
    if (layout && pooled) write(pooled, perPixel(layout) > 1 ? POOLED : "");
  };

  const mark = () => {
    const { state, detail } = seenOf(store.state);
    if (!detail || state.view !== "heatmap") return; // it is redrawn when it is opened again
    overlay.mark(marked(state, detail));
  };

  walking(plot, {
    size: () => {
      const { detail } = seenOf(store.state);
      return detail && { rows: detail.queries.length, cols: detail.keys.length, row: detail.row };
    },
    cell: () => seenOf(store.state).state.cell,
    go: pointSeen,
    choose: onChoose,
  });
  if (!inText) leaveKeys(plot);

  store.watch(
    ["detail", "shown", "matrix", "scheme", "scale", "steps", "view", "depth", "units", "specials"],
    () => {
      if (store.state.view === "heatmap") draw(); // another view is open
    },
  );
  store.watch(["hover", "query", "next", "cell"], mark);
  store.watch(["query", "next"], ({ view, specials }) => {
    if (view === "heatmap" && specials !== "shown") draw(); // the row that is read stays
  });
  store.watch(["query", "key", "next"], ({ view }) => {
    if (view === "heatmap" && canvas.isThinned()) draw(); // what is read is labelled
  });
  store.watch(["segments"], (now) => {
    const { state, detail } = seenOf(now);
    if (!detail || state.view !== "heatmap") return;
    plotted.veil(detail);
    draw();
    mark(); // the current row may be another one
  });
  store.watch(["zoom"], (now) => {
    const seen = seenOf(now);
    const picture = seen.detail && pictureOf(seen.state, seen.detail);
    if (!plotted.zoomTo(now.zoom))
      drawNow(); // also while a drag moves it
    else if (picture) {
      lay(picture, seen, now.zoom);
      vectors?.draw(() => true);
    }
  });
  store.watch(["view"], ({ view }) => {
    if (view !== "heatmap") point(null);
  });
  const resized = new ResizeObserver(() => {
    if (store.state.view === "heatmap") draw();
  });
  resized.observe(plot);
  if (beside) resized.observe(beside);

  const { frame } = canvas;
  return {
    /**
     * The cell of tokens at a point of the window, in plotly's picture or on the canvas.
     * @param {number} clientX
     * @param {number} clientY
     * @returns {Cell | null} null outside the cells
     */
    cellAt: (clientX, clientY) => {
      const at = frame();
      const cell = at && cellIn(at, clientX, clientY);
      return cell && tokensAt(shown.detail, cell);
    },
    /**
     * The visible part of a cell of tokens, in the window; null if it is not visible.
     * @param {number} query
     * @param {number} key
     */
    boxOf: (query, key) => {
      const at = frame();
      return at && boxIn(at, ...seenAt(shown.detail, [query, key]));
    },
    point,
    /** Resolves once the current selection is drawn. */
    drawn: async () => {
      let last;
      do {
        await press.released();
        last = drawn;
        await last;
      } while (last !== drawn || press.isHeld());
    },
    /** @param {import("../../draw/pictures/look.js").Look} [look] */
    scene: (look) => paperScene(store.state, look),
    /** What its hatching means, on paper. */
    legend: () => {
      const { state, detail } = seenOf(store.state);
      const { hatch } = palette("light");
      const bits = detail ? blockedIn(detail, state.matrix).data : new Uint8Array();
      return make("ul", { class: "legend" }, legendItems(bits, hatch, 3));
    },
    /** @param {any} library null: there is none, and everything is drawn on canvases */
    usePlotly: (library) => {
      if (library) plotted.use(library);
      draw();
    },
  };
}

/** How many rows, or columns, share a pixel of the screen. @param {import("../../draw/axes.js").Layout} layout */
function perPixel({ frame: { width, height, part } }) {
  const [q0, q1, k0, k1] = part;
  return Math.max((q1 - q0) / height, (k1 - k0) / width) / devicePixelRatio;
}

/** @param {HTMLElement} root @param {string} selector */
function placeIn(root, selector) {
  const found = root.querySelector(selector);
  return found instanceof HTMLElement ? found : null;
}

/** Take no focus from a pointer: after a click the arrow keys of the page walk the heads. @param {HTMLElement} plot */
function leaveKeys(plot) {
  plot.addEventListener("pointerdown", () => plot.blur());
  plot.addEventListener("focus", () => {
    if (!plot.matches(":focus-visible")) plot.blur();
  });
}

/** @param {unknown} error */
function report(error) {
  console.error(NOT_DRAWN, error);
}

export { heatmap as make, save };
