// A circuit of edges as a drawing: tokens at the bottom, the answer at the top, and what reads what between them.

import { make, scrolling, svg } from "../dom/dom.js";
import * as words from "./words.js";

/** @import { StudyCircuit } from "../types.d.ts" */
/** @typedef {{name: string, row: number, x: number, y: number}} Node */

const [WIDE, HIGH] = [92, 62]; // px, of the place of a node
const [BOX, TALL] = [78, 26]; // of its box
const MARGIN = 8;
const BEND = 44; // of edges that pass other rows, at most

/**
 * Where each part stands: rows from the tokens up, heads of a layer side by side, feed-forward networks above each other at the right. Pure.
 * @param {Pick<StudyCircuit, "edges">} circuit
 */
export function placesOf({ edges }) {
  const names = [...new Set(edges.flatMap(({ sender, receiver }) => [sender, receiver]))];
  const levels = [...new Set(names.map(levelOf))].toSorted((one, other) => one - other);
  const rows = levels.map((level) => names.filter((name) => levelOf(name) === level).toSorted());
  const most = Math.max(1, ...rows.map(({ length }) => length));
  const networks = BEND + (most + 0.5) * WIDE;
  const height = 2 * MARGIN + rows.length * HIGH - (HIGH - TALL);
  /** @type {Map<string, Node>} */
  const nodes = new Map();
  for (const [row, members] of rows.entries())
    for (const [at, name] of members.entries()) {
      const x = BEND + (most / 2 + at - (members.length - 1) / 2) * WIDE;
      const y = height - MARGIN - TALL / 2 - row * HIGH;
      nodes.set(name, { name, row, x: isNetwork(name) ? networks : x, y });
    }
  return { nodes, width: networks + WIDE / 2 + BEND, height };
}

/** @param {string} name */
const isNetwork = (name) => name.startsWith("mlp");

/** The order in which parts write: tokens, then for each layer its heads and its feed-forward network. @param {string} name */
function levelOf(name) {
  if (name === "tokens") return -1;
  if (name === "logit") return Number.MAX_SAFE_INTEGER;
  const [layer] = name.match(/\d+/) ?? ["0"];
  return 2 * Number(layer) + (isNetwork(name) ? 1 : 0);
}

/** @param {StudyCircuit} circuit */
export function wiring(circuit) {
  const { nodes, width, height } = placesOf(circuit);
  const most = Math.max(...circuit.edges.map(({ mean }) => Math.abs(mean)), 1e-9);
  const lines = circuit.edges.map((edge) => {
    const [from, to] = [edge.sender, edge.receiver].map(
      (name) => /** @type {Node} */ (nodes.get(name)),
    );
    const [start, end] = [from.y - TALL / 2, to.y + TALL / 2];
    // edges into q, k and v of a head end beside each other
    const x = to.x + ({ q: -20, k: 0, v: 20 }[edge.through] ?? 0);
    const bend = (start - end) / 2;
    const passes =
      Math.min(BEND, 15 * (to.row - from.row - 1)) * (isNetwork(from.name) ? 1.3 : -1.3);
    const path = `M ${from.x} ${start} C ${from.x + passes} ${start - bend}, ${x + passes} ${end + bend}, ${x} ${end}`;
    const title = svg("title", {}, [words.wireInWords(edge)]);
    const drawn = svg("path", { d: path, class: "study-wire" }, [title]);
    drawn.setAttribute("stroke-width", `${1 + (5 * Math.abs(edge.mean)) / most}`);
    const letter = ["q", "k", "v"].includes(edge.through)
      ? [svg("text", { x: x + 4, y: end + 11, class: "study-through" }, [edge.through])]
      : [];
    return svg("g", {}, [drawn, ...letter]);
  });
  const boxes = [...nodes.values()].map(({ name, x, y }) =>
    svg("g", {}, [
      svg("rect", {
        x: x - BOX / 2,
        y: y - TALL / 2,
        width: BOX,
        height: TALL,
        rx: 5,
        class: "study-part-box",
      }),
      svg("text", { x, y: y + 4, class: "study-part-name" }, [words.wiredName(name)]),
    ]),
  );
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, [
    ...lines,
    ...boxes,
  ]);
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", words.wiringInWords(circuit));
  return make("figure", { class: "study-wiring" }, [
    scrolling(words.WIRING, /** @type {any} */ (drawn)),
    make("figcaption", { class: "faint", text: words.WIRING_ABOUT }),
  ]);
}
