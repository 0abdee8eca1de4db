// Tokens left and right, and lines between them as strong as the pattern. The lines of all rows stand on one canvas; what is
// isolated, the tokens and their numbers on another, so that pointing at a token redraws only those.

import { drawScene } from "../../dom/canvas.js";
import { make, unique } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { blockedIn, detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { isLimited } from "../../state/matrices.js";
import { overlaid } from "../../state/overlay.js";
import { overlayRequest } from "./heads.js";
import { linesNumbers } from "./numbers.js";
import { paperOf } from "./paper.js";
import { focusOf, pictureOf, sidesOf } from "./picture.js";
import { pointing, walking } from "./pointer.js";
import * as scenes from "./scene.js";
import { linesOf } from "./strengths.js";
import { linesTools } from "./tools.js";
import { said } from "./words.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("./picture.js").Picture} Picture */
/** @typedef {import("./picture.js").Pointed} Pointed */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */

const MIN_WIDTH = 160; // pixels: narrower than that there is no picture

/**
 * @param {HTMLElement} panel
 * @param {Store} store
 * @param {import("../view.js").Page} page
 */
export function lines(panel, store, { retry }) {
  panel.classList.add("lines-view");
  const tools = make("div", { class: "lines-tools" });
  const plot = make("div", { class: "lines-plot" });
  const all = make("canvas", { class: "lines-all" });
  const over = make("canvas");
  const words = make("p", { class: "lines-said faint" });
  words.id = unique("lines-said");
  plot.append(all, over);
  const numbers = linesNumbers();
  panel.append(tools, numbers.line, plot, words, numbers.table);
  linesTools(store, tools, retry);

  /** @type {{picture: Picture, detail: Detail, geometry: import("./scene.js").Geometry, drawn: import("./strengths.js").Drawn} | null} */
  let held = null;
  /** @type {Pointed | null} */
  let pointed = null; // here; a token that another view points at has no side

  /** Everything, from the answers. */
  const draw = () => {
    const { state } = store;
    const detail = detailOf(state);
    if (state.view !== "lines" || !detail) return;
    if (isLimited(state.matrix) && !detail[state.matrix]) return; // it comes after the other tensors
    const model = modelIn(state);
    const waiting = state.overlays?.status !== "ready" && state.overlays?.status !== "error";
    if (waiting && overlayRequest(state, model)) return; // the last picture stays
    const width = plot.clientWidth;
    if (width < MIN_WIDTH) return;
    const picture = pictureOf(
      state,
      detail,
      blockedIn(detail, state.matrix),
      overlaid(state, model),
    );
    if (!picture) return unable();
    const { shown, series, back } = picture;
    const tokens = Math.max(shown.from.length, shown.to.length);
    const height = Math.floor(scenes.heightFor(tokens, roomFor(plot)));
    plot.style.height = `${height}px`;
    const of = { queries: detail.queries.length, keys: detail.keys.length };
    const geometry = scenes.geometryOf({ width, height, shown, of });
    const drawn = linesOf(series, shown, back);
    held = { picture, detail, geometry, drawn };
    const marks = scenes.lineMarks(drawn, series, geometry, colours(), lineFor(geometry));
    place(all, { width, height, marks, ground: colours().paper.panel });
    isolate();
  };

  /** What is under the pointer, or pinned, or nothing. */
  const isolate = () => {
    const { state } = store;
    if (!held || state.view !== "lines") return;
    const { picture, detail, geometry, drawn } = held;
    const focus = focusOf(picture, here(detail), state.pinned);
    const sides = sidesOf(picture, focus, detail);
    const alone = focus.kind !== "all";
    const some = alone ? linesOf(picture.series, focus.part, picture.back) : drawn;
    const { series } = picture;
    const look = colours();
    plot.classList.toggle("isolated", alone);
    place(over, {
      width: geometry.width,
      height: geometry.height,
      marks: [
        ...(alone ? scenes.lineMarks(some, series, geometry, look, lineFor(geometry) + 0.5) : []),
        ...scenes.nameMarks(sides, textsOf(detail), geometry, look.paper),
        ...scenes.sideMarks("queries", sides.queries, series, geometry, look),
        ...scenes.sideMarks("keys", sides.keys, series, geometry, look),
      ],
      ground: "transparent",
    });
    const hidden =
      state.pinned.filter((pin) => pin < detail.queries.length).length - focus.pins.length;
    words.textContent = said(picture, some, hidden).join(" ");
    numbers.show(picture, focus, detail);
  };

  const colours = () => palette(store.state.scheme);

  /** The token that is pointed at; from another view, where it looks if it does. @param {Detail} detail @returns {Pointed | null} */
  const here = ({ site }) => {
    const { hover } = store.state;
    if (!hover) return null;
    if (pointed && pointed.place === hover.place && axisOf(pointed, site) === hover.axis)
      return pointed;
    const side = hover.axis === site.query_tokens ? "queries" : "keys";
    return side === "keys" && hover.axis !== site.key_tokens ? null : { side, place: hover.place };
  };

  /** @param {Pointed | null} token */
  const point = (token) => {
    if (!held) return;
    pointed = token;
    const { hover } = store.state;
    const next = token && { axis: axisOf(token, held.detail.site), place: token.place };
    if (hover?.axis === next?.axis && hover?.place === next?.place)
      isolate(); // another side
    else store.update({ hover: next });
  };

  /** @param {Pointed | null} token */
  const pin = (token) => {
    if (!held || token?.side !== "queries") return;
    const { pinned } = store.state;
    const { place } = token;
    const others = pinned.filter((one) => one !== place);
    const next = others.length < pinned.length ? others : [...pinned, place];
    store.update({ pinned: next, query: place });
  };

  pointing(plot, () => held, point, pin);
  walking(
    plot,
    words.id,
    () => held,
    () => (held ? here(held.detail) : null),
    point,
    pin,
    () => {
      pointed = null;
      store.update({ hover: null, pinned: [] });
    },
  );

  const unable = () => {
    held = null;
    for (const canvas of [all, over]) canvas.height = 0;
    numbers.clear();
    words.textContent = "There is nothing to draw: the numbers of this head are not here.";
  };

  const from = /** @type {const} */ ([
    "detail",
    "overlays",
    "shown",
    "matrix",
    "scheme",
    "scale",
    "view",
  ]);
  const how = /** @type {const} */ (["overlay", "mass", "specials", "segments"]);
  store.watch([...from, ...how], draw);
  store.watch(["hover", "pinned", "query"], ({ hover }) => {
    if (!hover) pointed = null;
    const detail = detailOf(store.state);
    if (held && detail?.site === held.detail.site) held = { ...held, detail }; // the row that is read is of the query
    isolate();
  });
  let wide = 0; // as it was drawn: its height is of our own making
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === wide) return;
    wide = contentRect.width;
    draw();
  }).observe(panel);

  return {
    /** Resolves when what is selected now has been drawn. */
    drawn: () => Promise.resolve(),
    /** The picture as a file has it; null while there is none. @returns {import("../../draw/scene.js").Scene | null} */
    scene: () => {
      if (!held || store.state.view !== "lines") return null;
      const { picture, detail } = held;
      const focus = focusOf(picture, null, store.state.pinned);
      return paperOf(picture, focus, detail, textsOf(detail), palette("light")); // papers are white
    },
  };

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{width: number, height: number, marks: import("../../draw/scene.js").Mark[], ground: string}} part
   */
  function place(canvas, part) {
    const { font } = colours().paper;
    drawScene(canvas, { ...part, font, title: "" });
    canvas.style.width = `${part.width}px`;
    canvas.style.height = `${part.height}px`;
  }
}

/** The pixels that the page leaves it. @param {HTMLElement} plot */
function roomFor(plot) {
  plot.style.height = "0";
  plot.classList.add("growing");
  const room = plot.clientHeight;
  plot.classList.remove("growing");
  return room;
}

/** Thinner where tokens stand close. @param {import("./scene.js").Geometry} geometry */
const lineFor = ({ queries, keys }) => (Math.min(queries.row, keys.row) < 6 ? 1 : 1.5);

/** @param {Pointed} token @param {Detail["site"]} site */
const axisOf = ({ side }, site) => (side === "queries" ? site.query_tokens : site.key_tokens);

/** Which text each side is of, where they are two. @param {Detail} detail */
const textsOf = ({ site }) =>
  site.kind === "cross" ? { query: "target ", key: "source " } : { query: "", key: "" };
