// Saves the heatmap: the selected head as a picture, and all of its cells.

import { postTrace, traceFile } from "../../api/api.js";
import { isLong } from "../../asking/requests.js";
import { headRequest } from "../../asking/saved.js";
import { framed, PAD } from "../../draw/pictures/frame.js";
import { headBody } from "../../draw/pictures/heatmap.js";
import { isWhole, partOf } from "../../draw/viewport.js";
import { areNamed, blockedIn, scoresOf } from "../../numbers/detail.js";
import { seenOf } from "../../numbers/units.js";
import { modelIn } from "../../state/choice.js";
import { isOfHead } from "../../state/matrices.js";
import { captionOf, NOTHING } from "../../words/caption.js";
import { csv, tabled } from "../../words/format.js";
import { inWords, strongest } from "../../words/labels.js";
import { pictureOf, sizeOf } from "./picture.js";
import { shownPart, titleOf } from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @typedef {import("../../numbers/units.js").Seen} Detail */

/** @type {import("../view.js").Save} */
export const save = {
  parts: ({ matrix }) => [matrix],
  scene: headScene,
  offers: ["bar", "numbers", "row"],
  csv: async (state) => {
    const detail = await wholeDetail(state);
    const matrix = detail[state.matrix];
    if (!matrix) throw new Error(NOTHING);
    const queries = tabled(detail.queries, detail.queryLabels);
    const keys = tabled(detail.keys, detail.keyLabels);
    return csv(queries, keys, matrix, blockedIn(detail, state.matrix));
  },
  file: (state, type) => traceFile(headRequest(state, modelIn(state)), type),
};

/** By state: a picture that is tried in several looks is asked for once. @type {WeakMap<Readonly<State>, Promise<Detail>>} */
const whole = new WeakMap();

/** The head in full: for a long text the page has only a part. @param {Readonly<State>} state */
async function wholeDetail(state) {
  const held = seenOf(state).detail;
  if (held && !isLong(state) && held[state.matrix]) return held;
  const asked = whole.get(state) ?? askedFor(state);
  whole.set(state, asked);
  asked.catch(() => whole.delete(state));
  return asked;
}

/** @param {Readonly<State>} state */
async function askedFor(state) {
  const answer = await postTrace(headRequest(state, modelIn(state)));
  const { detail } = seenOf({ ...state, detail: answer });
  if (!detail) throw new Error(NOTHING);
  return detail;
}

/** @param {Readonly<State>} state @param {import("../../draw/pictures/look.js").Look} look */
async function headScene(state, { scheme, width, height, bar, numbers, row, bare }) {
  const detail = await wholeDetail(state);
  const picture = pictureOf(state, detail, scheme);
  if (!picture) throw new Error(NOTHING);
  const { rows, cols } = sizeOf(picture);
  const part = partOf(state.zoom, rows, cols);
  return framed({
    title: titleOf(state, detail),
    more: isOfHead(state.matrix) ? habit(state, detail) : "",
    about: [...(bare ? [] : captionOf(state)), isWhole(part, rows, cols) ? "" : shownPart(part)],
    body: headBody({
      ...picture,
      zoom: state.zoom,
      bar,
      numbers,
      percent: picture.isShare,
      row: row ? detail.row : undefined,
      room: width === undefined ? null : { width: width - 2 * PAD, height },
    }),
    paper: picture.paper,
    least: width && 0,
  });
}

/** The strongest label of the head. @param {Readonly<State>} state @param {Detail} detail */
function habit(state, { site, head }) {
  const found = (areNamed(state) ? scoresOf(state) : null)?.find(
    (one) => one.layer === site.layer && one.head === head,
  );
  return found ? inWords(strongest(found.scores, found.drawn)) : "";
}
