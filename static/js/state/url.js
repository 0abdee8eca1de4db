// Writes the reader's choice as a query string and reads it back: address.js has a row for each part of it.

import { ROWS } from "./address.js";
import { heldOf } from "./against.js";
import { fit, modelIn } from "./choice.js";
import { hushed, opened, sealed } from "./quiz.js";

/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").Model} Model */

/**
 * @param {Choice} choice
 * @param {Model[]} models
 * @returns {string} a query string, with its "?" unless it is empty
 */
export function toQuery(choice, models) {
  const query = new URLSearchParams();
  const known = models.some(({ name }) => name === choice.model);
  const model = known ? modelIn({ ...choice, models }) : undefined;
  const at = {
    models,
    model,
    writeChoice: (/** @type {Choice} */ other) => toQuery({ ...other, quiz: false }, models),
  };
  for (const { write } of ROWS) write(query, choice, at);
  return choice.quiz ? sealed(`${query}`) : `?${query}`;
}

/**
 * Invalid values fall back to the default; a head that the model does not have, to the nearest one that it has.
 * @param {string} search
 * @param {Model[]} models
 * @param {import("./address.js").Example} example
 * @param {number} maxTexts
 * @returns {Choice}
 */
export function fromQuery(search, models, example, maxTexts) {
  const query = new URLSearchParams(opened(search));
  const model = models.find(({ name }) => name === query.get("model")) ?? models[0];
  if (!model) throw new Error("The server has no models.");
  const at = {
    ...{ models, model, example },
    texts: (query.has("text") ? query.getAll("text") : example.texts).slice(0, maxTexts),
    fresh: !query.has("text") && !query.has("layer"),
    bare: [...query.keys()].every((key) => key === "tour"),
    readSide: (/** @type {string} */ other) => heldOf(fromQuery(other, models, example, maxTexts)),
  };
  const read = ROWS.map((row) => [row.key, row.read(query, at)]);
  const given = /** @type {Choice} */ (Object.fromEntries(read));
  const choice = given.quiz ? hushed(given) : given;
  return { ...choice, ...fit(choice, modelIn({ ...choice, models })) };
}
