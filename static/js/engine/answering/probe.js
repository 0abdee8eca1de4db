// The answer to GET /api/models/{name}/heads: the probe of a source. As `document` in server/run/probes.py.

import { describedMetrics } from "../analysis/metrics.js";
import { probe, ROWS } from "../analysis/probe.js";
import { HeadlightError } from "../errors.js";

/** @import { Probed } from "../analysis/probe.js" */

/**
 * The document about a source's heads. Without a vocabulary a source cannot be probed, which the document says.
 * @param {Probed} source
 */
export function heads(source) {
  const { scores, error } = outcome(source);
  const { sink_share = null, heads = null, ...about } = scores ?? {};
  return {
    model: source.info.name,
    state: scores ? "ready" : "failed",
    progress: { done: scores ? ROWS : 0, total: ROWS },
    probe: scores && about,
    metrics: describedMetrics(),
    sink_share,
    heads,
    error,
  };
}

/** @param {Probed} source */
function outcome(source) {
  try {
    return { scores: probe(source), error: null };
  } catch (error) {
    if (!(error instanceof HeadlightError)) throw error;
    return { scores: null, error: error.message };
  }
}
