// What can be saved besides the selected head: all heads, the predictions, the logit lens, the mute effects.

import { traceFile } from "../../api/api.js";
import { effectsRequest, lensRequest, nextRequest } from "../../asking/requests.js";
import { headsRequest } from "../../asking/saved.js";
import { palette } from "../../dom/palette.js";
import { barsBody, lensBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { gridBody } from "../../draw/pictures/grid.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { areNamed, detailOf, scoresOf } from "../../numbers/detail.js";
import { matrixOf } from "../../numbers/matrix.js";
import { isMuted, modelIn } from "../../state/choice.js";
import { tells } from "../../state/quiz.js";
import { label, percent, shorten } from "../../words/format.js";
import { shortName } from "../../words/heads.js";
import { brief, labelOf } from "../../words/labels.js";
import { editsInWords, fileName, textInWords } from "../../words/picture.js";
import { answerOf } from "../effects/effects.js";
import { bar, extent, hasNumber, moved, ranked } from "../effects/ranked.js";
import * as effectWords from "../effects/words.js";
import { leadingFrom, stagesOf } from "../lens/stages.js";
import * as lensWords from "../lens/words.js";
import { effectsCsv, headsCsv, lensCsv, predictionsCsv } from "./csv.js";
import * as words from "./words.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("./subjects.js").Subject} Subject */
/** @typedef {import("../../draw/pictures/look.js").Look} Look */

/** @param {Readonly<State>} state */
function aboutOf(state) {
  const { model } = state;
  const text = textInWords(state, state.shown, modelIn(state));
  if (!tells(state)) return [text, words.ofModel(model)];
  const edits = editsInWords(state);
  return [text, edits ? words.edited({ model, edits }) : words.unedited(model)];
}

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
    const { grid: answer, shown, find, log, muted, kind } = state;
    if (!answer?.trace.sites.length) throw new Error(words.NOTHING);
    const text = Math.min(shown, answer.trace.tokens.length - 1);
    const scores = find === null && !areNamed(state) ? null : scoresOf(state);
    const layers = answer.trace.sites.flatMap((site) => {
      const tensor = answer.tensors.get(`${site.name}.pattern`);
      if (!tensor) return [];
      const heads = site.heads.map((head, place) => {
        const one = scores?.find((score) => score.layer === site.layer && score.head === head);
        const label = one && labelOf(one, find);
        /** @param {"name" | "brief"} form */
        const labelled = (form) =>
          label
            ? words.gridLabel({ name: find === null ? label[form] : "", value: brief(label) })
            : "";
        return {
          ...{ head, matrix: matrixOf(tensor, text, place) },
          ...{ words: labelled("name"), brief: labelled("brief") },
          muted: tells(state) && isMuted(muted, kind, site.layer, head),
        };
      });
      return [{ layer: site.layer, heads }];
    });
    const { sequential, paper } = palette(scheme);
    return framed({
      title: words.GRID_TITLES[kind],
      about: bare ? [] : gridCaption(state),
      body: gridBody({ layers, table: sequential, range: { low: 0, high: 255, log }, paper }),
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

/** The tab that is open on the right. @type {Subject} */
export const rightSubject = {
  title: words.TITLES.right,
  head: false,
  name: ({ model, right }) => fileName(model, words.FILES[right]),
  scene: async (state, look = LIGHT) => LISTS[state.right].scene(state, look),
  caption: (state) => LISTS[state.right].caption(state),
  offers: () => new Set(),
  csv: async (state) => LISTS[state.right].csv(state),
  file: async (state, type) => {
    const request = LISTS[state.right].request(state);
    if (!request) throw new Error(words.NOTHING);
    return traceFile(request, type);
  },
};

/** A colour of a scale, as CSS. @param {Uint8ClampedArray} table @param {number} step 0 to 255 */
const colour = (table, step) => `rgb(${table.slice(4 * step, 4 * step + 3).join(", ")})`;

/** @param {{text: string}} token */
const nameOf = (token) => shorten(label(token), 16);

const next = {
  /** @param {Readonly<State>} state */
  answer: (state) => {
    const trace = state.next?.answer?.trace;
    const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
    const predictions = trace?.predictions?.[text];
    const position = trace?.predicted_at?.[text];
    if (!trace || !predictions || position === undefined) throw new Error(words.NOTHING);
    const fills = modelIn({ model: trace.model, models: state.models }).predicts === "fill";
    const read = (trace.target_tokens ?? trace.tokens)[text][position];
    return { predictions, position: { fills, token: nameOf(read) } };
  },
  /** @param {Readonly<State>} state @param {Look} look */
  scene: (state, { scheme, bare }) => {
    const { predictions, position } = next.answer(state);
    const { sequential, paper } = palette(scheme);
    return framed({
      title: words.predictionTitle(position),
      about: bare ? [] : next.caption(state),
      body: barsBody({
        bars: predictions.map((token) => {
          const probability = percent(token.probability);
          return {
            ...{ name: label(token), start: 0, length: Math.min(1, token.probability) },
            value:
              token.unedited == null
                ? probability
                : words.compared({ probability, unedited: percent(token.unedited) }),
            fill: colour(sequential, 90),
          };
        }),
        heads: words.PREDICTION_COLUMNS,
        middle: false,
        paper,
      }),
      paper,
    });
  },
  /** @param {Readonly<State>} state */
  caption: (state) => {
    const { temperature, top_p } = state;
    const settings = [
      temperature === 1 ? "" : words.temperature(temperature),
      top_p < 1 ? words.topP(top_p) : "",
    ];
    return [...aboutOf(state), settings.filter(Boolean).join(" · ")];
  },
  /** @param {Readonly<State>} state */
  csv: (state) => predictionsCsv(next.answer(state).predictions),
  /** @param {Readonly<State>} state */
  request: (state) => nextRequest(state, modelIn(state)),
};

const lens = {
  /** @param {Readonly<State>} state */
  answer: (state) => {
    const detail = detailOf(state);
    const answer = detail && state.lens?.answer?.trace.lens?.[detail.text];
    if (!answer) throw new Error(state.lacks.lens ?? words.NOTHING);
    return { detail, answer };
  },
  /** @param {Readonly<State>} state @param {Look} look */
  scene: (state, { scheme, bare }) => {
    const { detail, answer } = lens.answer(state);
    const { sequential, paper } = palette(scheme);
    const stages = stagesOf(answer);
    const { final: prediction } = stages[stages.length - 1];
    return framed({
      title: lensWords.pictureTitle({
        fills: detail.fills,
        read: shorten(detail.read.label, 16),
      }),
      more: lensWords.leads(nameOf(prediction), leadingFrom(stages)),
      about: bare ? [] : lens.caption(state),
      body: lensBody({
        stages: stages.map(({ name, final, leads, candidates }) => ({
          ...{ name, leads },
          meter: {
            text: lensWords.meter({
              token: nameOf(final),
              probability: percent(final.probability),
            }),
            share: final.probability,
          },
          candidates: candidates.map((one) => ({
            text: lensWords.candidate({
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
  /** @param {Readonly<State>} state */
  caption: (state) => [...aboutOf(state), lensWords.SOURCE],
  /** @param {Readonly<State>} state */
  csv: (state) => lensCsv(lens.answer(state).answer),
  /** @param {Readonly<State>} state */
  request: (state) => {
    const request = lensRequest(state, modelIn(state));
    if (!request) throw new Error(state.lacks.lens ?? words.NOTHING);
    return request;
  },
};

const effects = {
  /** @param {Readonly<State>} state */
  answer: (state) => {
    const answer = answerOf(state);
    if (!answer) throw new Error(state.effects?.problem?.message ?? words.NOTHING);
    return answer;
  },
  /** @param {Readonly<State>} state @param {Look} look */
  scene: (state, { scheme, bare }) => {
    const { effects: list, token, watched } = effects.answer(state);
    const { falls, rises, paper } = palette(scheme);
    const max = extent(list);
    const scale = effectWords.axisLabels({ before: token.probability, extent: max });
    return framed({
      title: effectWords.pictureTitle(watched),
      about: bare ? [] : effects.caption(state),
      body: barsBody({
        bars: ranked(list).map((effect) => {
          const name = shortName(effect);
          const none = { name, value: "", fill: rises, ...bar(0, max) };
          if (!hasNumber(effect)) return { ...none, note: effect.reason ?? effectWords.NO_NUMBER };
          const change = moved(effect);
          return {
            ...{ name, value: effectWords.pictureValue(effect) },
            ...{ fill: change < 0 ? falls : rises, ...bar(change, max) },
          };
        }),
        heads: { ...effectWords.PICTURE_COLUMNS, scale },
        middle: true,
        paper,
      }),
      paper,
    });
  },
  /** @param {Readonly<State>} state */
  caption: (state) => [...aboutOf(state), effectWords.pictureSource(effects.answer(state).watched)],
  /** @param {Readonly<State>} state */
  csv: (state) => {
    return effectsCsv(effects.answer(state));
  },
  /** @param {Readonly<State>} state */
  request: (state) => effectsRequest(state, modelIn(state)),
};

const LISTS = { next, lens, effects };
