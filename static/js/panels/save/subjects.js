// What can be saved of the selected head: the picture and numbers of the open view.

import { palette } from "../../dom/palette.js";
import { captioned } from "../../draw/pictures/frame.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { isOfHead } from "../../state/matrices.js";
import { VIEWS } from "../../views/views.js";
import { captionOf, NOTHING } from "../../words/caption.js";
import { fileName } from "../../words/picture.js";
import { TITLES } from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Scene } from "../../draw/scene.js" */
/** @import { FileType, Picture } from "../../views/view.js" */

/**
 * @typedef {object} Subject what one menu saves
 * @property {string} title the title of the menu
 * @property {boolean} head whether it is the selected head, which has tensors and a program
 * @property {(state: Readonly<State>) => string} name the file name, without its extension
 * @property {(state: Readonly<State>, look?: import("../../draw/pictures/look.js").Look) => Promise<Scene>} scene
 * @property {(state: Readonly<State>) => string[]} caption paragraphs
 * @property {(state: Readonly<State>) => Set<string>} offers what else its look can have: "bar", "numbers", "row"
 * @property {(state: Readonly<State>) => Promise<string>} csv
 * @property {(state: Readonly<State>, type: FileType) => Promise<Blob>} file the answer of the API
 */

/** @param {Record<string, Picture>} pictures by view @returns {Subject} */
export const headSubject = (pictures) => ({
  title: TITLES.head,
  head: true,
  name: (state) => {
    const { model, view, matrix, kind, layer, head } = pictured(state);
    const where = isOfHead(matrix) ? ["layer", layer, "head", head] : [];
    const stack = kind === "self" ? [] : [kind];
    return fileName(model, ...stack, ...where, ...savedOf(view).parts(state));
  },
  scene: async (state, look = LIGHT) => {
    const save = savedOf(state.view);
    if (save.scene) return save.scene(state, look);
    const scene = pictures[state.view].scene?.(look);
    if (!scene) throw new Error(NOTHING);
    return look.bare ? scene : captioned(scene, captionIn(state), palette(look.scheme).paper);
  },
  caption: captionIn,
  offers: ({ view }) => new Set(savedOf(view).offers),
  csv: async (state) => savedOf(state.view).csv(state),
  file: async (state, type) => savedOf(state.view).file(state, type),
});

/** What a view saves, once it is drawn. @param {State["view"]} view */
function savedOf(view) {
  const { there } = VIEWS[view].part;
  if (!there) throw new Error(NOTHING);
  return there.save;
}

/** @param {Readonly<State>} state @returns {string[]} paragraphs */
export function captionIn(state) {
  const [text, ...rest] = captionOf(pictured(state));
  return [`${savedOf(state.view).of ?? ""}${text}`, ...rest];
}

/**
 * The state as the view draws it: a view that cannot draw the chosen matrix draws the pattern.
 * @param {Readonly<State>} state
 * @returns {Readonly<State>}
 */
const pictured = (state) => (VIEWS[state.view].oneMatrix ? state : { ...state, matrix: "pattern" });
