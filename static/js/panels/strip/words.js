// What the prediction strip says.

import { gettext } from "../../language/gettext.js";
import { percent, quote } from "../../words/format.js";

/** @param {{fills: boolean, isClass: boolean, isAnswer: boolean, token: string}} position where the prediction is made */
export function title({ fills, isClass, isAnswer, token }) {
  if (isAnswer) return gettext("Answer, read at {token}", { token });
  if (isClass) return gettext("Class of the text, read at {token}", { token });
  return fills
    ? gettext("Most likely at {token}", { token })
    : gettext("Most likely after {token}", { token });
}

export const inWords = percent;

/** How a probability changed: "72.3% → 24.3%". @param {{from: number, to: number}} change */
export const moved = ({ from, to }) => `${percent(from)} → ${percent(to)}`;

/** @param {{finds: boolean}} what `finds`: whether the head is found at once */
export const watch = ({ finds }) =>
  finds
    ? gettext("Watch this token, and find the head that it needs most")
    : gettext("Watch this token: it stays here, and Mute effects shows how each head changes it");
/** Asks for the head that a token needs most. @param {{token: string}} likeliest */
export const why = ({ token }) => gettext("Why {token}?", { token: quote(token) });
export const WATCHED = gettext("Watched:");
/** @param {{token: string}} watched */
export const stop = ({ token }) => gettext("Stop watching {token}", { token: quote(token) });
