// What the mute effects paint over the thumbnails: what the watched token loses or gains without each head.

import { answerOf } from "./effects.js";
import { brief, extent, hasNumber, moved } from "./ranked.js";
import { helps, hurts, legend, noneInWords, told, withoutHead } from "./words.js";

/** @import { State } from "../../types.d.ts" */

/** @param {Readonly<State>} state @returns {import("../panel.js").Painting | null} */
export function paint(state) {
  const answer = state.effects?.status === "ready" ? answerOf(state) : null;
  if (!answer || noneInWords(answer.effects)) return null;
  const max = extent(answer.effects);
  return {
    heads: new Map(answer.effects.map((one) => [`${one.layer}.${one.head}`, painted(one, max)])),
    legend: { words: legend(answer.watched), low: helps(max), high: hurts(max) },
  };
}

/** @param {import("./ranked.js").Effect} effect @param {number} max @returns {import("../panel.js").Paint} */
function painted(effect, max) {
  if (!hasNumber(effect)) return { tint: null, strength: 0, text: brief(null), words: "" };
  const change = moved(effect);
  return {
    tint: told(effect).does,
    strength: max > 0 ? Math.abs(change) / max : 0,
    text: brief(change),
    words: withoutHead(effect),
  };
}
