// Attention flow: how much could pass from each input token to each token of the last layer. As model/analysis/flow.py.

import LIMITS from "../../facts/limits.json" with { type: "json" };
import { endSlice } from "../slices.js";
import { meanPattern, singleStack } from "./rollout.js";

/** @import { Tensor, Trace } from "../types.d.ts" */

export const MAX_TOKENS = LIMITS.flow_tokens; // per text, including padding; the work grows with the fourth power
// Capacities are whole multiples of this, as on the server, so that sums of them are exact and every search ends.
const UNIT = 2 ** -30;

/**
 * The edges of a graph whose nodes are the tokens of each layer. Each edge is stored next to its reverse: `edge ^ 1`.
 * @typedef {object} Graph
 * @property {number[][]} edges of each node
 * @property {number[]} to
 * @property {number[]} capacity in units
 */

/**
 * The maximum flow from each output token to each input token.
 *
 * Abnar & Zuidema 2020, section 4. Each token at each layer is a node. An edge leads from query i of a layer to key j of the layer
 * below, with the capacity Â[i,j] of the rollout: half attention, half residual stream. Only real tokens have flows; rows and
 * columns of padding are 0.
 * @param {Trace} trace
 * @returns {Tensor} (batch, query, key)
 * @throws {import("../errors.js").UnavailableError} the trace has no single stack of self-attention
 */
export function flow(trace) {
  const sites = singleStack(trace, "analyse.flow");
  const [batch, n] = [trace.tokens.length, sites[0].mask.n_query];
  const patterns = sites.map((site) => meanPattern(site));
  const flows = new Float32Array(batch * n * n);
  for (let text = 0; text < batch; text++) {
    const layers = patterns.map((mean) => mean.subarray(text * n * n, (text + 1) * n * n));
    const graph = graphOf(layers, n);
    const real = [...trace.tokens[text].keys()].filter(
      (place) => !trace.tokens[text][place].padding,
    );
    real.forEach((query, step) => {
      endSlice(step, real.length);
      for (const key of real) {
        flows[(text * n + query) * n + key] = maximum(graph, layers.length * n + query, key) * UNIT;
      }
    });
  }
  return { shape: [batch, n, n], data: flows };
}

/** Node `layer · n + position`; layer 0 holds the input tokens. @param {Float32Array[]} layers (query, key) of each @param {number} n @returns {Graph} */
function graphOf(layers, n) {
  /** @type {Graph} */
  const graph = {
    edges: Array.from({ length: (layers.length + 1) * n }, () => []),
    to: [],
    capacity: [],
  };
  layers.forEach((mean, layer) => {
    for (let query = 0; query < n; query++) {
      const row = mean.subarray(query * n, (query + 1) * n);
      const sum = row.reduce((total, weight) => total + weight, 1);
      for (let key = 0; key < n; key++) {
        const share = (row[key] + (query === key ? 1 : 0)) / sum;
        const units = Math.round(share / UNIT);
        if (units) connect(graph, (layer + 1) * n + query, layer * n + key, units);
      }
    }
  });
  return graph;
}

/** @param {Graph} graph @param {number} from @param {number} to @param {number} units */
function connect({ edges, to: ends, capacity }, from, to, units) {
  edges[from].push(ends.push(to) - 1);
  edges[to].push(ends.push(from) - 1);
  capacity.push(units, 0);
}

/**
 * The maximum flow between two nodes, by Dinic's algorithm. (The server has Boykov and Kolmogorov's; the maximum is the same.)
 * @param {Graph} graph @param {number} source @param {number} sink
 */
function maximum({ edges, to, capacity }, source, sink) {
  const left = Float64Array.from(capacity);
  let total = 0;
  for (;;) {
    const depth = depths(edges, to, left, source);
    if (depth[sink] < 0) return total;
    const next = new Int32Array(edges.length); // the edge to try next at each node: those before it lead nowhere
    /** What more can pass from a node, up to `most`. @param {number} node @param {number} most @returns {number} */
    const push = (node, most) => {
      if (node === sink) return most;
      let passed = 0;
      for (; next[node] < edges[node].length; next[node]++) {
        const edge = edges[node][next[node]];
        if (left[edge] === 0 || depth[to[edge]] !== depth[node] + 1) continue;
        const through = push(to[edge], Math.min(most - passed, left[edge]));
        left[edge] -= through;
        left[edge ^ 1] += through;
        passed += through;
        if (passed === most) break;
      }
      return passed;
    };
    total += push(source, Number.POSITIVE_INFINITY);
  }
}

/** The number of edges from the source to each node, over edges with room; −1 where there is no path. @param {number[][]} edges @param {number[]} to @param {Float64Array} left @param {number} source */
function depths(edges, to, left, source) {
  const depth = new Int32Array(edges.length).fill(-1);
  depth[source] = 0;
  const queue = [source];
  for (const node of queue) {
    for (const edge of edges[node]) {
      if (left[edge] > 0 && depth[to[edge]] < 0) {
        depth[to[edge]] = depth[node] + 1;
        queue.push(to[edge]);
      }
    }
  }
  return depth;
}
