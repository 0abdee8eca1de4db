// What can be saved besides the selected head: all heads, and the open panel on the right.

import { traceFile } from "../../api/api.js";
import { headsRequest } from "../../asking/saved.js";
import { palette } from "../../dom/palette.js";
import { framed } from "../../draw/pictures/frame.js";
import { gridBody } from "../../draw/pictures/grid.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { areNamed, scoresOf } from "../../numbers/detail.js";
import { matrixOf } from "../../numbers/matrix.js";
import { isMuted, modelIn } from "../../state/choice.js";
import { tells } from "../../state/quiz.js";
import { brief, labelOf } from "../../words/labels.js";
import { fileName } from "../../words/picture.js";
import { PANELS } from "../panels.js";
import { aboutOf } from "./about.js";
import { headsCsv } from "./csv.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Subject } from "./subjects.js" */

/** @param {Readonly<State>} state */
const gridCaption = (state) => [
  ...aboutOf(state),
  ...(tells(state) ? [words.GRID_NOTES[state.by]] : []),
];

/** @type {Subject} */
export const gridSubject = {
  title: words.TITLES.grid,
  head: false,
  name: ({ model, kind }) => fileName(model, ...(kind === "self" ? [] : [kind]), words.FILES.heads),
  scene: async (state, { scheme, bare } = LIGHT) => {
    const { grid: answer, shown, find, steps, muted, kind } = state;
    if (!answer?.trace.sites.length) throw new Error(words.NOTHING);
    const text = Math.min(shown, answer.trace.tokens.length - 1);
    const scores = find === null && !areNamed(state) ? null : scoresOf(state);
    const layers = answer.trace.sites.flatMap((site) => {
      const tensor = answer.tensors.get(`${site.name}.pattern`);
      if (!tensor) return [];
      const heads = site.heads.map((head, index) => {
        const one = scores?.find((score) => score.layer === site.layer && score.head === head);
        const label = one && labelOf(one, find);
        /** @param {"name" | "brief"} form */
        const labelled = (form) =>
          label
            ? words.gridLabel({ name: find === null ? label[form] : "", value: brief(label) })
            : "";
        return {
          head,
          matrix: matrixOf(tensor, text, index),
          words: labelled("name"),
          brief: labelled("brief"),
          muted: tells(state) && isMuted(muted, kind, site.layer, head),
        };
      });
      return [{ layer: site.layer, heads }];
    });
    const { sequential, paper } = palette(scheme);
    return framed({
      title: words.GRID_TITLES[kind],
      about: bare ? [] : gridCaption(state),
      body: gridBody({ layers, table: sequential, range: { low: 0, high: 255, steps }, paper }),
      paper,
    });
  },
  caption: gridCaption,
  offers: () => new Set(),
  csv: async (state) => {
    const heads = scoresOf(state);
    if (!heads) throw new Error(words.NO_SCORES);
    return headsCsv(heads);
  },
  file: (state, type) => traceFile(headsRequest(state, modelIn(state)), type),
};

/** What a panel saves, once it is drawn. @param {State["right"]} name */
function savedOf(name) {
  const { there } = PANELS[name].part;
  if (!there) throw new Error(words.NOTHING);
  return there.save;
}

/** The tab that is open on the right. @type {Subject} */
export const rightSubject = {
  title: words.TITLES.right,
  head: false,
  name: ({ model, right }) => fileName(model, savedOf(right).name),
  scene: async (state, look = LIGHT) => savedOf(state.right).scene(state, look),
  caption: (state) => savedOf(state.right).caption(state),
  offers: () => new Set(),
  csv: async (state) => savedOf(state.right).csv(state),
  file: async (state, type) => {
    const save = savedOf(state.right);
    if (save.json && type === "application/json")
      return new Blob([JSON.stringify(save.json(state))], { type });
    const request = save.request(state);
    if (!request) throw new Error(words.NOTHING);
    return traceFile(request, type);
  },
};
