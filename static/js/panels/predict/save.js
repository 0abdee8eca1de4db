// What is saved of the predictions.

import { nextRequest } from "../../asking/requests.js";
import { palette } from "../../dom/palette.js";
import { barsBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { predictedIn } from "../../numbers/predicted.js";
import { modelIn } from "../../state/choice.js";
import { label, percent } from "../../words/format.js";
import { aboutOf, colour } from "../save/about.js";
import { predictionsCsv } from "../save/csv.js";
import * as words from "../save/words.js";

/** @type {import("../panel.js").Save} */
export const save = {
  name: "predictions",
  scene: (state, { scheme, bare }) => {
    const { predictions, position } = answerIn(state);
    const { sequential, paper } = palette(scheme);
    return framed({
      title: words.predictionTitle(position),
      about: bare ? [] : save.caption(state),
      body: barsBody({
        bars: predictions.map((token) => {
          const probability = percent(token.probability);
          return {
            name: label(token),
            start: 0,
            length: Math.min(1, token.probability),
            value:
              token.unedited == null
                ? probability
                : words.compared({ probability, unedited: percent(token.unedited) }),
            fill: colour(sequential, 90),
          };
        }),
        heads: words.PREDICTION_COLUMNS,
        zero: 0,
        paper,
      }),
      paper,
    });
  },
  caption: (state) => {
    const { temperature, top_p } = state;
    const settings = [
      temperature === 1 ? "" : words.temperature(temperature),
      top_p < 1 ? words.topP(top_p) : "",
    ];
    return [...aboutOf(state), settings.filter(Boolean).join(" · ")];
  },
  csv: (state) => predictionsCsv(answerIn(state).predictions),
  request: (state) => nextRequest(state, modelIn(state)),
};

/** @param {Readonly<import("../../types.d.ts").State>} state */
function answerIn(state) {
  const found = predictedIn(state);
  if (!found) throw new Error(words.NOTHING);
  return found;
}
