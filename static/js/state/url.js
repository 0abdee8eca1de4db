// Writes the reader's choice as a query string and reads it back: address/rows.js has a row for each part of it.

import { ROWS } from "./address/rows.js";
import { fitted, heldOf } from "./against.js";
import { fit, modelIn } from "./choice.js";
import { lostIn } from "./fitting/lost.js";
import { missingIn } from "./fitting/missing.js";
import { hushed, opened, sealed } from "./quiz.js";

/** @import { Choice, Model } from "../types.d.ts" */

/**
 * @param {Choice} choice
 * @param {Model[]} models
 * @param {{shared?: boolean}} [use] `shared`: it is for others, as a link, and not for the address bar
 * @returns {string} a query string, with its "?" unless it is empty
 */
export function toQuery(choice, models, { shared = false } = {}) {
  const query = new URLSearchParams();
  const known = models.some(({ name }) => name === choice.model);
  const model = known ? modelIn({ ...choice, models }) : undefined;
  const at = {
    models,
    model,
    shared,
    writeChoice: (/** @type {Choice} */ other) => toQuery({ ...other, quiz: false }, models),
  };
  for (const { write } of ROWS) write(query, choice, at);
  return choice.quiz ? sealed(`${query}`) : `?${query}`;
}

/**
 * What a link shows: invalid values fall back to the default; a head that the model does not have, to the nearest one that it has.
 * @param {string} search
 * @param {Model[]} models
 * @param {import("./address/row.js").Example} example
 * @param {number} maxTexts
 * @returns {Choice}
 */
export function fromQuery(search, models, example, maxTexts) {
  const asked = askedIn(search, models, example, maxTexts);
  const choice = { ...asked, ...fit(asked, modelIn({ ...asked, models })) };
  return { ...choice, ...fitted({ ...choice, models }) };
}

/**
 * What a link shows, what it asks for that is missing, and what it loses.
 * @param {string} search
 * @param {Model[]} models
 * @param {import("./address/row.js").Example} example
 * @param {number} maxTexts
 */
export function linked(search, models, example, maxTexts) {
  const asked = askedIn(search, models, example, maxTexts);
  const choice = fromQuery(search, models, example, maxTexts);
  const missing = missingIn(search, asked, models);
  const { kind, layer, head } = choice; // one that the link does not name, the example does, for its own model: it is no loss
  const lost = missing ? null : lostIn({ ...asked, kind, layer, head }, choice, models);
  return { choice, missing, lost };
}

/** Parameters that do not say what to show: depth.js knows them, too. */
const NOTHING_SHOWN = ["tour", "engine", "model", "lang"];
/** @param {URLSearchParams} query */
const saysNothing = (query) => [...query.keys()].every((key) => NOTHING_SHOWN.includes(key));

/**
 * An address, with the model of the reader's language if it does not say what to show.
 * @param {string} search
 * @param {string | null | undefined} model
 */
export function inReadersLanguage(search, model) {
  const query = new URLSearchParams(opened(search));
  if (!model || !saysNothing(query) || query.has("model")) return search;
  query.set("model", model);
  return `?${query}`;
}

/**
 * What a link says, whether or not its model has it.
 * @param {string} search
 * @param {Model[]} models
 * @param {import("./address/row.js").Example} example
 * @param {number} maxTexts
 * @returns {Choice}
 */
function askedIn(search, models, example, maxTexts) {
  const query = new URLSearchParams(opened(search));
  const model = models.find(({ name }) => name === query.get("model")) ?? models[0];
  if (!model) throw new Error("The server has no models.");
  const at = {
    models,
    model,
    example,
    texts: (query.has("text") ? query.getAll("text") : example.texts).slice(0, maxTexts),
    fresh: !query.has("text") && !query.has("layer"),
    bare: saysNothing(query),
    readSide: (/** @type {string} */ other) => {
      const named = new URLSearchParams(other).get("model");
      const side = heldOf(askedIn(other, models, example, maxTexts));
      return named === null ? side : { ...side, model: named };
    },
  };
  const read = ROWS.map((row) => [row.key, row.read(query, at)]);
  const given = /** @type {Choice} */ (Object.fromEntries(read));
  return given.quiz ? hushed(given) : given;
}
