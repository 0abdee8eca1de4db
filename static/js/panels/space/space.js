// The queries and keys of the selected head in one plane: of the text, or of many sentences. A click on a point shows its token.

import { busyWith } from "../../dom/busy.js";
import { drawMarks, enlarged, fit } from "../../dom/canvas.js";
import { make, write } from "../../dom/dom.js";
import { select } from "../../dom/fields.js";
import { palette } from "../../dom/palette.js";
import { tryAgain } from "../../dom/problem.js";
import { label, shorten } from "../../words/format.js";
import {
  FEW,
  jumpTo,
  marksOf,
  nearest,
  placed,
  ROLES,
  selectedIn,
  spaceIn,
  weightsIn,
} from "./plane.js";
import { save } from "./save.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const [LEAST, USUAL, MOST] = [160, 300, 520]; // pixels: the height of the plane
const COLUMNS = 900; // pixels of the window from which the panel has a height of its own, as in static/css/panels.css
const [GAP, EDGE] = [8, 16]; // pixels between two parts, and below the last one
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
  const roles = make(
    "span",
    { class: "roles" },
    ROLES.map((role) => make("span", { class: "role", text: words.ROLES[role] })),
  );
  const planes = choice(store, "space_plane", words.PLANE, words.PLANES);
  planes.hidden = true; // until a server says that it has another one
  const legend = make("p", { class: "space-legend" }, [
    make("span", { class: "query", text: words.LEGEND.query }),
    make("span", { class: "key", text: words.LEGEND.key }),
    scale,
    roles,
  ]);
  const choices = make("div", { class: "writing" }, [
    choice(store, "space_of", words.OF, words.SETS),
    choice(store, "space_by", words.BY, words.COLOURS),
    planes,
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
    const height = roomIn(panel, plane);
    canvas.style.height = `${height}px`;
    fit(canvas, { width: Math.round(width * fine), height: Math.round(height * fine) });
    const drawing = canvas.getContext("2d");
    if (!drawing) return;
    places = placed(now.points, { width, height });
    const index = meant();
    legend.dataset.by = store.state.space_by;
    scale.hidden = store.state.space_by !== "position";
    roles.hidden = store.state.space_by !== "role";
    drawing.setTransform(fine, 0, 0, fine, 0, 0);
    drawing.clearRect(0, 0, width, height);
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
  store.watch(["space", "layer", "head", "space_of", "space_plane", "right"], (state) => {
    const now = spaceIn(state);
    at = null;
    const problem = state.space?.problem ?? null;
    again.hidden = !problem?.retry;
    for (const part of [plane, legend, honest]) part.hidden = now === null;
    if (now) planes.hidden = now.methods.length < 2;
    if (now) write(honest, words.honest(now));
    else
      write(
        summary,
        problem?.message ?? (state.space?.status === "loading" ? words.LOOKING : words.NOTHING_YET),
      );
  });
  const keys = /** @type {const} */ (["space", "detail", "shown", "query", "layer", "head"]);
  store.watch([...keys, "scheme", "scale", "space_by", "space_of", "space_plane", "right"], draw);
  const watched = new ResizeObserver(draw);
  for (const part of [panel, canvas]) watched.observe(part);
}

/** The height that the panel has left for a part, so that all of it is in sight. @param {HTMLElement} panel @param {HTMLElement} part */
function roomIn(panel, part) {
  if (innerWidth < COLUMNS) return USUAL;
  const others = [...panel.children].filter((one) => one !== part);
  const taken = others.reduce((sum, one) => sum + one.getBoundingClientRect().height + GAP, 0);
  const around = /** @type {HTMLElement} */ (panel.parentElement).getBoundingClientRect();
  const room = around.bottom - panel.getBoundingClientRect().top - taken - EDGE;
  return Math.round(Math.max(LEAST, Math.min(MOST, room / enlarged(panel))));
}

/**
 * A choice between a few values.
 * @template {"space_of" | "space_by" | "space_plane"} Key
 * @param {Store} store @param {Key} key @param {string} name
 * @param {readonly {value: State[Key], text: string}[]} values
 */
function choice(store, key, name, values) {
  const menu = select(values.map(({ value, text }) => [value, text]));
  menu.addEventListener("change", () =>
    store.update(/** @type {Partial<State>} */ ({ [key]: menu.value })),
  );
  store.watch([key], (state) => {
    menu.value = state[key];
  });
  menu.setAttribute("aria-label", name); // without the choices, which are in the label, too
  return make("label", {}, [make("span", { text: name }), menu]);
}

/** @type {import("../panel.js").Part["make"]} */
const made = (root, store, { retry }) => space(root, store, retry);

export { made as make, save };
