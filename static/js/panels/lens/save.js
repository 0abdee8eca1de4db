// What is saved of the logit lens.

import { decidedRequest, lensRequest } from "../../asking/requests.js";
import { palette } from "../../dom/palette.js";
import { lensBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { label, percent, shorten } from "../../words/format.js";
import { aboutOf, colour, nameOf } from "../save/about.js";
import { lensCsv } from "../save/csv.js";
import { NOTHING } from "../save/words.js";
import { leadingFrom, stagesOf } from "./stages.js";
import { lensIn, toldIn } from "./told.js";
import * as words from "./words.js";

/** @type {import("../panel.js").Save} */
export const save = {
  name: "lens",
  scene: (state, { scheme, bare }) => {
    const { detail, answer } = answerIn(state);
    const { sequential, paper } = palette(scheme);
    const stages = stagesOf(answer);
    const { final: prediction } = stages[stages.length - 1];
    return framed({
      title: words.pictureTitle({
        fills: detail.fills,
        read: detail.read.name,
      }),
      more: words.leads(nameOf(prediction), leadingFrom(stages)),
      about: bare ? [] : save.caption(state),
      body: lensBody({
        stages: stages.map(({ name, final, leads, candidates }) => ({
          name,
          leads,
          meter: {
            text: words.meter({
              token: nameOf(final),
              probability: percent(final.probability),
            }),
            share: final.probability,
          },
          candidates: candidates.map((one) => ({
            text: words.candidate({
              token: shorten(label(one), 12),
              probability: percent(one.probability),
            }),
            final: one.id === final.id,
          })),
        })),
        fill: colour(sequential, 60),
        paper,
      }),
      paper,
    });
  },
  caption: (state) => [...aboutOf(state), sourceOf(state)],
  csv: (state) => lensCsv(answerIn(state).answer),
  request: (state) => {
    const request = (state.tuned ? decidedRequest : lensRequest)(state, modelIn(state));
    if (!request) throw new Error(state.lacks.lens ?? NOTHING);
    return request;
  },
};

/** @param {Readonly<import("../../types.d.ts").State>} state */
const sourceOf = (state) =>
  state.tuned ? words.ABOUT.tuned(toldIn(state)?.fitted_on ?? null) : words.SOURCE;

/** @param {Readonly<import("../../types.d.ts").State>} state */
function answerIn(state) {
  const detail = detailOf(state);
  const answer = detail && lensIn(state, detail.text);
  if (!answer) throw new Error(state.lacks.lens ?? NOTHING);
  return { detail, answer };
}
