// Two heads and their difference: A, which the reader holds; B, the current selection; and B − A.

import { getModels } from "../../api/api.js";
import { busyWith } from "../../dom/busy.js";
import { drawScene, enlarged } from "../../dom/canvas.js";
import { make, write } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { tryAgain } from "../../dom/problem.js";
import { steady } from "../../dom/steady.js";
import { PAD } from "../../draw/pictures/frame.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { lastToken, seenAt } from "../../numbers/units.js";
import { modelIn } from "../../state/choice.js";
import { legend, lineOf, table } from "./cells.js";
import { pictured, sceneOf } from "./comparison.js";
import { cellAt } from "./difference.js";
import { differing } from "./differing.js";
import { flipButton } from "./flip.js";
import { holdingTools } from "./held.js";
import { cellUnder, highlightsOf, sizesOf } from "./places.js";
import { isWholeApart } from "./request.js";
import { save } from "./save.js";
import { sizes } from "./sizes.js";
import { highlightMarks } from "./triptych.js";
import { LEGEND, PICTURE, PROBLEMS, sentence, WELCOME } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Against, State } from "../../types.d.ts" */
/** @import { Picture } from "./comparison.js" */

/** What a comparison is drawn from. */
const CAUSES = /** @type {const} */ ([
  "view",
  "against",
  "other",
  "whole",
  "detail",
  "status",
  "shown",
  "matrix",
  "scheme",
  "scale",
  "steps",
  "depth",
  "units",
]);
const SAVED_WIDTH = 1080; // pixels
const MIN_WIDTH = 200; // pixels: a narrower picture shows nothing

/**
 * @param {HTMLElement} view
 * @param {Store} store
 * @param {import("../view.js").Page} page
 */
export function compare(view, store, { retry, holds = false }) {
  view.classList.add("compare-view");
  const what = make("p", { class: "compare-what" });
  what.setAttribute("role", "status");
  const trouble = make("p", { class: "compare-trouble" });
  const again = tryAgain(retry);
  const line = make("p", { class: "readout compare-line" });
  const canvas = make("canvas");
  canvas.setAttribute("role", "img");
  const over = make("canvas", { class: "compare-over" });
  over.setAttribute("aria-hidden", "true");
  const stage = make("div", { class: "compare-stage" }, [canvas, over]);
  const prediction = make("p", { class: "compare-said" });
  const marks = make("ul", { class: "legend" });
  marks.setAttribute("aria-label", LEGEND.label);
  const cells = make("div", { class: "compare-cells" });
  const result = make("div", { class: "compare-result" }, [stage, line, marks, prediction, cells]);
  const flip = flipButton(store, holds ? "z" : null);
  const head = make("div", { class: "compare-head" }, [what, flip]);
  view.append(...(holds ? [holdingTools(store)] : []), head, sizes(store), trouble, again, result);

  const press = steady(stage);

  /** @type {Picture | null} */
  let picture = null; // as it is drawn
  /** @type {import("./triptych.js").Triptych | null} */
  let drawing = null;
  /** @type {number | null} */
  let lit = null; // the highlighted cell of the difference
  let drawn = Promise.resolve();
  let width = 0;

  // after all other listeners: by then the status of every answer is up to date
  const soon = () => press.whenFree(drawSoon);
  const drawSoon = () => {
    drawn = Promise.resolve().then(draw).catch(report);
  };

  const draw = async () => {
    const { state } = store;
    if (state.view !== "compare") return;
    const { against, other, whole } = state;
    if (!against) return refuse(WELCOME, "");
    const words = sentence(differing(against, state));
    const asked = isWholeApart(state) ? [other, whole] : [other];
    const waits = [state, ...asked].some((one) => one?.status === "loading");
    if (waits) {
      if (!picture) show(words, waiting(state, against), false);
      return;
    }
    const failed = asked.find((one) => one?.status === "error");
    if (failed) {
      const side = failed === other ? "A" : "B";
      refuse(words, PROBLEMS.refused(side, failed.problem?.message ?? ""));
      again.hidden = !failed.problem?.retry;
      return;
    }
    if (state.status !== "ready" || asked.some((one) => !one?.answer)) return; // the page shows what is wrong
    if (modelIn({ ...state, model: against.model }).state !== "ready") return learn(against.model);
    const next = pictured(state, against);
    if (!next) return; // still loading
    if (typeof next === "string") return refuse(words, next);
    const before = picture?.compared.matrix;
    const { rows, cols } = next.compared.matrix;
    if (before?.rows !== rows || before.cols !== cols) lit = null; // otherwise the pointer may still be on the cell
    picture = next;
    show(words, "", true);
    paint();
  };

  /** Show the reason why there is no picture. @param {string} words @param {string} problem */
  const refuse = (words, problem) => {
    picture = drawing = null;
    show(words, problem, false);
  };

  /** @param {string} words @param {string} problem @param {boolean} hasPicture */
  const show = (words, problem, hasPicture) => {
    write(what, words);
    write(trouble, problem);
    trouble.hidden = !problem;
    again.hidden = true;
    result.hidden = flip.hidden = !hasPicture;
  };

  /** The model of A has been loaded: fetch its description. @param {string} name */
  const learn = async (name) => {
    const models = await getModels(name, new AbortController().signal);
    store.update({ models });
    if (modelIn({ models, model: name }).state === "ready") return;
    const { against } = store.state;
    if (!against) return;
    refuse(sentence(differing(against, store.state)), PROBLEMS.notKept(name));
    again.hidden = false;
  };

  const paint = () => {
    width = stage.clientWidth;
    if (!picture || width < MIN_WIDTH) return;
    paintStage(picture);
    write(prediction, picture.predicted);
    marks.replaceChildren(...legend(picture, palette(store.state.scheme)));
    const focused = [...cells.querySelectorAll("button")].findIndex((one) => one.matches(":focus"));
    cells.replaceChildren(table(picture, { point, choose }));
    point(lit);
    cells.querySelectorAll("button")[focused]?.focus(); // keep the keyboard focus
  };

  /** @param {Picture} picture */
  const paintStage = (picture) => {
    drawing = sceneOf(store.state, picture, width);
    const { scene } = drawing;
    drawScene(canvas, scene);
    // the position of the cells, for tests and scripts
    canvas.dataset.plots = drawing.plots.map((plot) => placeOf(plot).join(" ")).join(";");
    canvas.style.width = `${scene.width}px`;
    canvas.style.height = `${scene.height}px`;
    canvas.setAttribute("aria-label", PICTURE.label(sentence(picture.differences)));
    canvas.dataset.flipped = String(store.state.flipped);
  };

  /** A in the place of B, or B again. */
  const flipPicture = () => {
    if (!picture || !drawing) return;
    paintStage(picture);
    light();
  };

  /** Highlight a cell and describe it. @param {number | null} at a cell of the difference */
  const point = (at) => {
    lit = at;
    if (!picture) return;
    const { a, b, compared: both } = picture;
    if (at === null) write(line, picture.note ? PICTURE.restWith(picture.note) : PICTURE.rest);
    else write(line, lineOf(cellAt(both, a, b, at), a, b));
    light();
  };

  const light = () => {
    if (!picture || !drawing || store.state.view !== "compare") return;
    const { scene, plots } = drawing;
    const { hover, flipped, scheme } = store.state;
    const here = hover?.axis === picture.axis ? hover.place : null;
    const row = here === null ? picture.row : seenAt(picture, [here, here])[0];
    const highlights = highlightsOf(picture, { row, lit, flipped });
    const sizes = sizesOf(picture, flipped);
    const marks = highlightMarks(plots, sizes, highlights, palette(scheme).accent);
    drawScene(over, { ...scene, ground: "transparent", marks });
    over.style.width = `${scene.width}px`;
    over.style.height = `${scene.height}px`;
  };

  /** Read the row of a cell. @param {number} at */
  const choose = (at) => {
    if (!picture) return;
    const { query } = cellAt(picture.compared, picture.a, picture.b, at);
    if (query.b !== null) store.update({ query: lastToken(picture.words?.queries, query.b) });
  };

  /** The cell of the difference at a point of the window. @param {PointerEvent | MouseEvent} event */
  const under = ({ clientX, clientY }) => {
    if (!picture || !drawing) return null;
    const { left, top } = canvas.getBoundingClientRect();
    const scale = enlarged(canvas);
    const point = { x: (clientX - left) / scale, y: (clientY - top) / scale };
    return cellUnder(picture, drawing.plots, store.state.flipped, point);
  };
  canvas.addEventListener("pointermove", (event) => point(under(event)));
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => {
    const at = under(event);
    if (at === null) return;
    choose(at);
    point(at); // a finger points by tapping
  });

  busyWith(result, store, ["status", "other", "whole"]);
  store.watch(CAUSES, soon);
  store.watch(["flipped"], flipPicture);
  store.watch(["hover"], light);
  new ResizeObserver(() => {
    if (store.state.view === "compare" && stage.clientWidth !== width) press.whenFree(paint);
  }).observe(stage);

  return {
    /** Resolves once the current selection is drawn. */
    drawn: () => press.released().then(() => drawn),
    /** The picture for a file; null if there is none yet. @param {import("../../draw/pictures/look.js").Look} [look] @returns {import("../../draw/scene.js").Scene | null} */
    scene: ({ scheme, width, bar = true } = LIGHT) => {
      const state = { ...store.state, scheme };
      const room = width === undefined ? SAVED_WIDTH : Math.max(MIN_WIDTH, width - 2 * PAD);
      return picture ? sceneOf(state, picture, room, { alone: true, bar }).scene : null;
    },
  };
}

/** What to say while A is not there yet. @param {Readonly<State>} state @param {Against} against */
function waiting(state, against) {
  const { state: progress } = modelIn({ ...state, model: against.model });
  return progress === "ready" ? "" : PROBLEMS.loading(against.model);
}

/** @param {import("../../draw/axes.js").Place} place */
const placeOf = ({ x, y, width, height }) => [x, y, width, height];

/** @param {unknown} error */
function report(error) {
  console.error("The comparison could not be drawn:", error);
}

/** @type {import("../view.js").Keys} */
export const keys = { z: () => ({ flipped: true }) };
/** @type {import("../view.js").Releases} */
export const releases = { z: () => ({ flipped: false }) };
export { compare as make, save };
