// An attribution graph of a reader's own: tokens across, layers up, the strongest links, and a table of them. A node that is chosen keeps
// its own links alone.

import { button, make, scrolling, svg } from "../../dom/dom.js";
import { placesOf, strongest } from "../../own/graph.js";
import { label, shorten, threeDigits } from "../../words/format.js";
import * as words from "./words.js";

/** @import { Graph, Link } from "../../own/graph.js" */

const [DRAWN, LISTED] = [200, 30]; // links
const [WIDE, APART, HIGH, LEFT, BELOW] = [72, 14, 48, 56, 28]; // pixels: of a token, of two nodes, of a layer, around them
const [DOT, THICKEST] = [5, 4]; // pixels
const [LONG, SHORT] = [28, 12]; // characters of a label: in the table, in the picture

/** @param {Graph} graph @returns {HTMLElement} */
export function graphView(graph) {
  const names = new Map(graph.nodes.map((node) => [node.node, node]));
  const picture = make("div");
  const said = make("p", { class: "faint" });
  said.setAttribute("role", "status");
  const body = make("tbody");
  const all = button(words.GRAPH.all, () => show(null), { class: "quiet" });
  /** @param {string} node */
  const nameOf = (node) => shorten(names.get(node)?.label ?? node, LONG);

  /** @param {string | null} chosen */
  const show = (chosen) => {
    const links = strongest(graph, DRAWN, chosen);
    picture.replaceChildren(drawing(graph, links, chosen, show));
    all.hidden = chosen === null;
    said.textContent = chosen === null ? "" : words.GRAPH.chosen(nodeInWords(chosen));
    body.replaceChildren(
      ...links
        .slice(0, LISTED)
        .map(({ source, target, weight }) =>
          make("tr", {}, [
            ...[source, target].map((node) =>
              make("td", {}, [button(nameOf(node), () => show(node), { class: "quiet" })]),
            ),
            make("td", { text: threeDigits(weight), class: "number" }),
          ]),
        ),
    );
  };

  /** @param {string} node */
  const nodeInWords = (node) => {
    const one = names.get(node);
    if (!one) return { label: node, token: "", layer: 0, activation: null };
    const { label: name, layer, activation, position } = one;
    return { label: name, token: label({ text: graph.tokens[position] }), layer, activation };
  };

  const heads = words.GRAPH.columns.map((text) => {
    const head = make("th", { text });
    head.scope = "col";
    return head;
  });
  const table = make("table", { class: "own-arrays own-links" }, [
    make("thead", {}, [make("tr", {}, heads)]),
    body,
  ]);
  show(null);
  return make("section", { class: "own-graph" }, [
    make("p", { text: words.GRAPH.about(graph) }),
    make("p", { text: words.GRAPH.drawn(DRAWN, graph.links.length), class: "faint" }),
    scrolling(words.GRAPH.picture, picture),
    said,
    all,
    table,
  ]);
}

/**
 * @param {Graph} graph
 * @param {readonly Link[]} links
 * @param {string | null} chosen
 * @param {(node: string) => void} choose
 */
function drawing({ nodes: every, tokens }, links, chosen, choose) {
  const ends = new Set(links.flatMap(({ source, target }) => [source, target]));
  const nodes = every.filter(({ node }) => ends.has(node) || node === chosen);
  const { places, layers, positions, widest } = placesOf(nodes.length > 0 ? nodes : every);
  const widths = widest.map((beside) => Math.max(WIDE, APART * beside));
  const starts = [LEFT];
  for (const [at, wide] of widths.entries()) starts.push(starts[at] + wide);
  const width = starts[widths.length];
  const height = layers.length * HIGH + BELOW;
  const x = (/** @type {number} */ at) =>
    starts[Math.round(at)] + (at - Math.round(at) + 0.5) * widths[Math.round(at)];
  const y = (/** @type {number} */ at) => height - BELOW - (at + 0.5) * HIGH;
  const most = Math.max(...links.map(({ weight }) => Math.abs(weight)), 1e-12);
  const lines = links.map(({ source, target, weight }) => {
    const [from, to] = [places.get(source), places.get(target)];
    if (!from || !to) return svg("g");
    const line = svg("line", {
      ...{ x1: x(from.x), y1: y(from.y), x2: x(to.x), y2: y(to.y) },
      class: weight < 0 ? "own-link against" : "own-link",
    });
    const share = Math.abs(weight) / most;
    line.setAttribute("stroke-width", `${Math.max(0.5, THICKEST * share)}`);
    return line;
  });
  const dots = nodes.map(({ node, label: name }) => {
    const at = places.get(node) ?? { x: 0, y: 0 };
    const title = svg("title", {}, [name]);
    const dot = svg("circle", { cx: x(at.x), cy: y(at.y), r: DOT, class: "own-node" }, [title]);
    if (node === chosen) dot.classList.add("chosen");
    dot.addEventListener("click", () => choose(node));
    return dot;
  });
  const rows = layers.map((layer, at) =>
    svg("text", { x: 4, y: y(at) + 4, class: "own-axis" }, [words.GRAPH.layer(layer)]),
  );
  const columns = positions.map((position, at) =>
    svg("text", { x: x(at), y: height - 8, class: "own-axis", "text-anchor": "middle" }, [
      shorten(label({ text: tokens[position] ?? "" }), SHORT),
    ]),
  );
  const named = strongestOfCells(links, places)
    .filter(([, { y: up }]) => layers[up] >= 0) // a token stands below its node
    .map(([node, { x: across, y: up }]) => {
      const name = every.find((each) => each.node === node)?.label ?? node;
      const attributes = { x: x(Math.round(across)), y: y(up) - 10, class: "own-axis own-name" };
      return svg("text", { ...attributes, "text-anchor": "middle" }, [shorten(name, SHORT)]);
    });
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, [
    ...lines,
    ...dots,
    ...rows,
    ...columns,
    ...named,
  ]);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", words.GRAPH.picture);
  return picture;
}

/**
 * Of the nodes of each token and layer, the one with the strongest link: it has its name in the picture.
 * @param {readonly Link[]} links the strongest first
 * @param {ReadonlyMap<string, {x: number, y: number}>} places
 */
function strongestOfCells(links, places) {
  /** @type {Map<string, [string, {x: number, y: number}]>} */
  const of = new Map();
  for (const node of links.flatMap(({ source, target }) => [source, target])) {
    const place = places.get(node);
    const cell = place && `${Math.round(place.x)} ${place.y}`;
    if (cell && !of.has(cell)) of.set(cell, [node, place]);
  }
  return [...of.values()];
}
