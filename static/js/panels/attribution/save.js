// What is saved of an attribution: the waterfall, and all its numbers.

import { palette } from "../../dom/palette.js";
import { barsBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { modelIn } from "../../state/choice.js";
import { csvTable, label, signedBriefly } from "../../words/format.js";
import { aboutOf } from "../save/about.js";
import { NOTHING } from "../save/words.js";
import { aimOf, numberOf } from "./aim.js";
import { attributionRequest } from "./request.js";
import { attributionIn, kindOfSite } from "./sources.js";
import { axisOf, barOn, waterfallOf } from "./waterfall.js";
import * as words from "./words.js";

/** @type {import("../panel.js").Save} */
export const save = {
  name: "attribution",
  scene: (state, { scheme, bare }) => {
    const answer = answerIn(state);
    const { found, model } = answer;
    const { falls, rises, paper } = palette(scheme);
    const rows = waterfallOf(found, { order: state.waterfall, open: false });
    const axis = axisOf(rows);
    return framed({
      title: words.pictureTitle(aimOf(answer)),
      about: bare ? [] : save.caption(state),
      body: barsBody({
        bars: rows.map((row) => ({
          name: words.rowName(
            row,
            kindOfSite(model, row.part?.site ?? null),
            found.against !== null,
          ),
          ...barOn(row, axis),
          value: row.kind === "logit" ? numberOf(row.value) : signedBriefly(row.value) || "0",
          fill: row.kind === "logit" ? paper.ink : row.value < 0 ? falls : rises,
        })),
        heads: { ...words.PICTURE_COLUMNS, scale: [numberOf(axis.low), numberOf(axis.high)] },
        zero: barOn({ from: 0, to: 0 }, axis).start,
        paper,
      }),
      paper,
    });
  },
  caption: (state) => [...aboutOf(state), words.ABOUT],
  csv: (state) => {
    const { found, model } = answerIn(state);
    const of = [found.token, found.against].flatMap((one) => [
      one?.id ?? null,
      one ? label(one) : "",
    ]);
    return csvTable(words.CSV_COLUMNS, [
      ...found.contributions.map(({ part, value }) => {
        const { kind, layer, site, head } = part;
        const name = words.partName(part, kindOfSite(model, site));
        return [name, kind, layer, site, head, value, ...of];
      }),
      ...(found.soft_cap === null
        ? []
        : [[words.CAP.name, "soft_cap", null, null, null, found.soft_cap, ...of]]),
      [words.REMAINDER.name, "remainder", null, null, null, found.remainder, ...of],
    ]);
  },
  request: (state) => attributionRequest(state, modelIn(state)),
};

/** @param {Readonly<import("../../types.d.ts").State>} state */
function answerIn(state) {
  const { attribution } = state;
  const answer = attribution?.problem ? null : attributionIn(state);
  if (!answer) throw new Error(attribution?.problem?.message ?? NOTHING);
  return answer;
}
