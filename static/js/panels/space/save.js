// What is saved of the space of queries and keys.

import { palette } from "../../dom/palette.js";
import { framed } from "../../draw/pictures/frame.js";
import { modelIn } from "../../state/choice.js";
import { csvTable, exactly } from "../../words/format.js";
import { aboutOf } from "../save/about.js";
import { NOTHING } from "../save/words.js";
import { marksOf, placed, selectedIn, spaceIn, weightsIn } from "./plane.js";
import { spaceRequest } from "./request.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */

const SIZE = { width: 640, height: 480 };

/** @type {import("../panel.js").Save} */
export const save = {
  name: "query-key-space",
  scene: (state, { scheme, bare }) => {
    const found = foundIn(state);
    const colours = palette(scheme);
    const meant = selectedIn(state, found);
    const weights = weightsIn(state, found, meant);
    const look = { by: state.space_by, meant, weights, colours };
    return framed({
      title: words.pictureTitle(state),
      about: bare ? [] : save.caption(state),
      body: { ...SIZE, marks: marksOf(found, placed(found.points, SIZE), look) },
      paper: colours.paper,
    });
  },
  caption: (state) => [...aboutOf(state), words.PICTURE, words.honest(foundIn(state))],
  csv: (state) =>
    csvTable(
      words.CSV,
      foundIn(state).points.map(({ side, text, position, token, special, x, y, norm }) => [
        side,
        text,
        position,
        token,
        special ? 1 : 0,
        exactly(x),
        exactly(y),
        exactly(norm),
      ]),
    ),
  request: (state) => spaceRequest(state, modelIn(state)),
};

/** @param {Readonly<State>} state */
function foundIn(state) {
  const found = spaceIn(state);
  if (!found) throw new Error(state.space?.problem?.message ?? NOTHING);
  return found;
}
