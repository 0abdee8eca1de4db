// What is saved of the circuits: a picture of the lists on the screen, and all numbers.

import { palette } from "../../dom/palette.js";
import { barsBody } from "../../draw/pictures/bars.js";
import { framed } from "../../draw/pictures/frame.js";
import { csvTable } from "../../words/format.js";
import { colour } from "../save/about.js";
import { NOTHING } from "../save/words.js";
import { askedIn } from "./asked.js";
import { copyingInWords, pairLists, partnerLists, partnersInWords, tokensOf } from "./rows.js";
import * as words from "./words.js";

/** @import { Circuits, State } from "../../types.d.ts" */

/** @type {import("../panel.js").Save} */
export const save = {
  name: "circuits",
  scene: (state, { scheme, bare }) => {
    const { head, token } = answersIn(state);
    const { sequential, falls, rises, paper } = palette(scheme);
    const fills = { ov: rises, raises: rises, lowers: falls };
    const lists = token ? partnerLists(token) : pairLists(head);
    return framed({
      title: words.pictureTitle(state),
      about: bare ? [] : save.caption(state),
      body: barsBody({
        bars: lists.flatMap(({ name, title, rows }) =>
          rows.map((row) => ({
            name: words.pairName(row),
            value: words.pictureValue({ list: title, value: row.value }),
            start: 0,
            length: row.share,
            fill: fills[/** @type {keyof typeof fills} */ (name)] ?? colour(sequential, 90),
          })),
        ),
        heads: { ...words.PICTURE_COLUMNS, scale: [] },
        zero: 0,
        paper,
      }),
      paper,
    });
  },
  caption: (state) => {
    const { head, token } = answersIn(state);
    return [
      ...(token ? [partnersInWords(token)] : []),
      copyingInWords(head),
      words.READS[head.reads](head.n_tokens),
      words.BARS,
    ];
  },
  csv: (state) => {
    const { head, token } = answersIn(state);
    const { as_query, as_key, raises, lowers } = token?.partners ?? {};
    const lists = { qk: head.qk, ov: head.ov, as_query, as_key, raises, lowers };
    return csvTable(
      words.CSV,
      Object.entries(lists).flatMap(([list, pairs]) =>
        (pairs ?? []).map((pair) => {
          const [one, other] = tokensOf(pair);
          return [list, one.text, one.id, other.text, other.id, pair.value];
        }),
      ),
    );
  },
  request: () => null,
  json: (state) => {
    const { head, token } = answersIn(state);
    return { ...head, partners: token?.partners ?? null };
  },
};

/** @param {Readonly<State>} state @returns {{head: Circuits, token: Circuits | null}} */
function answersIn(state) {
  const [head, token] = [askedIn(state, "head"), askedIn(state, "token")];
  if (!head?.answer) throw new Error(head?.problem?.message ?? NOTHING);
  return { head: head.answer, token: token?.answer ?? null };
}
