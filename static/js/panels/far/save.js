// What is saved of the far links.

import { palette } from "../../dom/palette.js";
import { barsBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { modelIn } from "../../state/choice.js";
import { csvTable, label, tokenColumns, tokenFields } from "../../words/format.js";
import { shortName } from "../../words/heads.js";
import { aboutOf, colour } from "../save/about.js";
import { NOTHING } from "../save/words.js";
import { linksIn } from "./links.js";
import { distanceOf, farRequest } from "./request.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */

/** @type {import("../panel.js").Save} */
export const save = {
  name: "far-links",
  scene: (state, { scheme, bare }) => {
    const { links } = foundIn(state);
    const { sequential, paper } = palette(scheme);
    const largest = links[0]?.weight || 1;
    return framed({
      title: words.pictureTitle(distanceOf(state)),
      about: bare ? [] : save.caption(state),
      body: barsBody({
        bars: links.map((link) => ({
          name: words.pictureName(link),
          value: words.pictureValue({ link, head: shortName(link) }),
          start: 0,
          length: link.weight / largest,
          fill: colour(sequential, 90),
        })),
        heads: { ...words.PICTURE_COLUMNS, scale: [] },
        zero: 0,
        paper,
      }),
      paper,
    });
  },
  caption: (state) => [...aboutOf(state), words.source(foundIn(state).searched)],
  csv: (state) =>
    csvTable(
      [...words.CSV.head, ...tokenColumns("query"), ...tokenColumns("key"), ...words.CSV.link],
      foundIn(state).links.map(({ kind, layer, head, query, key, tokens, weight, distance }) => [
        kind,
        layer,
        head,
        ...tokenFields(query, tokens.from, label(tokens.from)),
        ...tokenFields(key, tokens.to, label(tokens.to)),
        weight,
        distance,
      ]),
    ),
  request: (state) => farRequest(state, modelIn(state)),
};

/** @param {Readonly<State>} state */
function foundIn(state) {
  const found = linksIn(state);
  if (!found) throw new Error(state.far?.problem?.message ?? NOTHING);
  return found;
}
