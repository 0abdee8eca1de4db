// What can be saved besides the selected head: all heads, the predictions, the logit lens, the mute effects.

import { traceFile } from "../../api/api.js";
import { effectsRequest, lensRequest, nextRequest } from "../../asking/requests.js";
import { headsRequest } from "../../asking/saved.js";
import { palette } from "../../dom/palette.js";
import { barsBody, lensBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { gridBody } from "../../draw/pictures/grid.js";
import { detailOf, scoresOf } from "../../numbers/detail.js";
import { matrixOf } from "../../numbers/matrix.js";
import { isMuted, modelIn } from "../../state/choice.js";
import { label, percent, shorten } from "../../words/format.js";
import { brief, KIND_NAMES, labelOf } from "../../words/labels.js";
import { editsInWords, fileName, textInWords } from "../../words/picture.js";
import { answerOf } from "../effects/effects.js";
import { bar, extent, nats, ranked, signed } from "../effects/ranked.js";
import { placeOf } from "../head/tables.js";
import { SOURCE, settled, stagesOf } from "../lens/stages.js";
import { effectsCsv, headsCsv, lensCsv, predictionsCsv } from "./csv.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("./subjects.js").Subject} Subject */

const NOTHING = "There are no numbers here yet, or this model has none.";

/** @param {Readonly<State>} state */
const aboutOf = (state) => [
  textInWords(state, state.shown, modelIn(state)),
  `Model ${state.model} · ${editsInWords(state) || "its own masks, no head muted"}`,
];

/** @type {Subject} */
export const gridSubject = {
  title: "Save all heads",
  head: false,
  name: ({ model, kind }) => fileName(model, ...(kind === "self" ? [] : [kind]), "heads"),
  scene: async (state) => {
    const { grid: answer, shown, find, log, muted, kind, by } = state;
    if (!answer?.trace.sites.length) throw new Error(NOTHING);
    const text = Math.min(shown, answer.trace.tokens.length - 1);
    const scores = scoresOf(state);
    const layers = answer.trace.sites.flatMap((site) => {
      const tensor = answer.tensors.get(`${site.name}.pattern`);
      if (!tensor) return [];
      const heads = site.heads.map((head, place) => {
        const one = scores?.find((score) => score.layer === site.layer && score.head === head);
        const label = one && labelOf(one, find);
        const words = label ? `${find === null ? label.brief : ""} ${brief(label)}`.trim() : "";
        const silent = isMuted(muted, kind, site.layer, head);
        return { head, matrix: matrixOf(tensor, text, place), words, muted: silent };
      });
      return [{ layer: site.layer, heads }];
    });
    const { sequential, paper } = palette("light");
    const stack = KIND_NAMES[kind] ? `${KIND_NAMES[kind]} · ` : "";
    const labels = by === "probe" ? "on random tokens" : "in this text";
    return framed({
      title: stack ? `${stack}all heads · pattern` : "All heads · pattern",
      about: [
        ...aboutOf(state),
        `Queries down, keys along the top. Labels: what a head does ${labels}.`,
      ],
      body: gridBody({ layers, table: sequential, range: { low: 0, high: 255, log }, paper }),
      paper,
    });
  },
  csv: async (state) => {
    const heads = scoresOf(state);
    if (!heads) throw new Error("The heads have no scores yet.");
    return headsCsv(heads);
  },
  file: (state, type) => traceFile(headsRequest(state, modelIn(state)), type),
};

/** The tab that is open on the right. @type {Subject} */
export const rightSubject = {
  title: "Save this list",
  head: false,
  name: ({ model, right }) =>
    fileName(model, { next: "predictions", lens: "lens", effects: "effects" }[right]),
  scene: async (state) => LISTS[state.right].scene(state),
  csv: async (state) => LISTS[state.right].csv(state),
  file: async (state, type) => {
    const request = LISTS[state.right].request(state);
    if (!request) throw new Error(NOTHING);
    return traceFile(request, type);
  },
};

/** A colour of a scale, as CSS. @param {Uint8ClampedArray} table @param {number} step 0 to 255 */
const colour = (table, step) => `rgb(${table.slice(4 * step, 4 * step + 3).join(", ")})`;

/** @param {{text: string}} token */
const quoted = (token) => `“${shorten(label(token), 16)}”`;

const next = {
  /** @param {Readonly<State>} state */
  found: (state) => {
    const trace = state.next?.answer?.trace;
    const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
    const predictions = trace?.predictions?.[text];
    const position = trace?.predicted_at?.[text];
    if (!trace || !predictions || position === undefined) throw new Error(NOTHING);
    const fills = modelIn({ model: trace.model, models: state.models }).predicts === "fill";
    const read = (trace.target_tokens ?? trace.tokens)[text][position];
    return { predictions, where: `${placeOf({ fills })} ${quoted(read)}` };
  },
  /** @param {Readonly<State>} state */
  scene: (state) => {
    const { predictions, where } = next.found(state);
    const { sequential, paper } = palette("light");
    const { temperature, top_p } = state;
    const drawn = [
      temperature === 1 ? "" : `temperature ${temperature}`,
      top_p < 1 ? `top-p ${top_p}` : "",
    ].filter(Boolean);
    return framed({
      title: `Prediction ${where}`,
      about: [...aboutOf(state), drawn.join(" · ")],
      body: barsBody({
        bars: predictions.map((token) => ({
          ...{ name: label(token), start: 0, length: Math.min(1, token.probability) },
          value:
            percent(token.probability) +
            (token.unedited == null ? "" : ` (unedited ${percent(token.unedited)})`),
          fill: colour(sequential, 90),
        })),
        heads: {
          name: "token",
          value: "probability",
          scale: ["0", "50%", "100%"],
        },
        middle: false,
        paper,
      }),
      paper,
    });
  },
  /** @param {Readonly<State>} state */
  csv: (state) => predictionsCsv(next.found(state).predictions),
  /** @param {Readonly<State>} state */
  request: (state) => nextRequest(state, modelIn(state)),
};

const lens = {
  /** @param {Readonly<State>} state */
  found: (state) => {
    const detail = detailOf(state);
    const found = detail && state.lens?.answer?.trace.lens?.[detail.text];
    if (!found) throw new Error(state.lacks.lens ?? NOTHING);
    return { detail, found };
  },
  /** @param {Readonly<State>} state */
  scene: (state) => {
    const { detail, found } = lens.found(state);
    const { sequential, paper } = palette("light");
    const stages = stagesOf(found);
    const where = `${detail.fills ? "at" : "after"} “${shorten(detail.read.label, 16)}”`;
    return framed({
      title: `Logit lens ${where}`,
      more: settled(stages) && `${quoted(stages[stages.length - 1].final)} ${settled(stages)}`,
      about: [...aboutOf(state), SOURCE],
      body: lensBody({
        stages: stages.map(({ name, final, leads, candidates }) => ({
          ...{ name, leads },
          meter: {
            text: `${quoted(final)} ${percent(final.probability)}`,
            share: final.probability,
          },
          candidates: candidates.map((one) => ({
            text: `${shorten(label(one), 12)} ${percent(one.probability)}`,
            final: one.id === final.id,
          })),
        })),
        fill: colour(sequential, 60),
        paper,
      }),
      paper,
    });
  },
  /** @param {Readonly<State>} state */
  csv: (state) => lensCsv(lens.found(state).found),
  /** @param {Readonly<State>} state */
  request: (state) => {
    const request = lensRequest(state, modelIn(state));
    if (!request) throw new Error(state.lacks.lens ?? NOTHING);
    return request;
  },
};

const effects = {
  /** @param {Readonly<State>} state */
  scene: (state) => {
    const found = answerOf(state);
    if (!found) throw new Error(state.effects?.problem?.message ?? NOTHING);
    const { diverging, paper } = palette("light");
    const most = extent(found.effects);
    return framed({
      title: `Mute effects on “${found.text}” ${found.where}`,
      about: [
        ...aboutOf(state),
        `Change of ln p(“${found.text}”), in nats, with one head muted. To the left: the head helps.`,
      ],
      body: barsBody({
        bars: ranked(found.effects).map(({ layer, head, change, reason }) => ({
          name: `L${layer} · H${head}`,
          value: change === null ? "" : signed(change),
          ...bar(change ?? 0, most),
          fill: colour(diverging, (change ?? 0) < 0 ? 64 : 191),
          ...(change === null ? { note: reason ?? "no number" } : {}),
        })),
        heads: { name: "head", value: "nats", scale: [`−${nats(most)}`, "0", `+${nats(most)}`] },
        middle: true,
        paper,
      }),
      paper,
    });
  },
  /** @param {Readonly<State>} state */
  csv: (state) => {
    const found = answerOf(state);
    if (!found) throw new Error(state.effects?.problem?.message ?? NOTHING);
    return effectsCsv(found);
  },
  /** @param {Readonly<State>} state */
  request: (state) => effectsRequest(state, modelIn(state)),
};

const LISTS = { next, lens, effects };
