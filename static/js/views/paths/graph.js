// A path map as nodes and edges to draw: those that are strong enough and lead to the answer. Pure.

import { NAMES, nodeLabel } from "./words.js";

/** @import { PathEdge, PathNode, Paths } from "../../types.d.ts" */
/** @import { Node } from "../../draw/paths/layout.js" */

const PARTS = { q: 0, k: 1, v: 2, mlp: 3, logit: 4 };

/** @param {PathNode} node */
export const idOf = ({ part, position }) =>
  part === null
    ? "answer"
    : [part.kind, part.site ?? "", part.layer ?? "", part.head ?? "", position].join(":");

/** By how much an edge counts: what its cut does or, if that is more, what was promised. @param {PathEdge} edge */
export const strengthOf = ({ promised, moved }) => Math.max(Math.abs(promised), Math.abs(moved));

/**
 * The edges that are drawn, the largest effect first.
 * @param {Paths} paths
 * @param {number} weakest as a share of the largest effect of a cut
 */
export function drawnIn({ edges }, weakest) {
  const least = weakest * largest(edges);
  const strong = edges.filter((edge) => strengthOf(edge) >= least);
  /** @type {Set<string>} */
  const reached = new Set(["answer"]);
  /** @type {Set<PathEdge>} */
  const kept = new Set();
  for (let before = -1; before < kept.size; ) {
    before = kept.size;
    for (const edge of strong) {
      if (kept.has(edge) || !reached.has(idOf(edge.receiver))) continue;
      kept.add(edge);
      if (edge.verdict !== "denied") reached.add(idOf(edge.sender));
    }
  }
  return [...kept].sort(
    (a, b) =>
      Math.abs(b.moved) - Math.abs(a.moved) ||
      PARTS[a.through] - PARTS[b.through] ||
      a.sender.position - b.sender.position,
  );
}

/** The largest effect of a cut. @param {PathEdge[]} edges */
export const largest = (edges) => Math.max(0, ...edges.map(({ moved }) => Math.abs(moved)));

/**
 * The nodes at the ends of these edges, and the rows in which they stand.
 * @param {PathEdge[]} edges
 * @param {number} position of the answer
 */
export function nodesOf(edges, position) {
  const ends = new Map(
    [{ part: null, position }, ...edges.flatMap(({ sender, receiver }) => [sender, receiver])].map(
      (node) => [idOf(node), node],
    ),
  );
  const levels = [...new Set([...ends.values()].map(levelOf))].sort((a, b) => a - b);
  const tokens = levels[0] === 0 ? levels : [0, ...levels];
  return {
    nodes: [...ends].map(([id, node]) => ({
      id,
      node,
      column: node.position,
      label: nodeLabel(node),
      row: tokens.indexOf(levelOf(node)),
    })),
    names: tokens.map((level) => rowName(level)),
  };
}

const TOP = Number.MAX_SAFE_INTEGER;
const KINDS = 3; // of rows in a layer: attention, cross-attention, feed-forward

/** How high a node stands. @param {PathNode} node */
function levelOf({ part }) {
  if (part === null) return TOP;
  if (part.layer === null) return 0;
  const within = part.kind === "mlp" ? 2 : part.site?.endsWith(".cross") ? 1 : 0;
  return 1 + KINDS * part.layer + within;
}

/** @param {number} level */
function rowName(level) {
  if (level === 0) return NAMES.tokens;
  if (level === TOP) return NAMES.answer;
  const layer = Math.floor((level - 1) / KINDS);
  return [NAMES.attention, NAMES.cross, NAMES.feed][(level - 1) % KINDS](layer);
}
