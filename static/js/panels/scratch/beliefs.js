// What people believe: each belief set up with one click, and what shows that it is not so.

import { isLong } from "../../asking/requests.js";
import { drawScene } from "../../dom/canvas.js";
import { make } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { detailOf } from "../../numbers/detail.js";
import { slicesInWords, slicesScene } from "../../numbers/slices.js";
import { resolved } from "../../sources/scratch/settings.js";
import { modelIn } from "../../state/choice.js";
import { BELIEFS, causeInWords, TOO_LONG } from "./believed.js";
import { mechanismIn } from "./field.js";
import { list } from "./list.js";
import { measured, nowOf } from "./measuring.js";
import { Before } from "./mistaken.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */

const SLICES = {
  id: "slices",
  name: "“Heads split the sentence”",
  sentence:
    "They slice features, never tokens: each head sees every word, through channels of its own.",
};
const WIDEST = 760; // pixels of the scene

/** @param {HTMLElement} root @param {Store} store */
export function beliefs(root, store) {
  const lines = make("ul", { class: "switches" });
  const canvas = make("canvas");
  canvas.setAttribute("role", "img");
  const scene = make("div", { class: "slices" }, [canvas]);
  scene.hidden = true;
  root.append(lines, scene);
  const before = new Before();
  let sliced = false;

  const shown = list(lines, [SLICES, ...BELIEFS], (belief, on) => {
    if (belief === SLICES) {
      sliced = on;
      show(store.state);
      return;
    }
    const found = BELIEFS.find(({ id }) => id === belief.id);
    const now = nowOf(store.state);
    if (!found) return;
    const { id } = found;
    const { state } = store;
    store.update(on ? before.on(id, state, found.on(now)) : before.off(id, state, found.off(now)));
  });

  /** @param {Readonly<State>} state */
  const show = (state) => {
    const now = nowOf(state);
    if (!modelIn(state).mechanisms || now.model.state !== "ready") return;
    shown.show((belief) => {
      if (belief === SLICES) {
        const sizes = sizesOf(state);
        const said = sliced && sizes ? slicesInWords(sizes, state.head) : "";
        return { on: sliced, why: "", brings: "", said };
      }
      const found = BELIEFS.find(({ id }) => id === belief.id);
      const on = found?.is(now) ?? false;
      const why = found?.why?.(now) ?? "";
      return { on, why, brings: "", said: on ? saidOf(state, belief.id, now.row) : "" };
    });
    draw(state);
  };

  /** @param {Readonly<State>} state */
  const draw = (state) => {
    const sizes = sizesOf(state);
    scene.hidden = !sliced || !sizes;
    if (!sizes || scene.hidden || scene.clientWidth === 0) return;
    const { categories: colors, paper } = palette(state.scheme);
    const width = Math.min(WIDEST, scene.clientWidth);
    const drawing = slicesScene(sizes, { head: state.head, width, colors, paper });
    drawScene(canvas, drawing);
    canvas.style.width = `${drawing.width}px`;
    canvas.style.height = `${drawing.height}px`;
    canvas.setAttribute("aria-label", drawing.title);
  };

  store.watch(
    [
      ...["facts", "reference", "status", "scratch", "masks", "muted", "texts", "targets", "kind"],
      ...["model", "models", "query", "shown", "layer", "head", "view", "against", "matrix"],
      ...["detail", "scheme"],
    ].map((key) => /** @type {keyof State} */ (key)),
    show,
  );
  new ResizeObserver(() => draw(store.state)).observe(root);
}

/** What an answered mechanism's heads share out. @param {Readonly<State>} state */
function sizesOf(state) {
  const mechanism = mechanismIn(state);
  const detail = detailOf(state);
  if (!mechanism || !detail) return null;
  const { n_heads, d_head } = state.detail?.trace.scratch ?? resolved(state.scratch, mechanism);
  const tokens = detail.keys.filter(({ padding }) => !padding).length;
  const none = mechanism.projections === "none";
  return { n_heads, d_head, tokens, output: mechanism.output !== "none", none };
}

/** @param {Readonly<State>} state @param {string} id @param {number} row */
function saidOf(state, id, row) {
  const measures = BELIEFS.find((one) => one.id === id)?.measures ?? [];
  if (id !== "cause") return measured(state, measures) ?? "";
  const { reference, shown } = state;
  if (state.status === "error") return "";
  if (isLong(state)) return TOO_LONG;
  if (!reference?.answer || reference.status !== "ready") return "…";
  return causeInWords(reference.answer, shown, row);
}
