// What a run of a program made: what it printed, its histograms, why it stopped, how its checks went.

import { make, svg, write } from "../../dom/dom.js";
import { fixed } from "../../language/language.js";
import { agrees, differs, histogramWords, NOTHING_PRINTED, onLine, SOLVED } from "./words.js";

/** @import { ProgramAnswer } from "../../types.d.ts" */

const [WIDTH, HEIGHT] = [320, 80]; // of a histogram, in its own units

/** @param {HTMLElement} root @param {ProgramAnswer} answer */
export function showOutcome(root, { printed, histograms, error, checks, values }) {
  const parts = [];
  if (printed) {
    const text = make("pre", { class: "program-printed", text: printed, verbatim: true });
    text.tabIndex = 0;
    parts.push(text);
  }
  parts.push(...histograms.map(histogram));
  if (error) {
    const at = error.line === null ? "" : `${onLine(error.line)} `;
    parts.push(make("p", { class: "program-wrong", text: at + error.message, verbatim: true }));
  } else if (isSolved(checks)) {
    parts.push(make("p", { class: "program-right", text: SOLVED }));
  } else if (!printed && !histograms.length && !checks.length && !values.length) {
    parts.push(make("p", { class: "faint", text: NOTHING_PRINTED }));
  }
  if (checks.length) parts.push(make("ul", { class: "program-checks" }, checks.map(checked)));
  root.replaceChildren(...parts);
}

/** @param {ProgramAnswer["checks"]} checks */
export const isSolved = (checks) =>
  checks.length > 0 && checks.every(({ wrong }) => wrong === null);

/** @param {ProgramAnswer["checks"][number]} check */
function checked({ about, wrong }) {
  const item = make("li", { class: wrong === null ? "right" : "wrong" });
  write(item, wrong === null ? agrees(about) : differs({ about, wrong }));
  return item;
}

/** How often values occur, as bars. @param {ProgramAnswer["histograms"][number]} drawn */
function histogram({ counts, edges, mean, std }) {
  const most = Math.max(...counts);
  const wide = WIDTH / counts.length;
  const bars = counts.map((count, at) => {
    const high = (count / most) * HEIGHT;
    return svg("rect", { x: at * wide, y: HEIGHT - high, width: wide - 1, height: high });
  });
  const n = counts.reduce((sum, count) => sum + count, 0);
  const words = histogramWords({ n, mean: short(mean), std: short(std) });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" }, bars);
  picture.setAttribute("aria-label", words);
  const ends = make("p", { class: "program-ends" }, [
    make("span", { text: short(edges[0]) }),
    make("span", { text: words }),
    make("span", { text: short(edges[edges.length - 1]) }),
  ]);
  return make("div", { class: "program-histogram" }, [/** @type {any} */ (picture), ends]);
}

/** @param {number} value */
const short = (value) => fixed(value, Math.abs(value) < 10 ? 3 : 2);
