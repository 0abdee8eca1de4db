// What is saved of the mute effects.

import { effectsRequest } from "../../asking/requests.js";
import { palette } from "../../dom/palette.js";
import { barsBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { modelIn } from "../../state/choice.js";
import { shortName } from "../../words/heads.js";
import { aboutOf } from "../save/about.js";
import { effectsCsv } from "../save/csv.js";
import { NOTHING } from "../save/words.js";
import { answerOf } from "./effects.js";
import { bar, extent, hasNumber, moved, ranked } from "./ranked.js";
import * as words from "./words.js";

/** @type {import("../panel.js").Save} */
export const save = {
  name: "effects",
  scene: (state, { scheme, bare }) => {
    const { effects: list, token, watched } = answerIn(state);
    const { falls, rises, paper } = palette(scheme);
    const max = extent(list);
    const scale = words.axisLabels({ before: token.probability, extent: max });
    return framed({
      title: words.pictureTitle(watched),
      about: bare ? [] : save.caption(state),
      body: barsBody({
        bars: ranked(list).map((effect) => {
          const name = shortName(effect);
          const none = { name, value: "", fill: rises, ...bar(0, max) };
          if (!hasNumber(effect)) return { ...none, note: effect.reason ?? words.NO_NUMBER };
          const change = moved(effect);
          return {
            name,
            value: words.pictureValue(effect),
            fill: change < 0 ? falls : rises,
            ...bar(change, max),
          };
        }),
        heads: { ...words.PICTURE_COLUMNS, scale },
        zero: 0.5,
        paper,
      }),
      paper,
    });
  },
  caption: (state) => [...aboutOf(state), words.pictureSource(answerIn(state).watched)],
  csv: (state) => effectsCsv(answerIn(state)),
  request: (state) => effectsRequest(state, modelIn(state)),
};

/** @param {Readonly<import("../../types.d.ts").State>} state */
function answerIn(state) {
  const answer = answerOf(state);
  if (!answer) throw new Error(state.effects?.problem?.message ?? NOTHING);
  return answer;
}
