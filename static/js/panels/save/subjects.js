// What can be saved of the selected head, in each view: its picture, its numbers, and the program that gives them.

import { postTrace, traceFile } from "../../api/api.js";
import { merged } from "../../api/safetensors.js";
import { isLong } from "../../asking/requests.js";
import { palette } from "../../dom/palette.js";
import { captioned, framed } from "../../draw/pictures/frame.js";
import { headBody, within } from "../../draw/pictures/heatmap.js";
import { blockedIn, detailOf, scoresOf } from "../../numbers/detail.js";
import { KINDS, rangeOf } from "../../numbers/matrices.js";
import { matrixOf } from "../../numbers/matrix.js";
import { modelIn } from "../../state/choice.js";
import { pictured } from "../../views/compare/comparison.js";
import { tensorOf } from "../../views/lines/heads.js";
import { csv } from "../../words/format.js";
import { inWords, strongest } from "../../words/labels.js";
import { editsInWords, fileName, headName, textInWords } from "../../words/picture.js";
import { pythonOf } from "../../words/python.js";
import { scratchInWords, shares } from "../../words/scratch.js";
import { cellsCsv, comparedCsv, rowCsv } from "./csv.js";
import { headRequest, headsOf, linesRequest, rowRequest, sideRequest } from "./requests.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../types.d.ts").Answer} Answer */
/** @typedef {import("../../draw/scene.js").Scene} Scene */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */
/** @typedef {{scene?: () => Scene | null, drawn?: () => Promise<unknown>}} Picture one of the views */
/** @typedef {"application/json" | "application/safetensors"} FileType */

/**
 * @typedef {object} Subject what one menu saves
 * @property {string} title of the menu
 * @property {boolean} head whether it is the head, which has tensors and a program
 * @property {(state: Readonly<State>) => string} name of the file, without its end
 * @property {(state: Readonly<State>) => Promise<Scene>} scene
 * @property {(state: Readonly<State>) => Promise<string>} csv
 * @property {(state: Readonly<State>, type: FileType) => Promise<Blob>} file the API's own answer
 */

const NOTHING = "There is no picture here yet.";
export const never = () => new AbortController().signal;

/** @param {Record<string, Picture>} pictures by view @returns {Subject} */
export const headSubject = (pictures) => ({
  title: "Save this head",
  head: true,
  name: (state) => {
    const { model, view, matrix, kind, layer, head } = state;
    const where = matrix === "rollout" ? [] : ["layer", layer, "head", head];
    const what = view === "inside" ? ["row", rowOf(state)] : [matrix];
    const drawn = view === "heatmap" || view === "inside" ? [] : [view];
    return fileName(model, ...(kind === "self" ? [] : [kind]), ...where, ...drawn, ...what);
  },
  scene: async (state) => {
    if (state.view === "heatmap") return headScene(state);
    const scene = pictures[state.view].scene?.();
    if (!scene) throw new Error(NOTHING);
    const [text, rest] = aboutOf(state);
    const b = state.view === "compare" ? "B: " : "";
    return captioned(scene, [`${b}${text}`, rest], palette("light").paper);
  },
  csv: (state) => TABLES[state.view](state),
  file: async (state, type) => {
    const model = modelIn(state);
    const { against, models, view } = state;
    if (view === "compare" && against) {
      const held = sideRequest(state, against, modelIn({ models, model: against.model }));
      return both(await traceFile(held, type), await traceFile(headRequest(state, model), type));
    }
    if (view === "inside") return traceFile(rowRequest(state, model, rowOf(state)), type);
    return traceFile(
      view === "lines" ? linesRequest(state, model) : headRequest(state, model),
      type,
    );
  },
});

/** @param {Readonly<State>} state */
const rowOf = (state) => detailOf(state)?.row ?? 0;

/** The head in full: of a long text the page has but a part. @param {Readonly<State>} state */
async function wholeDetail(state) {
  const held = detailOf(state);
  if (held && !isLong(state) && held[state.matrix]) return held;
  const answer = await postTrace(headRequest(state, modelIn(state)), never());
  const detail = detailOf({ ...state, detail: answer });
  if (!detail) throw new Error(NOTHING);
  return detail;
}

/** Papers are white: pictures have the light colours, whatever the page has. @param {Readonly<State>} state */
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
      unit: KINDS[shown].unit,
    },
    texts:
      detail.site.kind === "cross" ? { query: "target ", key: "source " } : { query: "", key: "" },
  });
  const [top, bottom, left, right] = within(zoom, matrix);
  const part = bottom - top < matrix.rows || right - left < matrix.cols;
  const seen = part ? `Seen: queries ${top} to ${bottom - 1}, keys ${left} to ${right - 1}.` : "";
  const rollout = shown === "rollout";
  return framed({
    title: rollout ? "Attention rollout · all layers" : headName(detail.site, detail.head),
    more: rollout ? "" : habit(state, detail),
    about: [...aboutOf(state), seen],
    ...{ body, paper },
  });
}

/** What was drawn, of which text, and what was done to the model. @param {Readonly<State>} state */
export function aboutOf(state) {
  const of = modelIn(state).mechanisms ? ` (${scratchInWords(state.scratch)})` : "";
  const site = state.detail?.trace.sites[0];
  const summed = site && state.matrix === "pattern" ? shares(site) : "";
  const edits = editsInWords(state) || "the model’s own masks, no head muted";
  const what =
    KINDS[state.matrix].about || `${state.matrix[0].toUpperCase()}${state.matrix.slice(1)}`;
  return [
    textInWords(state, state.shown, modelIn(state)),
    `${what.replace(/\.$/, "")} · model ${state.model}${of} · ${edits}${summed && `. ${summed}`}`,
  ];
}

/** What the head does above all. @param {Readonly<State>} state @param {Detail} detail */
function habit(state, { site, head }) {
  const found = scoresOf(state)?.find((one) => one.layer === site.layer && one.head === head);
  return found ? inWords(strongest(found.scores, found.drawn)) : "";
}

/** @type {Record<State["view"], (state: Readonly<State>) => Promise<string>>} */
const TABLES = {
  heatmap: async (state) => {
    const detail = await wholeDetail(state);
    const matrix = detail[state.matrix];
    if (!matrix) throw new Error(NOTHING);
    return csv(detail.queryLabels, detail.keyLabels, matrix, blockedIn(detail, state.matrix));
  },
  lines: async (state) => {
    /** @type {import("../../types.d.ts").Matrix} */
    const name = tensorOf(state) ?? "rollout";
    const asked = { ...state, matrix: name };
    const answer = await postTrace(linesRequest(asked, modelIn(state)), never());
    const detail = detailOf({ ...asked, detail: answer });
    if (!detail) throw new Error(NOTHING);
    const heads = headsOf(state).flatMap(([layer, head]) => {
      const site = answer.trace.sites.find((one) => one.layer === layer);
      const place = site?.heads.indexOf(head) ?? -1;
      const found = answer.tensors.get(`${site?.name}.${name}`);
      const reasons = answer.tensors.get(`${site?.name}.blocked_by`);
      if (!found || !reasons || place < 0) return [];
      const blocked = matrixOf(reasons, detail.text, reasons.shape[1] === 1 ? 0 : place).data;
      return [{ layer, head, matrix: matrixOf(found, detail.text, place), blocked }];
    });
    const rollout = detail.rollout;
    const { layer, head } = state;
    const only = rollout
      ? [{ layer, head, matrix: rollout, blocked: blockedIn(detail, name).data }]
      : [];
    const { queryLabels: queries, keyLabels: keys } = detail;
    return cellsCsv({
      heads: name === "rollout" ? only : heads,
      queries,
      keys,
      unit: KINDS[name].unit,
    });
  },
  inside: async (state) => {
    const answer = await postTrace(rowRequest(state, modelIn(state), rowOf(state)), never());
    const site = answer.trace.sites[0];
    const detail = detailOf(state);
    if (!site || !detail) throw new Error(NOTHING);
    const { text, keyLabels: keys } = detail;
    const of = (/** @type {string} */ name) => {
      const found = answer.tensors.get(`${site.name}.${name}`);
      return found ? matrixOf(found, text, 0) : null;
    };
    const [pattern, blocked] = [of("pattern"), of("blocked_by")];
    if (!pattern || !blocked) throw new Error(NOTHING);
    return rowCsv({
      ...{ keys, scale: site.scale, q: of("q")?.data ?? null, k: of("k"), v: of("v") },
      ...{ scores: of("scores")?.data ?? null, pattern: pattern.data, blocked: blocked.data },
    });
  },
  compare: async (state) => {
    const found = state.against ? pictured(state, state.against) : null;
    if (typeof found === "string") throw new Error(found);
    if (!found) throw new Error(NOTHING);
    return comparedCsv(found.a, found.b, found.compared);
  },
};

/** Two answers as one file: A and B of a comparison. @param {Blob} a @param {Blob} b */
async function both(a, b) {
  if (a.type === "application/safetensors") {
    const parts = [await a.arrayBuffer(), await b.arrayBuffer()];
    return new Blob([merged({ a: parts[0], b: parts[1] })], { type: a.type });
  }
  return new Blob([`{"a":${await a.text()},"b":${await b.text()}}`], { type: a.type });
}

/** @param {Readonly<State>} state */
export function pythonIn(state) {
  const detail = detailOf(state);
  const trace = state.detail?.trace;
  if (!detail || !trace) throw new Error(NOTHING);
  const { text, row, queries } = detail;
  const targets = trace.target_tokens?.[text] ?? null;
  return pythonOf(state, modelIn(state), {
    text,
    row,
    tokens: trace.tokens[text],
    targets,
    queries,
  });
}
