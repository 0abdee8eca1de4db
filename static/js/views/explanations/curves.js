// The deletion and insertion curves: those of the reference, of raw attention, of the best method and of random orders, each with its
// name beside it; the areas of all in a table.

import { make, svg } from "../../dom/dom.js";
import { middleOf, placed, SIZE } from "./lines.js";
import { bestOf, hasValues, REFERENCE } from "./reading.js";
import * as words from "./words.js";

/** @import { Comparison } from "./reading.js" */

export const KINDS = /** @type {const} */ (["deletion", "insertion"]);

export function curves() {
  const pictures = make("div", { class: "explanations-curves" });
  const body = make("tbody");
  const areas = make("details", {}, [
    make("summary", { text: words.CURVES.areas }),
    make("table", { class: "explanations-areas" }, [
      make("thead", {}, [
        make(
          "tr",
          {},
          words.CURVES.columns.map((text) => make("th", { text })),
        ),
      ]),
      body,
    ]),
  ]);
  const root = make("section", {}, [
    make("h3", { text: words.CURVES.title }),
    pictures,
    make("p", { class: "faint", text: words.curvesNote }),
    areas,
  ]);
  return {
    root,
    /** @param {Comparison} comparison */
    show(comparison) {
      pictures.replaceChildren(...KINDS.map((kind) => picture(kind, comparison)));
      const every = [
        ...comparison.columns.flatMap(({ one }) =>
          hasValues(one) ? [{ label: one.label, curves: one.curves }] : [],
        ),
        { label: words.CURVES.random, curves: comparison.explanations.random },
      ];
      body.replaceChildren(
        ...every.map(({ label, curves: of }) =>
          make("tr", {}, [
            make("th", { text: label }),
            ...KINDS.map((kind) => make("td", { text: words.number(of[kind].area) })),
          ]),
        ),
      );
    },
  };
}

/** @param {typeof KINDS[number]} kind @param {Comparison} comparison */
function picture(kind, comparison) {
  const { lines, low, high, steps, zero } = placed(linesOf(kind, comparison));
  const [bottom, right] = [SIZE.height - SIZE.bottom, SIZE.width - SIZE.right];
  const drawn = svg(
    "svg",
    { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img", class: "explanations-curve" },
    [
      svg("path", { class: "axis", d: `M${SIZE.left} ${SIZE.top}V${bottom}H${right}` }),
      ...(zero === null
        ? []
        : [svg("path", { class: "zero", d: `M${SIZE.left} ${zero}H${right}` })]),
      text(SIZE.left - 4, SIZE.top + 8, words.number(high), "end"),
      text(SIZE.left - 4, bottom, words.number(low), "end"),
      text(SIZE.left - 4, (SIZE.top + bottom) / 2 + 4, words.CURVES.y, "end"),
      text(SIZE.left, SIZE.height - 10, "0", "middle"),
      text(right, SIZE.height - 10, String(steps), "middle"),
      text((SIZE.left + right) / 2, SIZE.height - 10, words.CURVES.x[kind], "middle"),
      ...lines.flatMap(({ name, label, points, at }, index) => {
        const path = points.map(({ x, y }, step) => `${step ? "L" : "M"}${x} ${y}`).join("");
        const middle = points[middleOf(points)];
        return [
          svg("path", { class: `line line-${index}`, d: path, "data-name": name }),
          svg("path", {
            class: `leader line-${index}`,
            d: `M${middle.x} ${middle.y}L${right + 6} ${at}`,
          }),
          svg("text", { class: "name", x: right + 9, y: at + 4 }, [label]),
        ];
      }),
    ],
  );
  drawn.setAttribute(
    "aria-label",
    words.curvesLabel(
      kind,
      lines.map(({ label }) => label),
    ),
  );
  return make("figure", {}, [make("figcaption", { text: words.CURVES[kind] }), drawn]);
}

/** The lines that are drawn. @param {typeof KINDS[number]} kind @param {Comparison} comparison */
export function linesOf(kind, { columns, explanations }) {
  const best = bestOf(columns)?.one.name;
  const chosen = columns
    .map(({ one }) => one)
    .filter(hasValues)
    .filter(({ name }) => name === REFERENCE || name === best || name === "weight");
  return [
    ...chosen.map(({ name, label, curves: of }) => ({ name, label, values: of[kind].logits })),
    { name: "random", label: words.CURVES.random, values: explanations.random[kind].logits },
  ];
}

/** @param {number} x @param {number} y @param {string} said @param {"end" | "middle"} anchor */
const text = (x, y, said, anchor) => svg("text", { x, y, "text-anchor": anchor }, [said]);
