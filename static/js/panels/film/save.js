// What is saved of a film: its curves as a picture, and all numbers.

import { palette } from "../../dom/palette.js";
import { framed } from "../../draw/pictures/frame.js";
import { modelIn } from "../../state/choice.js";
import { csvTable } from "../../words/format.js";
import { modelLabel } from "../../words/heads.js";
import { colour } from "../save/about.js";
import { NOTHING } from "../save/words.js";
import { phaseChange, stepsOf } from "./born.js";
import { pathOf } from "./curve.js";
import * as words from "./words.js";

/** @import { FilmAsked, State } from "../../types.d.ts" */
/** @import { Mark } from "../../draw/scene.js" */

const [WIDTH, HEIGHT, GAP] = [220, 80, 40];

/** @param {(state: Readonly<State>) => FilmAsked | null} asked @returns {import("../panel.js").Save} */
export function save(asked) {
  /** @param {Readonly<State>} state */
  const filmIn = (state) => {
    const film = asked(state)?.answer;
    if (!film) throw new Error(asked(state)?.problem?.message ?? NOTHING);
    return film;
  };
  /** @param {Readonly<State>} state */
  const caption = (state) => {
    const film = filmIn(state);
    const { rounding } = film;
    return [
      ...(Object.keys(film.heads).length > 0 ? [words.phaseInWords(film, phaseChange(film))] : []),
      words.source(film),
      ...(rounding === null ? [] : [words.rounded(rounding)]),
    ];
  };
  return {
    name: "training",
    scene: (state, { scheme, bare }) => {
      const film = filmIn(state);
      const { at, base } = stepsOf(modelIn(state), state.models);
      const { sequential, paper } = palette(scheme);
      const curves = words.curvesOf(film, state);
      const marks = curves.map((row, place) => {
        const { points, d } = pathOf(film, row, { width: WIDTH, height: HEIGHT });
        const { x } = points[at];
        const title = `${row.title}: ${row.text(row.values[at])}`;
        return /** @type {Mark} */ ({
          mark: "group",
          x: (place % 2) * (WIDTH + GAP),
          y: Math.floor(place / 2) * (HEIGHT + GAP),
          marks: [
            { mark: "text", x: 0, y: 6, text: title, size: 12, fill: paper.ink },
            {
              mark: "group",
              x: 0,
              y: 18,
              marks: [
                { mark: "path", d: `M0 0V${HEIGHT}H${WIDTH}`, stroke: paper.faint, line: 1 },
                { mark: "path", d: `M${x} 0V${HEIGHT}`, stroke: paper.faint, line: 1 },
                { mark: "path", d, stroke: colour(sequential, 180), line: 1.5 },
              ],
            },
          ],
        });
      });
      const rows = Math.ceil(curves.length / 2);
      return framed({
        title: words.pictureTitle(modelLabel(base ?? state.model)),
        more: words.after(film.steps, at),
        about: bare ? [] : caption(state),
        body: { width: 2 * WIDTH + GAP, height: rows * (HEIGHT + GAP), marks },
        paper,
      });
    },
    caption,
    csv: (state) => {
      const { steps, curves, heads, mutes } = filmIn(state);
      const scored = { ...heads, ...(mutes.length > 0 ? { mute: mutes } : {}) };
      return csvTable(words.CSV, [
        ...Object.entries(curves).flatMap(([name, values]) =>
          values.map((value, at) => [steps[at], name, "", "", value]),
        ),
        ...Object.entries(scored).flatMap(([name, values]) =>
          values.flatMap((layers, at) =>
            layers.flatMap((row, layer) =>
              row.map((value, head) => [steps[at], name, layer, head, value ?? ""]),
            ),
          ),
        ),
      ]);
    },
    request: () => null,
    json: filmIn,
  };
}
