// What an analysis is: something computed from a trace besides its tensors. As server/api/analyses/analysis.py.

/** @import { Tensor, Trace } from "../../types.d.ts" */

/** The part of a request with the fields of all analyses. @typedef {{scores: boolean, specials: boolean, match: AskedMatch | null, rollout: boolean, lens: {top_k: number, position: number | null} | null, mute_effects: AskedMutes | null, flow: boolean} & Record<string, unknown>} Analyse */
/** @typedef {{position: number | null, token: number | null}} AskedMutes */
/** @typedef {{cells: [query: number, key: number][], text: number, kind: import("../../types.d.ts").Site["kind"] | null}} AskedMatch */
/** Runs the model once for every head. An analysis has only the trace, so the caller provides it. @typedef {(asked: AskedMutes) => unknown[]} RunMutes */

/**
 * One analysis: its fields, the size of its result, and how to compute it. What it costs only matters on a shared server.
 * @typedef {object} Analysis
 * @property {string} name in `analyse` and in the answer
 * @property {Record<string, boolean | null>} request its fields in `analyse`, with their defaults; the one with its name turns it on
 * @property {object} [settings] the defaults of its settings, if that field has any
 * @property {boolean} [readsPatterns] of all sites
 * @property {boolean} [isSlow] computed after the others, which may refuse the request
 * @property {string} [tooLarge] advice if its result would be too large
 * @property {(trace: Trace, analyse: Analyse, numberBytes: number) => number} nbytes the approximate size of its result;
 *   `numberBytes` is the size of a tensor's number. Throws a LimitError if the trace is too large for this analysis.
 * @property {(trace: Trace, analyse: Analyse, runMutes: RunMutes) => unknown} read the result: a tensor, or a value for JSON
 */

/** The number of heads in all sites. @param {Trace} trace */
export const headsOf = ({ sites }) => sites.reduce((sum, site) => sum + site.n_heads, 0);
