// Find heads like a picture: what the reader has painted, the shapes to start from, and what the numbers are.

import { button, make } from "../../dom/dom.js";
import { brushFor } from "../../edit/stroke.js";
import { cellsHere, matchesIn, SHAPES, shapeIn } from "../../numbers/picture.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Shape } from "../../numbers/picture.js" */

/** What choosing "like my picture" changes: the reader can paint at once. @param {Readonly<State>} state @returns {Partial<State>} */
export const startPicture = (state) => ({
  find: "picture",
  left: "find",
  ...(state.picture.length === 0 ? { view: "heatmap", ...brushFor(state, "picture") } : {}),
});

/** The shapes to start from. @param {HTMLElement} line @param {Store} store */
export function pictureShapes(line, store) {
  const names = /** @type {Shape[]} */ (Object.keys(SHAPES));
  const shapes = names.map((name) => {
    const [text, about] = words.SHAPE_NAMES[name];
    const one = button(text, () => {
      const cells = shapeIn(store.state, name);
      if (cells) store.update({ picture: cells });
    });
    one.title = about;
    return one;
  });
  const clear = button(words.CLEAR_PICTURE, () => store.update({ picture: [] }), {
    class: "quiet",
  });
  line.append(make("span", { class: "faint", text: words.START_FROM }), ...shapes, clear);
  store.watch(["find", "picture", "detail", "shown"], (state) => {
    line.hidden = state.find !== "picture";
    if (line.hidden) return;
    const tooLong = shapeIn(state, "first") === null;
    for (const one of shapes) one.disabled = tooLong;
    clear.setAttribute("aria-disabled", String(state.picture.length === 0)); // disabling it would lose the focus
  });
}

/** Why no head is ranked yet. @param {Readonly<State>} state */
export const waitingFor = (state) =>
  cellsHere(state).length === 0 ? words.NO_CELL : (state.match?.problem?.message ?? words.MATCHING);

/** What the numbers are, or what to do first. @param {Readonly<State>} state */
export function explainPicture(state) {
  const cells = cellsHere(state);
  if (cells.length === 0) return state.picture.length > 0 ? words.PICTURE_ELSEWHERE : words.PAINT;
  const problem = state.match?.problem;
  if (problem) return problem.message;
  const known = matchesIn(state)?.filter(({ chance }) => chance !== null) ?? null;
  if (known === null) return words.MATCHING;
  const { layer, head } = state;
  const own = known.find((one) => one.layer === layer && one.head === head) ?? known[0];
  return words.pictureInWords({
    cells: cells.length,
    chance: own?.chance ?? null,
    over: own?.over ?? 0,
  });
}
