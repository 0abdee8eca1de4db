// What is saved of a dossier: the picture of all heads, and their numbers.

import { palette } from "../../dom/palette.js";
import { framed } from "../../draw/pictures/frame.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, threeDigits } from "../../words/format.js";
import { nameOf, sidesOf } from "./names.js";
import { along, labelOf, scattered } from "./points.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Mark } from "../../draw/scene.js" */

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [520, 360, 44, 22]; // pixels

/** @type {import("../view.js").Save} */
export const save = {
  parts: () => [words.FILE],
  scene: async (state, { scheme, bare }) => {
    const { paper } = palette(scheme);
    const seen = scattered(dossierIn(state), state);
    const text = { mark: /** @type {const} */ ("text"), size: 11, fill: paper.faint };
    const area = { width: WIDTH - LEFT - 40, height: HEIGHT - BOTTOM - 12 };
    const x = (/** @type {number} */ share) => LEFT + share * area.width;
    const y = (/** @type {number} */ share) => (1 - share) * area.height + 8;
    const sides = sidesOf(seen.points, area, null);
    /** @type {Mark[]} */
    const marks = [
      ...seen.across.ticks.map((value) => ({
        ...text,
        x: x(along(seen.across, value)),
        y: HEIGHT - 8,
        text: threeDigits(value),
        anchor: /** @type {const} */ ("middle"),
      })),
      ...seen.up.ticks.map((value) => ({
        ...text,
        x: LEFT - 12,
        y: y(along(seen.up, value)),
        text: threeDigits(value),
        anchor: /** @type {const} */ ("end"),
      })),
      ...seen.points.flatMap((one, index) => {
        const [at, side] = [{ ...text, fill: paper.ink, x: x(one.x), y: y(one.y) }, sides[index]];
        const name =
          side === "left" ? { x: at.x - 8, anchor: /** @type {const} */ ("end") } : { x: at.x + 8 };
        return [
          { ...at, text: one.shape, anchor: /** @type {const} */ ("middle") },
          ...(side === "none" ? [] : [{ ...at, ...name, text: nameOf(one) }]),
        ];
      }),
    ];
    return framed({
      title: words.pictureTitle(seen),
      more: words.keyInWords(seen.kinds),
      about: bare ? [] : caption(state),
      body: { width: WIDTH, height: HEIGHT, marks },
      paper,
    });
  },
  csv: async (state) => {
    const dossier = dossierIn(state);
    const names = dossier.measures.map(({ name }) => name);
    return csvTable(
      [...words.CSV_COLUMNS, ...names.flatMap((name) => [name, `${name}_low`, `${name}_high`])],
      dossier.heads.map((head) => [
        head.kind,
        head.layer,
        head.head,
        labelOf(head, state).name,
        ...names.flatMap((name) => {
          const { value, low, high } = head.values[name];
          return [value, low, high];
        }),
      ]),
    );
  },
  file: async (state, type) => {
    if (type !== "application/json") throw new Error(words.ONLY_JSON);
    return new Blob([JSON.stringify(dossierIn(state))], { type });
  },
};

/** @param {Readonly<State>} state */
function caption(state) {
  const { model, corpus, settings } = dossierIn(state);
  return [
    words.ofTexts({ model, texts: corpus.description }),
    words.about({ n: corpus.n_texts, replicates: settings.replicates }),
  ];
}

/** @param {Readonly<State>} state */
function dossierIn({ corpus, model }) {
  const answer = corpus?.model === model ? corpus.answer : null;
  if (!answer) throw new Error(corpus?.problem?.message ?? NOTHING);
  return answer;
}
