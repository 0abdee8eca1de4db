// A hunt for a head of the model that the projector shows: the probe says which heads are right.

import { make } from "../../../dom/dom.js";
import { BY_METRIC, FINDS } from "../../../state/finds.js";
import { strongest } from "../../../words/labels.js";
import { field, optionsOf, select, textField } from "./fields.js";
import { probed, projected, quizOf } from "./projected.js";
import * as words from "./words.js";

/** @import { HeadScores } from "../../../types.d.ts" */
/** @typedef {{metric: string, does: string, heads: [number, number][]}} Game what can be hunted, and the heads that are right */

/**
 * What can be hunted: each metric that labels some head, with the heads that it labels. One that labels many of them is not a hunt.
 * @param {HeadScores[]} heads
 * @returns {Game[]}
 */
export function gamesIn(heads) {
  const labels = heads.map(({ layer, head, scores, drawn }) => ({
    layer,
    head,
    metric: strongest(scores, drawn).metric,
  }));
  return FINDS.flatMap(({ metric }) => {
    const found = labels.filter((one) => one.metric === metric);
    if (found.length === 0 || 2 * found.length > heads.length) return [];
    const { does } = BY_METRIC[metric];
    return [{ metric, does, heads: found.map(({ layer, head }) => [layer, head]) }];
  });
}

/**
 * @param {HTMLElement} root
 * @param {import("../types.d.ts").ClassDocument} doc
 * @returns {import("../types.d.ts").Composer}
 */
export function composeHunt(root, doc) {
  const text = textField();
  const about = make("p", { class: "hint", text: words.READING });
  about.setAttribute("role", "status");
  const what = select([]);
  root.replaceChildren(field(words.HUNTED, what), text.root, about);
  /** @type {Game[]} */
  let games = [];
  const ask = () => {
    text.input.value = words.huntFor(games[Number(what.value)].does);
  };
  what.addEventListener("change", ask);
  const made = projected(doc.choice).then(async (selection) => {
    games = gamesIn(await probed(selection.model));
    if (games.length === 0) throw new Error(words.NOTHING_TO_HUNT);
    what.replaceChildren(
      ...optionsOf(
        games.map(({ does, heads }, index) => ({
          value: String(index),
          text: words.huntable(does, heads.length),
        })),
      ),
    );
    ask();
    about.textContent = "";
    return quizOf({ ...selection, query: null, key: null, muted: [] });
  });
  made.catch((error) => {
    about.textContent = error.message;
  });
  return {
    question: async () => {
      const choice = await made;
      return { text: text.read(), truth: games[Number(what.value)].heads, choice };
    },
  };
}
