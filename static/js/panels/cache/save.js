// What is saved of the cache: what is kept after each token.

import { palette } from "../../dom/palette.js";
import { barsBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { csvTable, grouped } from "../../words/format.js";
import { aboutOf, colour } from "../save/about.js";
import { NOTHING } from "../save/words.js";
import { writingOf } from "./steps.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */

/** @type {import("../panel.js").Save} */
export const save = {
  name: "cache",
  scene: (state, { scheme, bare }) => {
    const { tokens, steps } = written(state);
    const { sequential, paper } = palette(scheme);
    const most = Math.max(...steps.map(({ numbers, whole }) => Math.max(numbers, whole)));
    return framed({
      title: words.PICTURE,
      about: bare ? [] : save.caption(state),
      body: barsBody({
        bars: steps.map(({ numbers }, place) => ({
          name: words.barName({ place, token: tokens[place] }),
          value: grouped(numbers),
          start: 0,
          length: numbers / most,
          fill: colour(sequential, 90),
        })),
        heads: words.COLUMNS,
        zero: 0,
        paper,
      }),
      paper,
    });
  },
  caption: (state) => {
    const writing = written(state);
    const last = writing.steps.length - 1;
    return [...aboutOf(state), words.otherwiseInWords(writing, last)];
  },
  csv: (state) => {
    const { tokens, steps } = written(state);
    return csvTable(
      words.CSV,
      steps.map(({ kept, numbers, whole }, at) => [at, tokens[at], kept, numbers, whole]),
    );
  },
  request: () => null,
  json: (state) => written(state),
};

/** @param {Readonly<State>} state */
function written(state) {
  const writing = writingOf(state);
  if (!writing) throw new Error(NOTHING);
  if (writing.lacks) throw new Error(words.REASONS[writing.lacks]);
  return writing;
}
