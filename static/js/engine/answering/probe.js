// The answer to GET /api/models/{name}/heads: the probe of a source. As `document` in server/probes.py.

import { describedMetrics } from "../analysis/metrics.js";
import { probe, ROWS } from "../analysis/probe.js";
import { HeadlightError } from "../errors.js";

/** @typedef {import("../analysis/probe.js").Probed} Probed */

/**
 * The document about a source's heads. Without a vocabulary a source cannot be probed, which the document says.
 * @param {Probed} source
 */
export function heads(source) {
  const document = {
    model: source.info.name,
    progress: { done: ROWS, total: ROWS },
    metrics: describedMetrics(),
  };
  try {
    const { sink_share, heads, ...about } = probe(source);
    return { ...document, state: "ready", probe: about, sink_share, heads, error: null };
  } catch (error) {
    if (!(error instanceof HeadlightError)) throw error;
    const nothing = { probe: null, sink_share: null, heads: null };
    const progress = { done: 0, total: ROWS };
    return { ...document, ...nothing, progress, state: "failed", error: error.message };
  }
}
