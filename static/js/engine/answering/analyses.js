// The analyses that `analyse` can request. Their names are rows of static/js/facts/analyses.json; here are those that the engine
// computes, as server/api/analyses. The others are refused, whatever their settings, with what they need.

import ROWS from "../../facts/analyses.json" with { type: "json" };
import { flow, MAX_TOKENS } from "../analysis/flow.js";
import { match } from "../analysis/match.js";
import { METRICS } from "../analysis/metrics.js";
import { rollout } from "../analysis/rollout.js";
import { headScores, sinkShare } from "../analysis/scores.js";
import { LimitError, sentence, UnavailableError } from "../errors.js";
import { decided } from "../trace/decided.js";
import { lens } from "../trace/trace.js";

/** @import { Sentence } from "../errors.js" */
/** @import { Site, Trace } from "../types.d.ts" */

/** The part of a request with the fields of all analyses. @typedef {{scores: boolean, specials: boolean, match: AskedMatch | null, rollout: boolean, lens: {top_k: number, position: number | null, tuned: boolean} | null, decided: {tuned: boolean} | null, mute_effects: AskedMutes | null, branches: AskedBranches | null, flow: boolean} & Record<string, unknown>} Analyse */
/** @typedef {{position: number | null, token: number | null}} AskedMutes */
/** @typedef {{cells: [query: number, key: number][], text: number, kind: Site["kind"] | null}} AskedMatch */
/** @typedef {import("../sources/branching.js").Asked} AskedBranches */
/** What runs the model further. An analysis has only the trace, so the caller provides it. @typedef {{mutes: (asked: AskedMutes) => unknown[], branches: (asked: AskedBranches) => unknown[]}} Further */

/**
 * One analysis: its fields, the size of its result, and how to compute it. What it costs only matters on a shared server.
 * @typedef {object} Analysis
 * @property {Record<string, boolean | null>} request its fields in `analyse`, with their defaults; the one with its name turns it on
 * @property {object} [settings] the defaults of its settings, if that field has any
 * @property {boolean} [readsPatterns] of all sites
 * @property {boolean} [isSlow] computed after the others, which may refuse the request
 * @property {Sentence} [tooLarge] advice if its result would be too large
 * @property {(trace: Trace, analyse: Analyse, numberBytes: number) => number} nbytes the approximate size of its result;
 *   `numberBytes` is the size of a tensor's number. Throws a LimitError if the trace is too large for this analysis.
 * @property {(trace: Trace, analyse: Analyse, further: Further) => unknown} read the result: a tensor, or a value for JSON
 */
/** @typedef {Analysis & {name: string}} Named */

// of one row in JSON: the longest that we measured, with some margin
const SCORE_BYTES = 110;
const HEAD_BYTES = 190;
const CANDIDATE_BYTES = 80;
const STAGE_BYTES = 16;
const EFFECT_BYTES = 96;

/** @param {Trace} trace */
const headsOf = ({ sites }) => sites.reduce((sum, site) => sum + site.n_heads, 0);

/** @type {Record<string, Analysis>} */
const COMPUTED = {
  scores: {
    request: { scores: false, specials: false },
    readsPatterns: true,
    isSlow: true,
    nbytes: (trace) => SCORE_BYTES * METRICS.length * headsOf(trace) * trace.tokens.length,
    read: (trace, { specials }) =>
      trace.tokens.map((_, text) => {
        const heads = headScores(trace, text, specials);
        return { sink_share: sinkShare(heads), heads };
      }),
  },
  match: {
    request: { match: null },
    settings: { text: 0, kind: null },
    readsPatterns: true,
    isSlow: true,
    nbytes: (trace) => HEAD_BYTES * headsOf(trace),
    read: (trace, { match: asked }) => asked && match(trace, asked.cells, asked),
  },
  rollout: {
    request: { rollout: false },
    readsPatterns: true,
    isSlow: true,
    tooLarge: sentence("Most of it is the rollout: send shorter texts, or leave the rollout out."),
    nbytes: ({ tokens }, _, numberBytes) => numberBytes * tokens.length * tokens[0].length ** 2,
    read: rollout,
  },
  lens: {
    request: { lens: null },
    settings: { top_k: 5, position: null, tuned: false }, // position null means each text's last real token
    nbytes(trace, { lens: asked }) {
      const listed = (asked?.top_k ?? 0) + 1;
      return CANDIDATE_BYTES * listed * (trace.sites.length + 1) * trace.tokens.length;
    },
    read(trace, { lens: asked }) {
      if (asked?.tuned) throw untuned("lens");
      return asked && lens(trace, asked);
    },
  },
  decided: {
    request: { decided: null },
    settings: { tuned: false },
    nbytes: ({ tokens, target_tokens }) =>
      (CANDIDATE_BYTES + STAGE_BYTES) * tokens.length * (target_tokens ?? tokens)[0].length,
    read(trace, { decided: asked }) {
      if (asked?.tuned) throw untuned("decided");
      return asked && decided(trace);
    },
  },
  branches: {
    request: { branches: null },
    settings: { position: null, top_k: 5, n_tokens: 10 },
    isSlow: true,
    nbytes: ({ tokens }, { branches: asked }) =>
      CANDIDATE_BYTES * tokens.length * (asked ? asked.top_k * asked.n_tokens : 0),
    read: (_, { branches: asked }, { branches }) => asked && branches(asked),
  },
  mute_effects: {
    request: { mute_effects: null },
    // which token's probability to watch, and where; null means the likeliest token, after the last real one
    settings: { position: null, token: null },
    nbytes: (trace) => EFFECT_BYTES * headsOf(trace) * trace.tokens.length,
    read: (_, { mute_effects }, { mutes }) => mute_effects && mutes(mute_effects),
  },
  flow: {
    request: { flow: false },
    readsPatterns: true,
    isSlow: true,
    nbytes({ tokens }, _, numberBytes) {
      const n = tokens[0].length;
      if (n > MAX_TOKENS) {
        throw new LimitError(
          sentence(
            "The attention flow takes texts of at most {most} tokens; this one has {n}. Send shorter texts, or ask for the rollout instead.",
            { most: MAX_TOKENS, n },
          ),
          { code: "too_many_tokens", field: "analyse.flow", limit: MAX_TOKENS },
        );
      }
      return numberBytes * tokens.length * n ** 2;
    },
    read: flow,
  },
};

/** @param {string} name */
const untuned = (name) =>
  new UnavailableError(
    "A tuned lens is fitted on a server. Open this page from a Headlight server.",
    { field: `analyse.${name}.tuned` },
  );

/** @param {{name: string, does?: string, needs?: string}} row @returns {Analysis} */
const refused = ({ name, does = "This analysis", needs = "a server" }) => ({
  request: { [name]: null },
  nbytes: () => 0,
  read({ lacks }) {
    throw new UnavailableError(
      lacks
        ? `${does} needs the model itself: ${lacks}.`
        : `${does} needs ${needs}, which the engine in the page does not have. Open this page from a Headlight server.`,
      { field: `analyse.${name}` },
    );
  },
});

/** @type {readonly Named[]} */
export const ANALYSES = ROWS.map((row) => ({
  name: row.name,
  ...(COMPUTED[row.name] ?? refused(row)),
}));

/**
 * What is computed here. A recorded run cannot be run again, so it says what it has an answer to.
 * @param {Named} one @param {Trace} trace @param {() => unknown} compute
 */
function ownAnswer({ name }, { answered, model }, compute) {
  if (!answered?.names.has(name)) return compute();
  throw new UnavailableError(
    `What ${model} says of this was recorded for the prediction that the file was made with, and for no other.`,
    { field: `analyse.${name}` },
  );
}

/** Those that only a server computes. */
export const SERVER_ONLY = ANALYSES.filter(({ name }) => !(name in COMPUTED));

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
 * @param {Trace} trace @param {Analyse} analyse @param {Further} further
 * @returns {Record<string, unknown>}
 */
export function read(trace, analyse, further) {
  /** @type {Record<string, unknown>} */
  const found = Object.fromEntries(ANALYSES.map(({ name }) => [name, null]));
  const slowLast = requested(analyse).toSorted((a, b) => Number(!!a.isSlow) - Number(!!b.isSlow));
  for (const one of slowLast) {
    found[one.name] =
      trace.answered?.to(one.name, analyse[one.name]) ??
      ownAnswer(one, trace, () => one.read(trace, analyse, further));
  }
  return found;
}
