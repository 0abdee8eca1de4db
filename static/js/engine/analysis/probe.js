// Probe a source: score its heads on rows of random tokens, each row repeated once. As model/analysis/probe.py.
//
// Random tokens have no grammar to follow, so what a head does on them shows its habits. In the second copy every token has an
// earlier copy of itself, and a token that followed it (Olsson et al. 2022). There it also shows whether a head copies what it looks at:
// with prefix matching, which the metric `induction` measures, the other half of what they ask of an induction head.

import { UnavailableError } from "../errors.js";
import { endSlice } from "../slices.js";
import { Generator } from "../tensor/random.js";
import { addedCopies, copyScores, copyTallies, meanRow } from "./copying.js";
import { sample } from "./sample.js";
import { added, means, sinkShare, tallies } from "./scores.js";

/** @import { Trace } from "../types.d.ts" */
/** @import { HeadScores, Tally } from "./scores.js" */
/** @import { CopyTally } from "./copying.js" */

/** What a probe needs of a source. @typedef {{info: {name: string, max_tokens: number}, ordinary_ids: readonly number[], outputs?: import("./copying.js").Outputs, traceIds(rows: number[][]): Trace}} Probed */

/**
 * The scores of a source's heads on the probe, and a description of the probe.
 * @typedef {object} ProbeScores
 * @property {string} description
 * @property {number} rows
 * @property {number} length different tokens in a row; below 25 if the source has or takes no more
 * @property {number} copies
 * @property {number} seed
 * @property {string[]} example the tokens of the first row
 * @property {number | null} sink_share
 * @property {HeadScores[]} heads
 */

export const ROWS = 16;
const [LENGTH, COPIES, SEED] = [25, 2, 0];
const ADDED = 2; // special tokens that a source may add around a row

/**
 * Score every head on 16 rows of 25 different random ordinary tokens, each row repeated once.
 *
 * The means are over all queries of all rows except special tokens. Each row is a slice of the work.
 * @param {Probed} source
 * @returns {ProbeScores}
 * @throws {UnavailableError} the source has no ordinary tokens, or takes too few
 */
export function probe(source) {
  const { name, max_tokens } = source.info;
  const ids = source.ordinary_ids;
  if (!ids.length) {
    throw new UnavailableError(
      `${name} has no vocabulary to draw random tokens from. Score its heads on a text instead: ` +
        "POST /api/trace with analyse.scores.",
    );
  }
  const length = Math.min(LENGTH, ids.length, Math.floor((max_tokens - ADDED) / COPIES));
  if (length < 1) throw new UnavailableError(`${name} takes too few tokens to be probed.`);
  const generator = Generator.ofKey([SEED]);
  /** @type {string[]} */
  let example = [];
  /** @type {Tally[] | null} */
  let found = null;
  /** @type {CopyTally[] | null} */
  let copies = null;
  const { outputs = null } = source;
  const mean = outputs ? meanRow(outputs) : new Float64Array();
  for (let row = 0; row < ROWS; row++) {
    const drawn = sample(generator, ids, length);
    const trace = source.traceIds([Array(COPIES).fill(drawn).flat()]);
    if (row === 0) example = trace.tokens[0].map((token) => token.text);
    const here = tallies(trace, 0, false);
    found = found ? found.map((tally, site) => added(tally, here[site])) : here;
    const copied = copyTallies(trace, outputs, mean, 0);
    copies = copies ? copies.map((tally, site) => addedCopies(tally, copied[site])) : copied;
    endSlice(row + 1, ROWS);
  }
  const copying = (copies ?? []).flatMap(copyScores);
  const heads = (found ?? [])
    .flatMap(means)
    .map((one, index) => ({ ...one, scores: { ...one.scores, copying: copying[index] } }));
  return {
    description: describe(length),
    rows: ROWS,
    length,
    copies: COPIES,
    seed: SEED,
    example,
    sink_share: sinkShare(heads),
    heads,
  };
}

/** @param {number} length */
function describe(length) {
  const fewer =
    length === LENGTH ? "" : ` (not ${LENGTH}, because this model has or takes no more)`;
  return `${ROWS} rows of ${length} different random tokens${fewer}, each row twice in a row, seed ${SEED}`;
}
