// The map as SVG elements. They are made once for a layout; what is marked changes their classes alone.

import { svg } from "../../dom/dom.js";
import { placeLabel } from "./words.js";

/** @import { Layout, Place } from "../../draw/map/layout.js" */

/**
 * What is marked.
 * @typedef {object} Marks
 * @property {string} selected the selected head, by id
 * @property {string} current the place that has the tab stop
 * @property {(place: Place) => boolean} path whether it is the token whose path is drawn
 * @property {(place: Place) => boolean} muted
 * @property {(place: Place) => boolean} reads
 * @property {(place: Place) => number} share of the attention of the head that is looked at, which a token gets
 * @property {Set<string>} lit the places that work at this step of the path
 * @property {{x: number, y: number} | null} dot where the token is
 * @property {{d: string, share: number}[]} looks from tokens to the head that reads them
 */

/** @param {Layout} layout @param {string} label */
export function pictureOf({ width, height, places, lines, labels, norms }, label) {
  const looks = svg("g", { class: "map-looks" });
  const hits = svg("g", { class: "map-hits" });
  const arcs = svg("g", { class: "map-links", "aria-hidden": "true" });
  const dot = svg("circle", { class: "map-dot", r: 8 });
  /** @type {Map<string, {place: Place, element: SVGGElement}>} */
  const drawn = new Map(places.map((place) => [place.id, { place, element: placeElement(place) }]));
  const root = svg(
    "svg",
    {
      class: "map",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": label,
    },
    [
      ...lines.map(({ role, d }) => svg("path", { class: `map-line-${role}`, d })),
      looks,
      ...norms.map((norm) => svg("rect", { class: "map-norm", ...norm })),
      arcs, // below all that is read
      ...labels.flatMap(({ role, x, y, text, anchor }) => [
        ...(role === "node" ? [svg("circle", { class: "map-node", cx: x, cy: y, r: 7 })] : []),
        svg("text", { class: `map-${role}-text`, x, y, dy: "0.35em", "text-anchor": anchor }, [
          text,
        ]),
      ]),
      hits, // below the boxes, which get the pointer where an arc passes them
      ...[...drawn.values()].map(({ element }) => element),
      dot,
    ],
  );
  return {
    root,
    /** @param {Marks} marks */
    mark: (marks) => {
      for (const [id, { place, element }] of drawn) {
        const [muted, reads] = [marks.muted(place), marks.reads(place)];
        element.classList.toggle("selected", id === marks.selected);
        element.classList.toggle("path", marks.path(place));
        element.classList.toggle("muted", muted);
        element.classList.toggle("reads", reads);
        element.classList.toggle("lit", marks.lit.has(id));
        element.style.setProperty("--share", String(marks.share(place)));
        element.setAttribute("tabindex", id === marks.current ? "0" : "-1");
        element.setAttribute("aria-label", placeLabel(place, { muted, reads }));
        if (id === marks.selected) element.setAttribute("aria-current", "true");
        else element.removeAttribute("aria-current");
      }
      looks.replaceChildren(
        ...marks.looks.map(({ d, share }) => {
          const line = svg("path", { d });
          line.style.setProperty("--share", String(share));
          return line;
        }),
      );
      dot.classList.toggle("shown", marks.dot !== null);
      if (!marks.dot) return;
      dot.style.setProperty("--x", `${marks.dot.x}px`);
      dot.style.setProperty("--y", `${marks.dot.y}px`);
    },
    /** The arcs, the strongest first. @param {{d: string, line: number, strength: number, isOwn: boolean}[]} links */
    arcs: (links) => {
      const drawn = links.map(({ d, line, strength, isOwn }, index) => {
        const kind = [strength < 0 ? "lowers" : "raises", ...(isOwn ? ["own"] : [])].join(" ");
        const own = { d, "data-arc": index, "stroke-width": line };
        return {
          hit: svg("path", { d, "data-arc": index }),
          arc: svg("path", { ...own, class: kind }),
        };
      });
      drawn.reverse(); // the strongest on top
      hits.replaceChildren(...drawn.map(({ hit }) => hit));
      arcs.replaceChildren(...drawn.map(({ arc }) => arc));
      arcs.classList.toggle(
        "some",
        links.some(({ isOwn }) => isOwn),
      );
    },
    /** Light one of them up. @param {number} place -1: none */
    light: (place) => {
      arcs.classList.toggle("pointed", place >= 0);
      for (const arc of arcs.children)
        arc.classList.toggle("lit", arc.getAttribute("data-arc") === String(place));
    },
    /** @param {string} id */
    element: (id) => drawn.get(id)?.element ?? null,
  };
}

/** @param {Place} place */
function placeElement({ id, kind, x, y, width, height, label }) {
  const box = { x, y, width, height, rx: kind === "token" ? 12 : 4 };
  const [cx, cy] = [x + width / 2, y + height / 2];
  const given = { class: `map-place map-${kind}`, role: "button", "data-place": id };
  return svg("g", kind === "token" ? { ...given, translate: "no" } : given, [
    svg("rect", { class: "map-box", ...box }),
    ...(kind === "token" ? [svg("rect", { class: "map-share", ...box })] : []),
    svg("path", { class: "map-muted", d: `M${x + 3} ${y + height - 3}L${x + width - 3} ${y + 3}` }),
    svg("text", { x: cx, y: cy, dy: "0.35em", "text-anchor": "middle" }, [label]),
    svg("circle", { class: "map-reads", cx: x + width - 2, cy: y + 2, r: 4.5 }),
  ]);
}
