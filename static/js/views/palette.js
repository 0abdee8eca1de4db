// The colours of the scheme in force, read from the CSS tokens.

import { parseRgb, scale } from "../render/color.js";

/** @param {string} token */
function color(token) {
  const probe = document.createElement("i");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const css = getComputedStyle(probe).color; // light-dark() is resolved here, and only here
  probe.remove();
  return css;
}

/** @param {string[]} tokens */
const through = (...tokens) => scale(tokens.map((token) => parseRgb(color(token))));

/** @type {Map<string, ReturnType<typeof read>>} */
const kept = new Map();

function read() {
  return {
    sequential: through("--seq-0", "--seq-1", "--seq-2", "--seq-3", "--seq-4", "--seq-5"),
    diverging: through("--div-low-2", "--div-low-1", "--div-zero", "--div-high-1", "--div-high-2"),
    hatch: color("--hatch"),
    veil: color("--fade"),
    accent: color("--accent"),
    paper: {
      ink: color("--text"),
      faint: color("--faint"),
      line: color("--line"),
      panel: color("--panel"),
      font: getComputedStyle(document.body).fontFamily,
    },
  };
}

/** @param {string} scheme */
export function palette(scheme) {
  const found = kept.get(scheme) ?? read();
  kept.set(scheme, found);
  return found;
}
