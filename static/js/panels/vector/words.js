// What the panel says of the vector of the text.

import { headInText } from "../../words/heads.js";

/** @import { Turn } from "./turns.js" */

export const COMPUTING = "Computing: the sentence runs once for every head …";
export const NO_NUMBERS = "There are no numbers for this text.";
export const NO_NUMBER = "no number";
export const ABOUT =
  "This model predicts nothing: what it gives is a vector for the text, the mean of the last layer over all tokens (Reimers & Gurevych 2019). Each head is muted alone, and the vector is compared with the one before: 0° is no turn at all, and 90° shares nothing with it.";
export const COLUMNS = ["head", "turns by", "angle", "cosine"];

/** An angle in little room. @param {number | null} angle in degrees */
export function inDegrees(angle) {
  if (angle === null) return "–";
  if (angle > 0 && angle < 0.05) return "<0.1°";
  return `${angle.toFixed(angle < 9.95 ? 1 : 0)}°`;
}

/** @param {number | null} cosine */
export const cosineText = (cosine) => (cosine === null ? "" : cosine.toFixed(3));

/** @param {Turn} turn */
export const turnInWords = (turn) =>
  turn.angle === null
    ? `There is no number for ${headInText(turn)}: ${turn.reason}.`
    : `Without ${headInText(turn)}, the vector of the text turns by ${inDegrees(turn.angle)} (cosine ${cosineText(turn.cosine)}).`;

/** What a thumbnail adds to the name of its head. @param {Turn} turn */
export const withoutHead = ({ angle }) =>
  angle === null ? "" : `without it the vector turns by ${inDegrees(angle)}`;

export const LEGEND = "How far the vector of the text turns without each head";
export const PICTURE_COLUMNS = { name: "head", bar: "angle", value: "" };
export const CSV = ["kind", "layer", "head", "cosine", "angle in degrees"];
