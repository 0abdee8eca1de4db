// What is saved of the turns.

import { palette } from "../../dom/palette.js";
import { barsBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { modelIn } from "../../state/choice.js";
import { csvTable } from "../../words/format.js";
import { shortName } from "../../words/heads.js";
import { aboutOf } from "../save/about.js";
import { NOTHING } from "../save/words.js";
import { vectorRequest } from "./request.js";
import { turnsIn, widest } from "./turns.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */

/** @type {import("../panel.js").Save} */
export const save = {
  name: "vector",
  scene: (state, { scheme, bare }) => {
    const turns = found(state);
    const { falls, paper } = palette(scheme);
    const most = widest(turns) || 1;
    return framed({
      title: words.LEGEND,
      about: bare ? [] : save.caption(state),
      body: barsBody({
        bars: turns.map((turn) => ({
          name: shortName(turn),
          value: words.inDegrees(turn.angle),
          start: 0,
          length: (turn.angle ?? 0) / most,
          fill: falls,
        })),
        heads: { ...words.PICTURE_COLUMNS, scale: [] },
        zero: 0,
        paper,
      }),
      paper,
    });
  },
  caption: (state) => [...aboutOf(state), words.ABOUT],
  csv: (state) =>
    csvTable(
      words.CSV,
      found(state).map(({ kind, layer, head, cosine, angle }) => [
        kind,
        layer,
        head,
        cosine,
        angle,
      ]),
    ),
  request: (state) => vectorRequest(state, modelIn(state)),
};

/** @param {Readonly<State>} state */
function found(state) {
  const turns = turnsIn(state);
  if (!turns) throw new Error(state.vector?.problem?.message ?? NOTHING);
  return turns;
}
