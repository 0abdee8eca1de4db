// What is read in the place of what a model predicts, as a text of the address: `entropy`, `similarity~texts=A cat~texts=A dog` or
// `probe~layer=1~weights=0.5,-1` (headlight/request/answers.py writes the same). Pure.

import { escaped, listOf, numberOf, pieces } from "./interventions.js";
import { integer } from "./readings.js";

/** @import { ChosenAnswer as Answer, Model } from "../../types.d.ts" */

/** The kinds, in the order of the menu; null: what the model predicts. */
export const KINDS = /** @type {const} */ ([null, "entropy", "loss", "similarity", "probe"]);

/** @param {Answer} answer */
export function textOf({ kind, texts, read, scale, layer, weights, bias, classes }) {
  const settings = [
    ...(texts ?? []).map((text) => ["texts", text]),
    ["layer", layer],
    ["weights", weights?.map((row) => row.join(",")).join(";")],
    ["bias", bias?.join(",")],
    ...(classes ?? []).map((name) => ["classes", name]),
    ["read", read],
    ["scale", scale],
  ];
  const given = settings.filter(([, value]) => value !== undefined);
  return [kind, ...given.map(([name, value]) => `${name}=${escaped(String(value))}`)].join("~");
}

/** @param {string | null} text @returns {Answer | null} null: the text is no answer */
export function answerOf(text) {
  const [named, ...settings] = pieces(text ?? "");
  const kind = KINDS.find((one) => one === named);
  if (!kind) return null;
  /** @type {any} */
  const found = { kind };
  for (const setting of settings) {
    const cut = setting.indexOf("=");
    const [key, value] = [setting.slice(0, cut), setting.slice(cut + 1)];
    const read = TAKES[kind].includes(key) ? SETTINGS[key](value) : null;
    if (read === null) return null;
    found[key] = SEVERAL.includes(key) ? [...(found[key] ?? []), read] : read;
  }
  return NEEDS[kind].every((key) => found[key] !== undefined) ? found : null;
}

/** @typedef {Answer["kind"]} Kind */
/** @type {Record<Kind, string[]>} */
const TAKES = {
  entropy: [],
  loss: [],
  similarity: ["texts", "read", "scale"],
  probe: ["layer", "weights", "bias", "classes", "read"],
};
/** @type {Record<Kind, string[]>} */
const NEEDS = { entropy: [], loss: [], similarity: ["texts"], probe: ["layer", "weights"] };
const SEVERAL = ["texts", "classes"];

/** How each setting is read; null: it is not valid. @type {Record<string, (text: string) => unknown>} */
const SETTINGS = {
  texts: (text) => text.trim() || null,
  classes: (text) => text || null,
  layer: (text) => integer(text),
  read: (text) => ["mean", "last", "first"].find((one) => one === text) ?? null,
  scale: (text) => numberOf(text),
  bias: (text) => listOf(text.split(",").map(numberOf)),
  weights: (text) => listOf(text.split(";").map((row) => listOf(row.split(",").map(numberOf)))),
};

/**
 * Whether a model can give an answer. One that is not loaded is asked, and says why not.
 * @param {Answer} answer
 * @param {Pick<Model, "state" | "predicts" | "takes_targets" | "lacks" | "mechanisms" | "recorded" | "edited_at">} model
 */
export function gives({ kind }, model) {
  if (model.recorded || model.mechanisms || model.lacks) return false;
  if (model.state !== "ready") return true;
  if (model.edited_at?.length === 0) return false; // the page's engine, which reads no answers
  if (kind === "loss") return model.predicts === "next";
  if (kind === "entropy") return model.predicts !== null;
  return kind === "similarity"
    ? !model.takes_targets
    : (model.edited_at?.includes("resid_post") ?? true);
}
