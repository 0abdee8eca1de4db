// What the prediction strip says.

import { percent, quote } from "../../words/format.js";

/** @param {{fills: boolean, isClass: boolean, isAnswer: boolean, token: string}} position where the prediction is made */
export function title({ fills, isClass, isAnswer, token }) {
  if (isAnswer) return `Answer, read at ${token}`;
  if (isClass) return `Class of the text, read at ${token}`;
  return fills ? `Most likely at ${token}` : `Most likely after ${token}`;
}

export const inWords = percent;

/** How a probability changed: "72.3% → 24.3%". @param {{from: number, to: number}} change */
export const moved = ({ from, to }) => `${percent(from)} → ${percent(to)}`;

/** @param {{finds: boolean}} what `finds`: whether the head is found at once */
export const watch = ({ finds }) =>
  finds
    ? "Watch this token, and find the head that it needs most"
    : "Watch this token: it stays here, and Mute effects shows how each head changes it";
export const WATCHED = "Watched:";
/** @param {{token: string}} watched */
export const stop = ({ token }) => `Stop watching ${quote(token)}`;
