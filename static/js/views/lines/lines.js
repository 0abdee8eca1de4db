// Queries on the left, keys on the right, and lines between them as strong as the pattern. The lines of all rows are on one
// canvas; the tokens with their numbers, and the lines of a token that is pointed at, on another, so that pointing redraws only that.

import { drawScene } from "../../dom/canvas.js";
import { make, unique, write } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { steady } from "../../dom/steady.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { sentences } from "../../language/gettext.js";
import { blockedIn } from "../../numbers/detail.js";
import { lastToken, seenOf } from "../../numbers/units.js";
import { modelIn } from "../../state/choice.js";
import { isLimited } from "../../state/matrices.js";
import { overlaid, toggled } from "../../state/overlay.js";
import { linesNumbers } from "./numbers.js";
import { paperOf } from "./paper.js";
import { focusOf, pictureOf, sidesOf } from "./picture.js";
import { pointing, walking } from "./pointer.js";
import { overlayRequest } from "./request.js";
import { save } from "./save.js";
import * as scenes from "./scene.js";
import { linesOf } from "./strengths.js";
import { linesTools } from "./tools.js";
import { NO_NUMBERS, notes, sideNames } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Picture, Pointed } from "./picture.js" */
/** @typedef {import("../../numbers/units.js").Seen} Detail */

const MIN_WIDTH = 160; // pixels: a narrower picture shows nothing

/**
 * @param {HTMLElement} panel
 * @param {Store} store
 * @param {import("../view.js").Page} page
 */
export function lines(panel, store, { retry, onCell }) {
  panel.classList.add("lines-view");
  const tools = make("div", { class: "lines-tools" });
  tools.dataset.only = "full";
  const plot = make("div", { class: "lines-plot" });
  const all = make("canvas", { class: "lines-all" });
  const over = make("canvas");
  const about = make("p", { class: "lines-said faint" });
  about.id = unique("lines-said");
  plot.append(all, over);
  const press = steady(plot);
  const numbers = linesNumbers();
  panel.append(tools, numbers.line, plot, about, numbers.table);
  linesTools(store, tools, retry);

  /** It leaves special tokens out itself. */
  const seen = () => seenOf(store.state, { whole: true });
  /** @type {{picture: Picture, detail: Detail, geometry: import("./scene.js").Geometry, drawn: import("./strengths.js").Drawn} | null} */
  let held = null; // as it is drawn
  /** Draw everything from the answers. */
  const draw = () => press.whenFree(drawNow);
  const drawNow = () => {
    const { state, detail } = seen();
    if (state.view !== "lines" || !detail) return;
    if (isLimited(state.matrix) && !detail[state.matrix]) return; // it comes after the other tensors
    const model = modelIn(state);
    const waiting = state.overlays?.status !== "ready" && state.overlays?.status !== "error";
    if (waiting && overlayRequest(state, model)) return; // keep the last picture
    const width = plot.clientWidth;
    if (width < MIN_WIDTH) return;
    const picture = pictureOf(
      state,
      detail,
      blockedIn(detail, state.matrix),
      overlaid(state, model),
    );
    if (!picture) return clear();
    const { shown, series, faded } = picture;
    const tokens = Math.max(shown.from.length, shown.to.length);
    const height = Math.floor(scenes.heightFor(tokens, roomFor(plot)));
    plot.style.height = `${height}px`;
    const of = { queries: detail.queries.length, keys: detail.keys.length };
    const geometry = scenes.geometryOf({ width, height, shown, of });
    const drawn = linesOf(series, shown, faded);
    held = { picture, detail, geometry, drawn };
    const marks = scenes.lineMarks(drawn, series, geometry, colours(), lineFor(geometry));
    place(all, { width, height, marks, ground: colours().paper.panel });
    isolate();
  };

  /** Draw the tokens and, if a token is pointed at or pinned, its lines alone. */
  const isolate = () => {
    const { state } = seen();
    if (!held || state.view !== "lines") return;
    const { picture, detail, geometry, drawn } = held;
    const pinned = pinsOf(state, detail);
    const focus = focusOf(picture, here(detail), pinned);
    const sides = sidesOf(picture, focus, detail);
    const isolated = focus.kind !== "all";
    const some = isolated ? linesOf(picture.series, focus.part, picture.faded) : drawn;
    const { series } = picture;
    const look = colours();
    plot.classList.toggle("isolated", isolated);
    place(over, {
      width: geometry.width,
      height: geometry.height,
      marks: [
        ...(isolated
          ? scenes.lineMarks(some, series, geometry, look, lineFor(geometry) + 0.5)
          : []),
        ...scenes.nameMarks(sides, sideNames(detail.site.kind), geometry, look.paper),
        ...scenes.sideMarks("queries", sides.queries, series, geometry, look),
        ...scenes.sideMarks("keys", sides.keys, series, geometry, look),
      ],
      ground: "transparent",
    });
    const hidden = pinned.filter((pin) => pin < detail.queries.length).length - focus.pins.length;
    write(about, sentences(notes(picture, some, hidden)));
    numbers.show(picture, focus, detail);
  };

  const colours = () => palette(store.state.scheme);

  /** The token that is pointed at, here or in another view, which knows no sides: there it is a query if it can be one. @param {Detail} detail @returns {Pointed | null} */
  const here = ({ site }) => {
    const { hover } = seen().state;
    if (!hover) return null;
    const isQuery = hover.role ? hover.role === "query" : hover.axis === site.query_tokens;
    const side = isQuery ? "queries" : "keys";
    return side === "keys" && hover.axis !== site.key_tokens ? null : { side, place: hover.place };
  };

  /** @param {Pointed | null} token */
  const point = (token) => {
    if (!held) return;
    const { query_tokens, key_tokens } = held.detail.site;
    const isQuery = token?.side === "queries";
    const at = isQuery
      ? { axis: query_tokens, role: /** @type {const} */ ("query") }
      : { axis: key_tokens, role: /** @type {const} */ ("key") };
    const place = token && lastToken(held.detail.words?.[token.side], token.place);
    store.update({ hover: place === null ? null : { ...at, place } });
    onCell?.(place !== null && isQuery ? [place, place] : null); // a long text needs the exact row
  };

  /** @param {Pointed | null} token */
  const pin = (token) => {
    if (!held || token?.side !== "queries") return;
    const { pinned } = store.state;
    const place = lastToken(held.detail.words?.queries, token.place);
    const others = pinned.filter((one) => one !== place);
    const next = others.length < pinned.length ? others : [...pinned, place];
    store.update({ pinned: next, query: place });
  };

  pointing(plot, () => held, point, pin);
  walking(
    plot,
    about.id,
    () => held,
    () => (held ? here(held.detail) : null),
    point,
    pin,
    () => store.update({ hover: null, pinned: [] }),
  );

  const clear = () => {
    held = null;
    for (const canvas of [all, over]) canvas.height = 0;
    numbers.clear();
    write(about, NO_NUMBERS);
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
  const how = /** @type {const} */ (["overlay", "mass", "specials", "segments", "units"]);
  store.watch([...from, ...how], draw);
  store.watch(["hover", "pinned", "query", "next", "depth"], () => {
    const { detail } = seen();
    if (held && detail?.site === held.detail.site) held = { ...held, detail }; // which has the row of the query
    isolate();
  });
  let drawnWidth = 0; // only the width matters: the picture sets its own height
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === drawnWidth) return;
    drawnWidth = contentRect.width;
    draw();
  }).observe(panel);

  return {
    /** Resolves once the current selection is drawn: here at once, unless the picture is pressed. */
    drawn: press.released,
    /** The picture for a file; null if there is none yet. @param {import("../../draw/pictures/look.js").Look} [look] @returns {import("../../draw/scene.js").Scene | null} */
    scene: ({ scheme, width } = LIGHT) => {
      if (!held || store.state.view !== "lines") return null;
      const { picture, detail } = held;
      const focus = focusOf(picture, null, pinsOf(seen().state, detail));
      return paperOf(picture, focus, detail, palette(scheme), width);
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

/**
 * The queries whose lines are drawn alone: those that are pinned. Where there are few controls, and no pin, that is the row that is read.
 * @param {Pick<import("../../types.d.ts").State, "pinned" | "depth">} state
 * @param {Detail} detail
 */
const pinsOf = ({ pinned, depth }, { row }) =>
  depth === "full" || depth === "embed" || pinned.length > 0 ? pinned : [row];

/** How high the picture can be, in pixels. @param {HTMLElement} plot */
function roomFor(plot) {
  plot.style.height = "0";
  plot.classList.add("growing");
  const room = plot.clientHeight;
  plot.classList.remove("growing");
  return room;
}

/** Thinner where tokens stand close. @param {import("./scene.js").Geometry} geometry */
const lineFor = ({ queries, keys }) => (Math.min(queries.row, keys.row) < 6 ? 1 : 1.5);

/** @type {import("../view.js").Keys} */
export const keys = {
  h: ({ overlay, layer, head }) => ({ overlay: toggled(overlay, [layer, head]) }),
};
export { lines as make, save };
