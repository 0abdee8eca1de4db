// What people believe: one click sets each belief up, and shows that it is not so.

import { isLong } from "../../asking/requests.js";
import { drawScene } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { detailOf } from "../../numbers/detail.js";
import { slicesInWords, slicesScene } from "../../numbers/slices.js";
import { resolved } from "../../sources/scratch/settings.js";
import { modelIn } from "../../state/choice.js";
import { BELIEFS, causeInWords } from "./beliefs.js";
import { mechanismIn } from "./field.js";
import { measuresInWords, nowOf } from "./measures.js";
import { Restorer } from "./restore.js";
import { switches } from "./switches.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const SLICES = { id: "slices", ...words.BELIEFS.slices };
const MAX_WIDTH = 760; // pixels of the scene

const KEYS = /** @type {const} */ ([
  "facts",
  "reference",
  "status",
  "scratch",
  "masks",
  "muted",
  "texts",
  "targets",
  "kind",
  "model",
  "models",
  "query",
  "shown",
  "layer",
  "head",
  "view",
  "against",
  "matrix",
  "detail",
  "scheme",
]);

/** @param {HTMLElement} root @param {Store} store */
export function beliefSwitches(root, store) {
  const list = make("ul", { class: "switches" });
  const canvas = make("canvas");
  canvas.setAttribute("role", "img");
  const scene = make("div", { class: "slices" }, [canvas]);
  scene.hidden = true;
  root.append(list, scene);
  const restorer = new Restorer();
  let sliced = false;

  const shown = switches(list, [SLICES, ...BELIEFS], ({ id }, turnOn) => {
    if (id === SLICES.id) {
      sliced = turnOn;
      show(store.state);
      return;
    }
    const belief = BELIEFS.find((one) => one.id === id);
    if (!belief) return;
    const { state } = store;
    const now = nowOf(state);
    store.update(
      turnOn ? restorer.on(id, state, belief.on(now)) : restorer.off(id, state, belief.off(now)),
    );
  });

  /** @param {Readonly<State>} state */
  const show = (state) => {
    const now = nowOf(state);
    if (!modelIn(state).mechanisms || now.model.state !== "ready") return;
    shown.show(({ id }) => {
      if (id === SLICES.id) {
        const sizes = sizesOf(state);
        const result = sliced && sizes ? slicesInWords(sizes, state.head) : "";
        return { on: sliced, why: "", also: "", result };
      }
      const belief = BELIEFS.find((one) => one.id === id);
      const on = belief?.is(now) ?? false;
      const why = belief?.why?.(now) ?? "";
      return { on, why, also: "", result: belief && on ? resultOf(state, belief, now.row) : "" };
    });
    draw(state);
  };

  /** @param {Readonly<State>} state */
  const draw = (state) => {
    const sizes = sizesOf(state);
    scene.hidden = !sliced || !sizes;
    if (!sizes || scene.hidden || scene.clientWidth === 0) return;
    const { categories: colors, paper } = palette(state.scheme);
    const width = Math.min(MAX_WIDTH, scene.clientWidth);
    const drawing = slicesScene(sizes, { head: state.head, width, colors, paper });
    drawScene(canvas, drawing);
    canvas.style.width = `${drawing.width}px`;
    canvas.style.height = `${drawing.height}px`;
    canvas.setAttribute("aria-label", drawing.title);
  };

  store.watch(KEYS, show);
  new ResizeObserver(() => draw(store.state)).observe(root);
}

/** The sizes of the slices, as the model ran if it has. @param {Readonly<State>} state */
function sizesOf(state) {
  const mechanism = mechanismIn(state);
  const detail = detailOf(state);
  if (!mechanism || !detail) return null;
  const { n_heads, d_head } = state.detail?.trace.scratch ?? resolved(state.scratch, mechanism);
  const tokens = detail.keys.filter(({ padding }) => !padding).length;
  const none = mechanism.projections === "none";
  return { n_heads, d_head, tokens, output: mechanism.output !== "none", none };
}

/** @param {Readonly<State>} state @param {import("./beliefs.js").Belief} belief @param {number} row */
function resultOf(state, { id, measures }, row) {
  if (id !== "cause") return measuresInWords(state, measures) ?? "";
  const { reference, shown } = state;
  if (state.status === "error") return "";
  if (isLong(state)) return words.UNAVAILABLE.tooLong;
  if (!reference?.answer || reference.status !== "ready") return words.WAITING;
  return causeInWords(reference.answer, shown, row);
}
