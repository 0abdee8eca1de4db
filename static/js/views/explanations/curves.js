// The deletion and insertion curves: those of the reference, of raw attention, of the best method and of random orders, each with its
// name beside it; the areas of all in a table.

import { busyWith } from "../../dom/busy.js";
import { make, svg, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { translated } from "../../language/gettext.js";
import { middleOf, placed, SIZE } from "./lines.js";
import { drawnOf, hasCurves } from "./reading.js";
import * as words from "./words.js";

/** @import { Asked } from "../../types.d.ts" */
/** @import { Comparison } from "./reading.js" */

export const KINDS = /** @type {const} */ (["deletion", "insertion"]);

/** @param {import("../../state/store.js").Store} store @param {() => void} retry */
export function curves(store, retry) {
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
  const drawn = make("div", { class: "explanations-drawn" }, [
    pictures,
    make("p", { class: "faint", text: words.curvesNote }),
    areas,
  ]);
  const said = make("p", { class: "faint" });
  const again = tryAgain(retry);
  const root = make("section", {}, [make("h3", { text: words.CURVES.title }), said, again, drawn]);
  areas.addEventListener("toggle", () => store.update({ areas: areas.open }));
  busyWith(root, store, ["curves"]);
  return {
    root,
    /** Until the new curves are there, the old ones stand dimmed. @param {Comparison} comparison @param {Asked | null} asked */
    show(comparison, asked) {
      const { random } = comparison.explanations;
      const problem = asked?.problem ?? null;
      write(said, random ? "" : (problem?.message ?? words.CURVES.computing));
      again.hidden = !problem?.retry;
      if (!random) {
        if (problem) pictures.replaceChildren();
        drawn.hidden = pictures.childElementCount === 0;
        return;
      }
      drawn.hidden = false;
      pictures.replaceChildren(...KINDS.map((kind) => picture(kind, comparison)));
      const every = [
        ...comparison.columns.flatMap(({ one }) =>
          hasCurves(one) ? [{ label: translated(one.label), curves: one.curves }] : [],
        ),
        { label: words.CURVES.random, curves: random },
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
  const drawn = drawnOf(columns);
  const chosen = columns
    .map(({ one }) => one)
    .filter(hasCurves)
    .filter(({ name }) => drawn.has(name));
  return [
    ...chosen.map(({ name, label, curves: of }) => ({
      name,
      label: translated(label),
      values: of[kind].logits,
    })),
    ...(explanations.random
      ? [{ name: "random", label: words.CURVES.random, values: explanations.random[kind].logits }]
      : []),
  ];
}

/** @param {number} x @param {number} y @param {string} said @param {"end" | "middle"} anchor */
const text = (x, y, said, anchor) => svg("text", { x, y, "text-anchor": anchor }, [said]);
