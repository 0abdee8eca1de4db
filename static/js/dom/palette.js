// The colours of a colour scheme, read from the CSS tokens.

import { COLOURS, parseRgb, scale } from "../draw/color.js";

/** @typedef {"light" | "dark"} Scheme */

/** @param {string} token @param {Scheme} scheme not necessarily that of the page */
function color(token, scheme) {
  const probe = document.createElement("i");
  probe.style.colorScheme = scheme;
  probe.style.setProperty("forced-color-adjust", "none"); // a scale stays one where a system has few colours
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const css = getComputedStyle(probe).color; // only a computed style resolves light-dark()
  probe.remove();
  return css;
}

/** @param {Scheme} scheme @param {string[]} tokens @param {1 | 2} [halves] */
const scaleOf = (scheme, tokens, halves) =>
  scale(
    tokens.map((token) => parseRgb(color(token, scheme))),
    halves,
  );

/** @type {Map<string, ReturnType<typeof read>>} */
const cache = new Map();

const SEQUENTIAL = ["--seq-0", "--seq-1", "--seq-2", "--seq-3", "--seq-4", "--seq-5"];
const DIVERGING = ["--div-low-2", "--div-low-1", "--div-zero", "--div-high-1", "--div-high-2"];

/** @param {Scheme} scheme */
function read(scheme) {
  return {
    sequential: scaleOf(scheme, SEQUENTIAL),
    diverging: scaleOf(scheme, DIVERGING, 2),
    hatch: color("--hatch", scheme),
    veil: color("--fade", scheme),
    accent: color("--accent", scheme),
    falls: color("--falls", scheme),
    rises: color("--rises", scheme),
    /** For the heads of one picture. */
    categories: Array.from({ length: COLOURS }, (_, index) => color(`--cat-${index + 1}`, scheme)),
    paper: {
      ink: color("--text", scheme),
      faint: color("--faint", scheme),
      line: color("--line", scheme),
      panel: color("--panel", scheme),
      font: getComputedStyle(document.body).fontFamily,
    },
  };
}

/** The tokens also depend on the root's `data-scale`. @param {Scheme} scheme */
export function palette(scheme) {
  const key = `${scheme} ${document.documentElement.dataset.scale}`;
  const colors = cache.get(key) ?? read(scheme);
  cache.set(key, colors);
  return colors;
}
