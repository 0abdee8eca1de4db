// What the panel says of the vector of the text.

import { gettext } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { headInText } from "../../words/heads.js";

/** @import { Turn } from "./turns.js" */

export const COMPUTING = gettext("Computing: the sentence runs once for every head …");
export const NO_NUMBERS = gettext("There are no numbers for this text.");
export const NO_NUMBER = gettext("no number");
export const ABOUT = gettext(
  "This model predicts nothing: what it gives is a vector for the text, the mean of the last layer over all tokens (Reimers & Gurevych 2019). Each head is muted alone, and the vector is compared with the one before: 0° is no turn at all, and 90° shares nothing with it.",
);
export const COLUMNS = [gettext("head"), gettext("turns by"), gettext("angle"), gettext("cosine")];

/** An angle in little room. @param {number | null} angle in degrees */
export function inDegrees(angle) {
  if (angle === null) return "–";
  if (angle > 0 && angle < 0.05) return "<0.1°";
  return `${fixed(angle, angle < 9.95 ? 1 : 0)}°`;
}

/** @param {number | null} cosine */
export const cosineText = (cosine) => (cosine === null ? "" : fixed(cosine, 3));

/** @param {Turn} turn */
export const turnInWords = (turn) =>
  turn.angle === null
    ? gettext("There is no number for {turn}: {reason}.", {
        turn: headInText(turn),
        reason: turn.reason ?? "",
      })
    : gettext("Without {turn}, the vector of the text turns by {angle} (cosine {cosine}).", {
        turn: headInText(turn),
        angle: inDegrees(turn.angle),
        cosine: cosineText(turn.cosine),
      });

/** What a thumbnail adds to the name of its head. @param {Turn} turn */
export const withoutHead = ({ angle }) =>
  angle === null
    ? ""
    : gettext("without it the vector turns by {angle}", { angle: inDegrees(angle) });

export const LEGEND = gettext("How far the vector of the text turns without each head");
export const PICTURE_COLUMNS = { name: gettext("head"), bar: gettext("angle"), value: "" };
export const CSV = ["kind", "layer", "head", "cosine", "angle in degrees"];
