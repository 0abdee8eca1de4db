// The analyses that `analyse` can request: a row each. As server/api/analyses/__init__.py.

import { flow } from "./flow.js";
import { lens } from "./lens.js";
import { match } from "./match.js";
import { muteEffects } from "./mute-effects.js";
import { rollout } from "./rollout.js";
import { scores } from "./scores.js";
import { SERVER_ONLY } from "./server-only.js";

/** @import { Analyse, Analysis } from "./analysis.js" */
/** @import { Trace } from "../../types.d.ts" */

/** @type {readonly Analysis[]} */
export const ANALYSES = [scores, match, rollout, lens, muteEffects, flow, ...SERVER_ONLY];

/** `analyse` of a request, with its defaults. @param {Record<string, any>} given @returns {Analyse} */
export function analyseOf(given) {
  const found = Object.assign({}, ...ANALYSES.map(({ request }) => request), given);
  for (const { name, settings } of ANALYSES) {
    if (settings && found[name]) found[name] = { ...settings, ...found[name] };
  }
  return found;
}

/** The analyses that a request asks for. @param {Analyse} analyse */
export const requested = (analyse) => ANALYSES.filter(({ name }) => analyse[name]);

/**
 * The approximate number of bytes of each requested analysis.
 * @param {Trace} trace @param {Analyse} analyse @param {number} numberBytes
 */
export const nbytes = (trace, analyse, numberBytes) =>
  new Map(requested(analyse).map((one) => [one, one.nbytes(trace, analyse, numberBytes)]));

/**
 * The result of each analysis, by its name: a tensor, or a value for JSON; null if it was not requested. Quick analyses come
 * first, so that an invalid request is refused before the slow ones run.
 * @param {Trace} trace @param {Analyse} analyse @param {import("./analysis.js").RunMutes} runMutes
 * @returns {Record<string, unknown>}
 */
export function read(trace, analyse, runMutes) {
  /** @type {Record<string, unknown>} */
  const found = Object.fromEntries(ANALYSES.map(({ name }) => [name, null]));
  const slowLast = requested(analyse).toSorted((a, b) => Number(!!a.isSlow) - Number(!!b.isSlow));
  for (const one of slowLast) found[one.name] = one.read(trace, analyse, runMutes);
  return found;
}
