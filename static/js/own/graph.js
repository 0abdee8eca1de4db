// An attribution graph in the format of circuit-tracer and Neuronpedia: metadata, nodes and links (headlight/graph.py reads and writes
// it, too), and where its nodes stand. Pure.

import { FileError } from "../files/errors.js";

/**
 * `layer`: -1 for embeddings; `position`: of its token
 * @typedef {{node: string, layer: number, position: number, type: string, label: string, activation: number | null}} Node
 */
/** @typedef {{source: string, target: string, weight: number}} Link */
/** @typedef {{prompt: string, tokens: string[], model: string, nodes: Node[], links: Link[]}} Graph */

const EXPECTED =
  "Expected an attribution graph as circuit-tracer and Neuronpedia write it: metadata with prompt_tokens, nodes and links.";

/** Whether a document is meant as a graph. @param {any} document */
export const isGraph = (document) =>
  Array.isArray(document?.nodes) &&
  Array.isArray(document.links) &&
  typeof document.metadata === "object";

/**
 * @param {any} document
 * @returns {Graph}
 * @throws {FileError} with what is wrong
 */
export function graphOf({ metadata, nodes: given, links: joined }) {
  const tokens = metadata?.prompt_tokens;
  if (!Array.isArray(tokens) || tokens.length === 0)
    throw new FileError(`This graph names no tokens. ${EXPECTED}`);
  const nodes = given.map((/** @type {any} */ one, /** @type {number} */ at) => {
    const node = String(one?.node_id ?? "");
    const layer = one?.layer === "E" ? -1 : Number(one?.layer);
    const position = Number(one?.ctx_idx);
    const isPlaced = Number.isInteger(layer) && position >= 0 && position < tokens.length;
    if (node === "" || !isPlaced)
      throw new FileError(`Node ${at} of this graph has no name, layer or position. ${EXPECTED}`);
    const { feature_type, clerp, activation } = one;
    return {
      node,
      layer,
      position,
      type: String(feature_type ?? ""),
      label: String(clerp || node),
      activation: typeof activation === "number" ? activation : null,
    };
  });
  const known = new Set(nodes.map((/** @type {Node} */ { node }) => node));
  const links = joined.map((/** @type {any} */ one, /** @type {number} */ at) => {
    const [source, target, weight] = [String(one?.source), String(one?.target), one?.weight];
    if (!known.has(source) || !known.has(target))
      throw new FileError(`Link ${at} of this graph has an end that is no node.`);
    if (typeof weight !== "number" || !Number.isFinite(weight))
      throw new FileError(`Link ${at} of this graph has no weight.`);
    return { source, target, weight };
  });
  if (nodes.length === 0) throw new FileError(`This graph has no nodes. ${EXPECTED}`);
  const [prompt, model] = [metadata.prompt ?? tokens.join(""), metadata.scan ?? ""];
  return { prompt: String(prompt), tokens: tokens.map(String), model: String(model), nodes, links };
}

/** The strongest links, strongest first. @param {Graph} graph @param {number} n @param {string | null} [of] a node that they begin or end at */
export const strongest = ({ links }, n, of = null) =>
  links
    .filter(({ source, target }) => of === null || source === of || target === of)
    .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, n);

/**
 * Where nodes stand, in units of a column across and of a layer up: those of one token and layer beside each other. Tokens and layers
 * without a node take no room.
 * @param {readonly Node[]} nodes
 * @returns {{places: Map<string, {x: number, y: number}>, layers: number[], positions: number[], widest: number[]}} `layers`: from the
 *   bottom up; of each column, the position of its token and the most nodes beside each other
 */
export function placesOf(nodes) {
  const [layers, positions] = [
    inOrder(nodes.map(({ layer }) => layer)),
    inOrder(nodes.map(({ position }) => position)),
  ];
  /** @type {Map<string, Node[]>} */
  const cells = new Map();
  for (const node of nodes) {
    const cell = `${node.position} ${node.layer}`;
    cells.set(cell, [...(cells.get(cell) ?? []), node]);
  }
  const places = new Map();
  const widest = positions.map(() => 1);
  for (const members of cells.values())
    for (const [at, { node, position, layer }] of members.entries()) {
      const column = positions.indexOf(position);
      const beside = 0.8 * ((at + 0.5) / members.length - 0.5);
      places.set(node, { x: column + beside, y: layers.indexOf(layer) });
      widest[column] = Math.max(widest[column], members.length);
    }
  return { places, layers, positions, widest };
}

/** @param {readonly number[]} values */
const inOrder = (values) => [...new Set(values)].toSorted((a, b) => a - b);
