// What a link asks for that this server does not have: a model, or a head. The page shows nothing in its place until the reader chooses.
// Pure.

import { kindsOf, modelIn, siteAt } from "../choice.js";
import { opened } from "../quiz.js";

/** @import { Choice, Missing, Model } from "../../types.d.ts" */

/**
 * @param {string} search the link
 * @param {Choice} asked what it says, with the default model in the place of an unknown one
 * @param {Model[]} models
 * @returns {Missing | null} null: nothing is missing, as far as is known before the model is loaded
 */
export function missingIn(search, asked, models) {
  const query = new URLSearchParams(opened(search));
  const named = query.get("model");
  if (named !== null && !models.some(({ name }) => name === named)) return { model: named, asked };
  const names = ["kind", "layer", "head"].some((key) => query.has(key));
  return names && lacksHead(asked, modelIn({ ...asked, models })) ? { model: null, asked } : null;
}

/**
 * Whether a model that is loaded lacks a head.
 * @param {Pick<Choice, "kind" | "layer" | "head">} place
 * @param {Pick<Model, "sites">} model
 */
export function lacksHead({ kind, layer, head }, model) {
  if (model.sites === null) return false;
  const kinds = kindsOf(model);
  // "self" is also what a link says that leaves the kind out
  const found = kind === "self" && !kinds.includes(kind) ? kinds[0] : kind;
  return head >= (siteAt(model, found, layer)?.n_heads ?? 0);
}
