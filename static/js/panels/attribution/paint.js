// What the attribution paints over the thumbnails: what each head adds.

import { fixed, MINUS, PLUS } from "../../language/language.js";
import { signedBriefly } from "../../words/format.js";
import { aimOf } from "./aim.js";
import { attributionIn, kindOfSite } from "./sources.js";
import { headAdds, legend } from "./words.js";

/** @param {Readonly<import("../../types.d.ts").State>} state @returns {import("../panel.js").Painting | null} */
export function paint(state) {
  const answer = state.attribution?.status === "ready" ? attributionIn(state) : null;
  if (!answer) return null;
  const heads = answer.found.contributions.filter(
    ({ part }) => part.kind === "head" && kindOfSite(answer.model, part.site) === state.kind,
  );
  if (heads.length === 0) return null;
  const max = Math.max(...heads.map(({ value }) => Math.abs(value)));
  return {
    heads: new Map(
      heads.map(({ part, value }) => [`${part.layer}.${part.head}`, painted(value, max)]),
    ),
    legend: { words: legend(aimOf(answer)), low: signedBriefly(-max), high: signedBriefly(max) },
  };
}

/** @param {number} value @param {number} max @returns {import("../panel.js").Paint} */
const painted = (value, max) => ({
  tint: value < 0 ? "falls" : value > 0 ? "rises" : "stays",
  strength: max > 0 ? Math.abs(value) / max : 0,
  text: brief(value),
  words: headAdds(signedBriefly(value)),
});

/** A number that fits a thumbnail: "−4.8", "+12"; "≈0" is not 0. @param {number} value */
export function brief(value) {
  const size = Math.abs(value);
  if (size < 0.005) return value === 0 ? "0" : "≈0";
  const digits = size < 0.995 ? 2 : size < 9.95 ? 1 : 0;
  return `${value < 0 ? MINUS : PLUS}${fixed(size, digits)}`;
}
