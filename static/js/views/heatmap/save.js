// Saves the heatmap: the selected head as a picture, and all of its cells.

import { postTrace, traceFile } from "../../api/api.js";
import { isLong } from "../../asking/requests.js";
import { headRequest } from "../../asking/saved.js";
import { palette } from "../../dom/palette.js";
import { aboutOf, NOTHING } from "../../draw/pictures/about.js";
import { framed } from "../../draw/pictures/frame.js";
import { headBody, within } from "../../draw/pictures/heatmap.js";
import { blockedIn, detailOf, scoresOf } from "../../numbers/detail.js";
import { rangeOf } from "../../numbers/matrices.js";
import { modelIn } from "../../state/choice.js";
import { isOfHead, MATRICES } from "../../state/matrices.js";
import { csv } from "../../words/format.js";
import { inWords, strongest } from "../../words/labels.js";
import { headName } from "../../words/picture.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */

/** @type {import("../view.js").Save} */
export const save = {
  parts: ({ matrix }) => [matrix],
  scene: headScene,
  csv: async (state) => {
    const detail = await wholeDetail(state);
    const matrix = detail[state.matrix];
    if (!matrix) throw new Error(NOTHING);
    return csv(detail.queryLabels, detail.keyLabels, matrix, blockedIn(detail, state.matrix));
  },
  file: (state, type) => traceFile(headRequest(state, modelIn(state)), type),
};

/** The head in full: for a long text the page has only a part. @param {Readonly<State>} state */
async function wholeDetail(state) {
  const held = detailOf(state);
  if (held && !isLong(state) && held[state.matrix]) return held;
  const answer = await postTrace(headRequest(state, modelIn(state)));
  const detail = detailOf({ ...state, detail: answer });
  if (!detail) throw new Error(NOTHING);
  return detail;
}

/** Saved pictures always have light colours, for white paper. @param {Readonly<State>} state */
async function headScene(state) {
  const detail = await wholeDetail(state);
  const { matrix: shown, log, zoom } = state;
  const colors = palette("light");
  const matrix = detail[shown];
  if (!matrix) throw new Error(NOTHING);
  const range = rangeOf(shown, matrix, log);
  const { paper, hatch } = colors;
  const body = headBody({
    ...{ matrix, blocked: blockedIn(detail, shown), zoom, paper, hatch },
    ...{ queries: detail.queryLabels, keys: detail.keyLabels, block: detail.block },
    tokens: detail,
    look: {
      table: range.low < 0 ? colors.diverging : colors.sequential,
      range,
      unit: MATRICES[shown].unit,
    },
    texts:
      detail.site.kind === "cross" ? { query: "target ", key: "source " } : { query: "", key: "" },
  });
  const [top, bottom, left, right] = within(zoom, matrix);
  const part = bottom - top < matrix.rows || right - left < matrix.cols;
  const seen = part ? `Shown: queries ${top} to ${bottom - 1}, keys ${left} to ${right - 1}.` : "";
  const whole = !isOfHead(shown);
  return framed({
    title: whole ? `Attention ${shown} · all layers` : headName(detail.site, detail.head),
    more: whole ? "" : habit(state, detail),
    about: [...aboutOf(state), seen],
    ...{ body, paper },
  });
}

/** The strongest label of the head. @param {Readonly<State>} state @param {Detail} detail */
function habit(state, { site, head }) {
  const found = scoresOf(state)?.find((one) => one.layer === site.layer && one.head === head);
  return found ? inWords(strongest(found.scores, found.drawn)) : "";
}
