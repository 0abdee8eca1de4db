// A quiz: the page keeps to itself what would give the answer away, until the reader asks for it. Everything that tells looks here;
// whole parts of the page are marked with `data-tells` in the template, and the style sheet hides them. The logit lens stays: it names no
// head, and its clue is as likely to mislead. In every round of the muting bets it jumps in the last layer, and the head that matters most is
// there in two of four (tests/unit/learning/test_workshop.py measures it). Pure.

import { PANELS } from "./panels.js";
import { VIEWS } from "./views.js";

/** @import { Choice } from "../types.d.ts" */

/** Whether the page may name what a head does, and say what was done to the model. @param {{quiz?: boolean}} state */
export const tells = ({ quiz }) => !quiz;

/** A choice without what tells in itself: a ranking of the heads, a comparison, the tour, a view that names each step. @param {Choice} choice */
export const hushed = (choice) => ({
  ...choice,
  find: null,
  picture: [],
  by: /** @type {const} */ ("probe"),
  least: 0,
  against: null,
  tour: false,
  left: /** @type {const} */ ("row"),
  right: PANELS[0].name,
  view: viewsIn({ quiz: true }).find((name) => name === choice.view) ?? VIEWS[0].name,
});

/** The names of the views that can be chosen. @param {{quiz?: boolean}} state */
export const viewsIn = (state) =>
  VIEWS.filter((view) => tells(state) || !("tells" in view)).map(({ name }) => name);

/** A query string in one piece that nobody reads at a glance, since an address names every setting. @param {string} query */
export const sealed = (query) =>
  `?quiz=${btoa(query.replace(/^\?/, "")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;

/**
 * What `sealed` made of a query string, or, in one that a person wrote, "quiz=1" beside the other keys. One that was damaged is not a quiz.
 * @param {string} search
 */
export function opened(search) {
  const query = new URLSearchParams(search);
  const seal = query.get("quiz");
  if (seal === null || seal === "1") return search;
  query.delete("quiz");
  try {
    return `?${atob(seal.replace(/-/g, "+").replace(/_/g, "/"))}&quiz=1`;
  } catch {
    return `?${query}`;
  }
}
