// Find a head by the weight that it gives from one token to another: the choice of the two tokens, and the scores.

import { make, need } from "../../dom/dom.js";
import { between, strongestLook } from "../../numbers/between.js";
import { areNamed, detailOf, scoresOf } from "../../numbers/detail.js";
import { matched } from "../../numbers/picture.js";
import { headsDrawing } from "../../numbers/relations.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { modelIn } from "../../state/choice.js";
import { relationOf } from "../../state/finds.js";
import { label } from "../../words/format.js";
import { BETWEEN_NO_TOKENS, betweenInWords } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

/** What the scores depend on. */
const SCORED = /** @type {(keyof State)[]} */ ([
  "find",
  "by",
  "probe",
  "grid",
  "scores",
  "picture",
  "match",
  "shown",
  "quiz",
  ...MODEL_KEYS,
]);
/** @type {readonly (keyof State)[]} what the default tokens depend on, in addition */
const ENDS = ["query", "key", "layer", "head", "detail"];

/**
 * Call `draw` whenever the scores change.
 * @param {Store} store
 * @param {(state: Readonly<State>) => void} draw
 * @param {(keyof State)[]} [more]
 */
export function watchScores(store, draw, more = []) {
  store.watch([...SCORED, ...more], draw);
  store.watch(ENDS, (state) => {
    if (state.find === "between" || state.find === "picture") draw(state);
  });
}

/** The scores that label or rank the heads; null until they have arrived, and where there is nothing to name. @param {Readonly<State>} state */
export function scoresBy(state) {
  const relation = relationOf(state.find);
  if (relation !== null) return headsDrawing(state, relation);
  if (state.find === null && !areNamed(state)) return null;
  if (state.find === "picture") return matched(state);
  if (state.find !== "between") return scoresOf(state);
  const ends = endsOf(state);
  return ends && state.grid ? between(state.grid, state.shown, ends.query, ends.key) : null;
}

/** What the scores are, and what to do next. @param {Readonly<State>} state */
export function explainBetween(state) {
  const ends = endsOf(state);
  if (!ends) return BETWEEN_NO_TOKENS;
  const { queries, keys, query, key } = ends;
  const isPredicted = query > 0 && modelIn(state).predicts === "next";
  const before = isPredicted ? queries[query - 1] : null;
  return betweenInWords({ query: queries[query], key: keys[key], before });
}

/** The two tokens, and all tokens to choose from; null until there are any. @param {Readonly<State>} state */
function endsOf(state) {
  const { grid, shown } = state;
  const site = grid?.trace.sites[0];
  if (!grid || !site) return null;
  const text = Math.min(shown, grid.trace.tokens.length - 1);
  const [queries, keys] = [site.query_tokens, site.key_tokens].map((axis) =>
    (grid.trace[axis] ?? grid.trace.tokens)[text].map(label),
  );
  const query = Math.min(state.query ?? detailOf(state)?.row ?? 0, queries.length - 1);
  const key =
    state.key !== null && state.key < keys.length
      ? state.key
      : (strongestLook(grid, state, query)?.key ?? 0);
  return { queries, keys, query, key: Math.min(key, keys.length - 1) };
}

/** The choice of the two tokens. @param {HTMLElement} line with two lists @param {Store} store */
export function chooseEnds(line, store) {
  const from = need("label:first-of-type select", HTMLSelectElement, line);
  const to = need("label:last-of-type select", HTMLSelectElement, line);
  watchScores(store, (state) => {
    const ends = state.find === "between" ? endsOf(state) : null;
    line.hidden = ends === null;
    if (!ends) return;
    fill(from, ends.queries, ends.query);
    fill(to, ends.keys, ends.key);
  });
  from.addEventListener("change", () => store.update({ query: from.selectedIndex }));
  to.addEventListener("change", () => store.update({ key: to.selectedIndex }));
}

/** @param {HTMLSelectElement} select @param {string[]} labels @param {number} chosen */
function fill(select, labels, chosen) {
  const texts = labels.map((text, index) => `${index} ${text}`);
  if (texts.join("\n") !== [...select.options].map(({ text }) => text).join("\n")) {
    select.replaceChildren(...texts.map((text) => make("option", { text })));
  }
  select.selectedIndex = chosen;
}
