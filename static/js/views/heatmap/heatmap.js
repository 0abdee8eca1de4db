// The selected head: by plotly where the page has it and the text is short, otherwise on a canvas.

import { make } from "../../dom/dom.js";
import { legendItems } from "../../dom/hatching.js";
import { palette } from "../../dom/palette.js";
import { widthInText } from "../../draw/axes.js";
import { boxIn, cellIn, partOf, showing, zoomOf } from "../../draw/viewport.js";
import { blockedIn, detailOf } from "../../numbers/detail.js";
import { canvasPainter } from "./canvas.js";
import { paperScene } from "./paper.js";
import { pictureOf, pointedIn, sizeOf } from "./picture.js";
import { afterFrame, isLarge } from "./plotly.js";
import { plotlyPainter } from "./plotted.js";
import { vectorsPainter } from "./vectors.js";
import { walking } from "./walking.js";
import { label, NOT_DRAWN } from "./words.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("./picture.js").Detail} Detail */
/** @typedef {[query: number, key: number]} Cell */

const MIN_SIDE = 160; // pixels: plotly throws if its margins leave no room, and does not recover
const MIN_WIDTH = 120; // pixels of a picture in a text: on less nothing can be seen

/**
 * @param {HTMLElement} root may hold the places of its pictures (.plot, and .vectors for q, k and v) among controls of the page
 * @param {Store} store
 * @param {import("../view.js").Page} page
 */
export function heatmap(root, store, { inText = false, onCell, onVector, onVectors }) {
  const plot = placeIn(root, ".plot") ?? root.appendChild(make("div", { class: "plot" }));
  plot.classList.toggle("in-text", inText);
  const beside = placeIn(root, ".vectors");
  let drawn = Promise.resolve();
  let turn = 0; // only the newest picture is drawn
  let veiled = store.state.segments; // the block that the canvas shows
  /** Where the arrow keys are; in a text the pointer, too. @type {Cell | null} */
  let cell = null;

  /** @param {Cell | null} next */
  const go = (next) => {
    if (String(next) === String(cell)) return;
    cell = next;
    onCell?.(cell);
    if (cell) reveal(cell);
    mark();
  };
  /** Move the visible part to a cell. @param {Cell} cell */
  const reveal = (cell) => {
    const detail = detailOf(store.state);
    if (!detail || inText || !store.state.zoom) return;
    const [rows, cols] = [detail.queries.length, detail.keys.length];
    const part = showing(partOf(store.state.zoom, rows, cols), cell);
    onZoom(zoomOf(part, rows, cols));
  };
  /** @param {import("../../draw/viewport.js").Part | null} zoom */
  const onZoom = (zoom) => {
    if (String(zoom) !== String(store.state.zoom)) store.update({ zoom });
  };
  /** @param {Cell} cell */
  const onChoose = ([query, key]) => store.update({ query, key });
  const on = { onCell: inText ? go : (onCell ?? (() => {})), onChoose, onZoom };
  const canvas = canvasPainter(plot, { ...on, inText });
  const plotted = plotlyPainter(plot, on);
  const vectors = beside && vectorsPainter(beside, store, { onVector, onVectors });

  const draw = () => {
    turn += 1;
    const mine = turn;
    if (!detailOf(store.state)) return;
    drawn = drawn.then(() => paint(() => mine === turn)).catch(report);
  };

  /** Whether the picture fits; in a text it takes the room that it needs. @param {import("./picture.js").Picture} picture */
  const hasRoom = ({ labels }) => {
    if (!inText) return Math.min(plot.clientWidth, plot.clientHeight) >= MIN_SIDE;
    plot.style.setProperty("--room", `${widthInText(labels)}px`);
    return plot.clientWidth >= MIN_WIDTH;
  };

  /** @param {Detail} detail */
  const pointed = (detail) => ({ ...pointedIn(store.state, detail), cell });

  /** @param {() => boolean} wanted whether no newer picture is needed */
  const paint = async (wanted) => {
    const detail = detailOf(store.state);
    const picture = detail && pictureOf(store.state, detail);
    if (!wanted() || !picture || !hasRoom(picture)) return; // the last picture stays
    const { rows, cols } = sizeOf(picture);
    if (cell && (cell[0] >= rows || cell[1] >= cols)) cell = null;
    const zoom = inText ? null : store.state.zoom;
    if (!plotted.ready() || isLarge(detail) || picture.numbered) {
      plotted.clear();
      canvas.draw(picture, zoom, pointed(detail));
    } else {
      await afterFrame(); // let the canvas appear first
      if (!wanted()) return;
      canvas.clear();
      await plotted.draw(picture, zoom, pointed(detail));
    }
    plot.setAttribute("aria-label", label({ rows, cols }));
    await vectors?.draw(wanted);
  };

  const mark = () => {
    const detail = detailOf(store.state);
    if (!detail || store.state.view !== "heatmap") return; // it is redrawn when it is opened again
    canvas.mark(pointed(detail));
    plotted.mark(detail, pointed(detail));
  };

  walking(plot, {
    size: () => {
      const detail = detailOf(store.state);
      return detail && { rows: detail.queries.length, cols: detail.keys.length, row: detail.row };
    },
    ...{ cell: () => cell, go, choose: onChoose },
  });
  if (!inText) leaveKeys(plot);

  store.watch(["detail", "shown", "matrix", "scheme", "scale", "log", "view", "depth"], () => {
    if (store.state.view === "heatmap") draw(); // another view is open
  });
  store.watch(["hover", "query", "segments"], ({ segments, view }) => {
    const other = segments !== veiled;
    veiled = segments;
    if (other && view === "heatmap" && !plotted.frame()) draw();
    else mark();
  });
  store.watch(["zoom"], ({ zoom }) => {
    if (!plotted.zoomTo(zoom)) draw();
  });
  const resized = new ResizeObserver(() => {
    if (store.state.view === "heatmap") draw();
  });
  resized.observe(plot);
  if (beside) resized.observe(beside);

  const frame = () => plotted.frame() ?? canvas.frame();
  return {
    /**
     * The cell at a point of the window, in plotly's picture or on the canvas.
     * @param {number} clientX
     * @param {number} clientY
     * @returns {Cell | null} null outside the cells
     */
    cellAt: (clientX, clientY) => {
      const shown = frame();
      return shown && cellIn(shown, clientX, clientY);
    },
    /**
     * The visible part of a cell, in the window; null if it is not visible.
     * @param {number} query
     * @param {number} key
     */
    boxOf: (query, key) => {
      const shown = frame();
      return shown && boxIn(shown, query, key);
    },
    /** Resolves once the current selection is drawn. */
    drawn: async () => {
      let last;
      do {
        last = drawn;
        await last;
      } while (last !== drawn);
    },
    scene: () => paperScene(store.state),
    /** What its hatching means, on paper. */
    legend: () => {
      const detail = detailOf(store.state);
      const { hatch } = palette("light");
      const bits = detail ? blockedIn(detail, store.state.matrix).data : new Uint8Array();
      return make("ul", { class: "legend" }, legendItems(bits, hatch, 3));
    },
    /** @param {any} library */
    usePlotly: (library) => {
      plotted.use(library);
      vectors?.use(library);
      draw();
    },
  };
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
