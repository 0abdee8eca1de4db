// The path map as SVG elements.

import { svg } from "../../dom/dom.js";
import { PORTS } from "../../draw/paths/layout.js";

/** @import { PathEdge } from "../../types.d.ts" */
/** @typedef {ReturnType<typeof import("../../draw/paths/layout.js").layoutOf>} Layout */

const MAX_WIDTH = 11; // pixels: the width of the strongest edge
const CROSS = 5; // half the size of the mark on a denied edge

/**
 * @param {Layout} layout
 * @param {PathEdge[]} edges in the order of the layout's lines
 * @param {{most: number, label: string, nameOf: (id: string) => string | null, rows: string[]}} given `most`: the largest effect; `nameOf`: what a screen
 *   reader says of a box that can be clicked
 */
export function pictureOf(layout, edges, { most, label, nameOf, rows }) {
  const { width, height, boxes, lines, tokens } = layout;
  const drawn = edges.map((edge, index) => edgeElement(edge, lines[index], index, most));
  return svg(
    "svg",
    {
      class: "paths",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": label,
    },
    [
      ...layout.rows.map(({ y }) =>
        svg("g", { class: "paths-row" }, [svg("line", { x1: 0, x2: width, y1: y, y2: y })]),
      ),
      ...drawn.toReversed(), // the strongest on top
      ...layout.rows.flatMap(({ y, row }) =>
        row === 0 ? [] : [svg("text", { class: "paths-name", x: 2, y: y - 16 }, [rows[row]])],
      ), // above the edges, which would strike them through
      ...[...boxes.values()].filter(({ row }) => row > 0).map((box) => boxElement(box, nameOf)),
      ...tokens.map(({ x, label, column }) => {
        const y = layout.rows[0].y;
        const own = { class: "paths-token", "data-token": column };
        return svg("g", own, [
          svg("rect", {
            x: x - 10 - 3.8 * label.length,
            y: y - 12,
            rx: 12,
            width: 20 + 7.6 * label.length,
            height: 24,
          }),
          svg("text", { x, y, dy: "0.35em", "text-anchor": "middle", translate: "no" }, [label]),
        ]);
      }),
    ],
  );
}

/** How wide an edge is, in pixels. @param {number} moved @param {number} most */
export const sizeOf = (moved, most) =>
  Math.max(1.25, (MAX_WIDTH * Math.abs(moved)) / Math.max(most, 1e-9));

/** The mark on a denied edge. @param {[x: number, y: number]} middle */
export const crossOf = ([x, y]) =>
  `M${x - CROSS} ${y - CROSS}l${2 * CROSS} ${2 * CROSS}m0 ${-2 * CROSS}l${-2 * CROSS} ${2 * CROSS}`;

/** @param {PathEdge} edge @param {Layout["lines"][number]} line @param {number} place @param {number} most */
function edgeElement({ through, moved, verdict }, { d, middle }, place, most) {
  const [size, mark] = [sizeOf(moved, most), crossOf(middle)];
  const kind = ["paths-edge", `through-${through}`, verdict].join(" ");
  return svg("g", { class: kind, "data-edge": place }, [
    svg("path", { class: "paths-hit", d }),
    svg("path", { class: "paths-line", d, "stroke-width": size.toFixed(2) }),
    ...(verdict === "denied" ? [svg("path", { class: "paths-cross", d: mark })] : []),
  ]);
}

/** @param {import("../../draw/paths/layout.js").Box} box @param {(id: string) => string | null} nameOf */
function boxElement({ id, x, y, width, height, label }, nameOf) {
  const name = nameOf(id);
  const middle = { x: x + width / 2, "text-anchor": "middle" };
  const box = svg("g", { class: "paths-box", "data-node": id }, [
    svg("rect", { x, y, width, height, rx: 5 }),
    svg("text", { ...middle, y: y + height / 2, dy: "0.35em" }, [label]),
  ]);
  if (name === null) return box;
  box.classList.add("paths-head");
  box.setAttribute("role", "button");
  box.setAttribute("tabindex", "0");
  box.setAttribute("aria-label", name);
  for (const [port, at] of Object.entries(PORTS)) {
    const place = { ...middle, class: "paths-port", x: x + width / 2 + at, y: y + height + 9 };
    if (port.length === 1) box.append(svg("text", place, [port]));
  }
  return box;
}
