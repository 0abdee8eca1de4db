// The table of the sentences of a study, each of which can be looked at alone.

import { button, make } from "../dom/dom.js";
import { inspectorUrl } from "../standalone/pages.js";
import { textOf } from "../state/address/answers.js";
import { nearly } from "../words/format.js";
import * as words from "./words.js";

/** @import { StudyPair } from "../types.d.ts" */
/** @import { Study } from "./result.js" */

/**
 * @param {HTMLTableElement} table
 * @param {Study} study
 * @param {number | null} alone the sentence that is looked at
 * @param {(pair: number) => void} look
 */
export function fill(table, { pairs, request }, alone, look) {
  const both = request.of === "patching" || request.of === "circuit";
  const names = words.SENTENCE_COLUMNS.filter((name) => both || name !== words.CORRUPTED_COLUMN);
  const heads = names.map((text) => {
    const head = make("th", { text });
    head.scope = "col";
    return head;
  });
  const rows = pairs.map(({ pair }) => {
    const number = button(`${pair.pair + 1}`, () => look(pair.pair), { class: "quiet" });
    number.setAttribute("aria-pressed", String(alone === pair.pair));
    number.setAttribute("aria-label", words.mapOf(pair.pair));
    const link = make("a", { text: words.INSPECT });
    link.href = inspector(pair, both, request);
    const leads = make("td", { class: "study-number", text: leadsOf(pair) });
    if (!pair.follows) leads.append(make("span", { class: "unseen", text: `, ${words.BREAKS}` }));
    const { follows } = pair;
    return make("tr", { class: follows ? "" : "breaks", title: follows ? "" : words.BREAKS }, [
      make("td", {}, [number]),
      make("td", { text: pair.clean, verbatim: true }),
      ...(both ? [make("td", { text: pair.corrupted ?? "", verbatim: true })] : []),
      make("td", { text: words.answerInWords(pair.answer ?? "", pair.wrong) }),
      leads,
      make("td", {}, [link]),
    ]);
  });
  table.replaceChildren(make("thead", {}, [make("tr", {}, heads)]), make("tbody", {}, rows));
}

/** The leads of the answer after both sentences. @param {StudyPair["pair"]} pair */
const leadsOf = ({ lead, corrupted_lead }) =>
  [lead, corrupted_lead]
    .flatMap((one) => (one === null || one === undefined ? [] : nearly(one)))
    .join(" → ");

/** Where a pair is looked at in full. @param {StudyPair["pair"]} pair @param {boolean} both @param {import("../types.d.ts").StudyRequest} request */
function inspector({ clean, corrupted }, both, { model, answer }) {
  const patches = both && corrupted;
  const query = new URLSearchParams(
    patches ? { text: corrupted, clean, view: "patch" } : { text: clean },
  );
  if (model) query.set("model", model);
  if (answer)
    query.set("answer", textOf(/** @type {import("../types.d.ts").ChosenAnswer} */ (answer)));
  return inspectorUrl(`?${query}`);
}
