// The queries and keys of the selected head in one plane: of the text, or of many sentences. A click on a point shows its token.

import { busyWith } from "../../dom/busy.js";
import { drawMarks, enlarged, fit } from "../../dom/canvas.js";
import { make, unique, write } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { tryAgain } from "../../dom/problem.js";
import { label, shorten } from "../../words/format.js";
import { FEW, jumpTo, marksOf, nearest, placed, selectedIn, spaceIn, weightsIn } from "./plane.js";
import { spaceRequest } from "./request.js";
import { save } from "./save.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const HEIGHT = 300; // pixels
const LABEL = 24; // characters of the token under the pointer

/** @param {HTMLElement} panel @param {Store} store @param {() => void} retry */
export function space(panel, store, retry) {
  const canvas = make("canvas", { class: "space-plane", title: words.TITLE });
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "slider");
  canvas.setAttribute("aria-label", words.LABEL);
  canvas.setAttribute("aria-valuenow", "0");
  const tip = make("span", { class: "space-tip" });
  tip.setAttribute("aria-hidden", "true"); // the slider says it
  const plane = make("div", { class: "space-box" }, [canvas, tip]);
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const again = tryAgain(retry);
  const honest = make("p", { class: "source" });
  const scale = make("span", { class: "scale" }, [
    make("span", { text: words.LEGEND.from }),
    make("i"),
    make("span", { text: words.LEGEND.to }),
  ]);
  const legend = make("p", { class: "space-legend" }, [
    make("span", { class: "query", text: words.LEGEND.query }),
    make("span", { class: "key", text: words.LEGEND.key }),
    scale,
  ]);
  const choices = make("div", { class: "space-settings" }, [
    segments(store, "space_of", words.OF, words.SETS),
    segments(store, "space_by", words.BY, words.COLOURS),
  ]);
  panel.append(choices, summary, again, plane, legend, honest);

  /** The point under the pointer, or that the keys have come to. @type {number | null} */
  let at = null;
  /** @type {import("./plane.js").Place[]} */
  let places = [];
  const found = () => spaceIn(store.state);
  const meant = () => {
    const now = found();
    return now === null ? null : (at ?? selectedIn(store.state, now));
  };
  /** @param {number | null} index */
  const point = (index) => {
    if (index === at) return;
    at = index;
    draw();
  };
  const go = () => {
    const now = found();
    if (now && at !== null) store.update(jumpTo(store.state, now, at));
  };
  canvas.addEventListener("pointermove", (event) => {
    const { left, top, width } = canvas.getBoundingClientRect();
    const fine = canvas.clientWidth / width; // the page may be enlarged
    point(nearest(places, { x: (event.clientX - left) * fine, y: (event.clientY - top) * fine }));
  });
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("blur", () => point(null));
  canvas.addEventListener("click", go);
  canvas.addEventListener("keydown", (event) => {
    const n = found()?.points.length ?? 0;
    if (n === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const now = meant() ?? 0;
    /** @type {Record<string, number>} */
    const to = {
      ArrowLeft: now - 1,
      ArrowUp: now - 1,
      ArrowRight: now + 1,
      ArrowDown: now + 1,
      Home: 0,
      End: n - 1,
    };
    if (event.key !== "Enter" && !(event.key in to)) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys walk the heads
    if (event.key === "Enter") return go();
    point(Math.max(0, Math.min(n - 1, to[event.key])));
  });

  const draw = () => {
    const now = found();
    const width = canvas.clientWidth;
    if (!now || width === 0) return;
    const colours = palette(store.state.scheme);
    const fine = devicePixelRatio * enlarged(canvas);
    fit(canvas, { width: Math.round(width * fine), height: Math.round(HEIGHT * fine) });
    const drawing = canvas.getContext("2d");
    if (!drawing) return;
    places = placed(now.points, { width, height: HEIGHT });
    const index = meant();
    legend.dataset.by = store.state.space_by;
    scale.hidden = store.state.space_by !== "position";
    drawing.setTransform(fine, 0, 0, fine, 0, 0);
    drawing.clearRect(0, 0, width, HEIGHT);
    const weights = weightsIn(store.state, now, index);
    const look = { by: store.state.space_by, meant: index, weights, colours };
    drawMarks(drawing, marksOf(now, places, look), colours.paper.font);
    canvas.setAttribute("aria-valuemin", "0");
    canvas.setAttribute("aria-valuemax", String(now.points.length - 1));
    canvas.setAttribute("aria-valuenow", String(index ?? 0));
    const said = index === null ? words.HINT : words.inWords(now, now.points[index]);
    canvas.setAttribute("aria-valuetext", said);
    write(summary, said);
    tip.hidden = index === null || now.points.length <= FEW; // each has its name then
    if (index === null) return;
    write(tip, shorten(label({ text: now.points[index].token }), LABEL));
    tip.style.left = `${places[index].x}px`;
    tip.style.top = `${places[index].y}px`;
    tip.classList.toggle("before", places[index].x > width / 2);
  };

  busyWith(panel, store, ["space"]);
  store.watch(["space", "layer", "head", "space_of", "right"], (state) => {
    const now = spaceIn(state);
    at = null;
    const problem = state.space?.problem ?? null;
    again.hidden = !problem?.retry;
    for (const part of [plane, legend, honest]) part.hidden = now === null;
    if (now) write(honest, words.honest(now));
    else
      write(
        summary,
        problem?.message ?? (state.space?.status === "loading" ? words.LOOKING : words.NOTHING_YET),
      );
  });
  const keys = /** @type {const} */ (["space", "detail", "shown", "query", "layer", "head"]);
  store.watch([...keys, "scheme", "scale", "space_by", "space_of", "right"], draw);
  new ResizeObserver(draw).observe(canvas);
}

/**
 * A choice between a few values.
 * @template {"space_of" | "space_by"} Key
 * @param {Store} store @param {Key} key @param {string} name
 * @param {readonly {value: State[Key], text: string}[]} values
 */
function segments(store, key, name, values) {
  const of = unique(key);
  const radios = values.map(({ value, text }) => {
    const input = make("input");
    Object.assign(input, { type: "radio", name: of, value });
    input.addEventListener("change", () =>
      store.update(/** @type {Partial<State>} */ ({ [key]: value })),
    );
    return { input, text };
  });
  const root = make(
    "fieldset",
    { class: "segments" },
    radios.map(({ input, text }) => make("label", {}, [input, make("span", { text })])),
  );
  root.setAttribute("aria-label", name);
  store.watch([key], (state) => {
    for (const { input } of radios) input.checked = input.value === state[key];
  });
  return root;
}

/** @type {import("../panel.js").Panel} */
export const SPACE = {
  make: (root, store, { retry }) => space(root, store, retry),
  questions: { space: { request: spaceRequest, turn: "apart", events: true } },
  save,
};
