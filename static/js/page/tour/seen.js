// What a step of the tour lets the reader see, in one sentence made of the numbers on the page; "" while there are none. Pure.

import { changedIn } from "../../numbers/explain/forecast.js";
import { predictedIn } from "../../numbers/predicted.js";
import { explained } from "../../panels/explain/sentences.js";
import { label } from "../../words/format.js";
import * as words from "./words.js";

/** @typedef {Readonly<import("../../types.d.ts").State>} Now */
/** @import { Listed } from "../../types.d.ts" */

/** What the model expects after the typed word. @param {Now} now */
export function expected(now) {
  const predicted = predictedIn(now);
  const [likeliest] = predicted?.predictions ?? [];
  if (!predicted || !likeliest || predicted.position.fills) return "";
  const { probability } = likeliest;
  return words.expects({ after: predicted.position.token, token: label(likeliest), probability });
}

/** What the row looks at: the first words of the explanation beside the picture. @param {Now} now */
export const lookedAt = (now) => explained(now, null)?.sentences[0]?.text ?? "";

/** How a token moved since before the edits. @param {Listed} token @returns {words.Move} */
export const moveOf = (token) => ({
  token: label(token),
  from: token.unedited ?? token.probability,
  to: token.probability,
});

/** What the mute did to the token that was the likeliest. @param {Now} now */
export function afterMute(now) {
  const changed = changedIn(now);
  return changed ? words.muted(moveOf(changed.token)) : "";
}

/** How the chosen token gained. @param {Now} now */
export function chosen(now) {
  const token = predictedIn(now)?.predictions.find(({ id }) => id === now.token);
  return token && token.unedited !== null && token.probability > token.unedited
    ? words.gained(moveOf(token))
    : "";
}

/** That the mute is undone: the token that was the likeliest before it, before and now. @param {Now} now @param {Now} start while the head was muted */
export function restored(now, start) {
  const listed = predictedIn(start)?.predictions ?? [];
  const [first] = listed.toSorted((a, b) => (b.unedited ?? 0) - (a.unedited ?? 0));
  const token = predictedIn(now)?.predictions.find(({ id }) => id === first?.id);
  if (!token || first.unedited === null) return "";
  return words.back({ token: label(token), from: first.unedited, to: token.probability });
}
