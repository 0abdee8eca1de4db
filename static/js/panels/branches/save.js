// What is saved of the branches.

import { palette } from "../../dom/palette.js";
import { barsBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { modelIn } from "../../state/choice.js";
import { csvTable, percent } from "../../words/format.js";
import { aboutOf, colour } from "../save/about.js";
import { NOTHING } from "../save/words.js";
import { branchesIn } from "./told.js";
import * as words from "./words.js";

/** @import { Model, State } from "../../types.d.ts" */

/** @param {(state: Readonly<State>, model: Model) => object | null} request @returns {import("../panel.js").Save} */
export const save = (request) => ({
  name: "branches",
  scene: (state, { scheme, bare }) => {
    const { after, branches } = toldIn(state);
    const { sequential, paper } = palette(scheme);
    return framed({
      title: words.pictureTitle(after),
      about: bare ? [] : captionOf(state),
      body: barsBody({
        bars: branches.map(({ first, rest }) => ({
          name: first.label,
          value: `${percent(first.probability)}  ${rest.trim()}`,
          start: 0,
          length: Math.min(1, first.probability),
          fill: colour(sequential, 90),
        })),
        heads: { ...words.COLUMNS, scale: [] },
        zero: 0,
        paper,
      }),
      paper,
    });
  },
  caption: captionOf,
  csv: (state) => {
    toldIn(state);
    const found = state.branches?.answer?.trace.branches?.[state.shown]?.branches ?? [];
    return csvTable(
      words.CSV,
      found.flatMap(({ token, follows }, branch) =>
        [token, ...follows].map(({ id, text, probability }, place) => [
          branch,
          place,
          id,
          text,
          probability,
        ]),
      ),
    );
  },
  request: (state) => request(state, modelIn(state)),
});

/** @param {Readonly<State>} state */
function captionOf(state) {
  return [...aboutOf(state), words.SOURCE];
}

/** @param {Readonly<State>} state */
function toldIn(state) {
  const told = branchesIn(state);
  if (!told) throw new Error(state.branches?.problem?.message ?? NOTHING);
  return told;
}
