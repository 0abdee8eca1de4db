// The keys of the row as a table, with a line for each key and a column for each step.

import { button, make } from "../../dom/dom.js";
import { tile } from "../../dom/hatching.js";
import { reach } from "../../numbers/matrix.js";
import { decimal, exactly, shorten } from "../../words/format.js";
import { reasonOf } from "../../words/hatch.js";
import { isColumn } from "./steps.js";
import { strip } from "./strip.js";
import { allowance, biasInWords, columnInWords, TABLE } from "./words.js";

/** @import { Line, Parts } from "./row.js" */
/** @import { Name } from "./steps.js" */
/** @typedef {{diverging: Uint8ClampedArray, hatch: string}} Colors */

/** The values at the ends of the scales. They cover all keys, so that every page of the table has the same colours. @param {Parts} parts */
export function reachesOf({ q, lines, z, result }) {
  const over = (/** @type {(line: Line) => ArrayLike<number>} */ of) =>
    lines.reduce((most, line) => Math.max(most, furthest(of(line))), 0) || 1;
  return {
    q: reach(q),
    k: over(({ k }) => k),
    product: over(({ product }) => product),
    moved: Math.max(
      over(({ moved }) => moved),
      furthest(z),
    ),
    result: reach(result ?? []),
  };
}

/** @param {ArrayLike<number>} vector */
const furthest = (vector) => {
  let most = 0;
  for (let at = 0; at < vector.length; at += 1) most = Math.max(most, Math.abs(vector[at]));
  return most;
};

/**
 * @param {Parts} parts
 * @param {Line[]} lines the keys that are shown
 * @param {Set<Name>} computed the steps that are shown
 * @param {string[]} labels of all keys
 * @param {ReturnType<typeof reachesOf>} reaches
 * @param {Colors} colors
 */
export function table(parts, lines, computed, labels, reaches, colors) {
  const columns = parts.steps.filter(isColumn);
  const heads = columns.map(({ name, label }) => {
    const about = columnInWords(name, parts.site, reaches);
    const head = make("th", { text: label }, about ? [make("small", { text: about })] : []);
    head.scope = "col";
    head.dataset.part = name;
    head.classList.toggle("later", !computed.has(name));
    return head;
  });
  const corner = make("th", { text: TABLE.key });
  corner.scope = "col";
  const rows = lines.map((line) => {
    const key = button("", null, { class: "quiet", title: TABLE.read(line.key), verbatim: true }, [
      make("small", { text: String(line.key) }),
      document.createTextNode(` ${shorten(labels[line.key], 14)}`),
    ]);
    key.tabIndex = -1;
    const name = make("th", {}, [key]);
    name.scope = "row";
    const cells = columns.map((column) =>
      computed.has(column.name)
        ? cell(column.name, line, parts, labels[line.key], reaches, colors)
        : empty(column.name),
    );
    const row = make("tr", {}, [name, ...cells]);
    row.dataset.key = String(line.key);
    row.classList.toggle("blocked", line.bits > 0 && computed.has("mask"));
    return row;
  });
  const made = make("table", { class: "inside-keys" }, [
    make("thead", {}, [make("tr", {}, [corner, ...heads])]),
    make("tbody", {}, [...rows, ...(parts.sink ? [sinkRow(parts, computed)] : [])]),
  ]);
  return made;
}

/**
 * @param {Name} name
 * @param {Line} line
 * @param {Parts} parts
 * @param {string} label
 * @param {ReturnType<typeof reachesOf>} reaches
 * @param {Colors} colors
 */
function cell(name, line, { site }, label, reaches, colors) {
  if (name === "k" || name === "product" || name === "moved") {
    const words = TABLE.vectors[name](label);
    return part(name, {}, [strip(name, line[name], reaches[name], colors.diverging, words)]);
  }
  if (name === "mask") {
    const words = allowance(line);
    const made = part(name, { title: words }, [make("span", { text: words })]);
    const reason = reasonOf(line.bits);
    if (reason) {
      const hatching = tile(reason.angle, colors.hatch, 9, 1).toDataURL();
      made.style.setProperty("--hatching", `url("${hatching}")`);
    }
    return made;
  }
  const number = /** @type {import("./words.js").NumberName} */ (name);
  const value = line[number];
  const made = part(name, { title: TABLE.number(number, value) });
  if (name === "score" && (site.has_bias || line.bias)) {
    made.append(make("small", { text: biasInWords(site, line.bias) }));
    made.title = TABLE.biased(line.bias, value);
  }
  made.append(decimal(value));
  if (name === "weight" || name === "share")
    made.style.setProperty("--share", String(Math.min(1, Math.abs(value))));
  return made;
}

/** The row of the sink: a learned logit that takes part in the softmax. @param {Parts} parts @param {Set<Name>} computed */
function sinkRow({ sink, steps }, computed) {
  const name = make("th", { text: TABLE.sink, title: TABLE.aboutSink });
  name.scope = "row";
  const numbers = { score: sink?.logit, weight: sink?.share };
  const cells = steps.filter(isColumn).map(({ name }) => {
    const key = /** @type {keyof typeof numbers} */ (name);
    const value = computed.has(name) ? numbers[key] : undefined;
    if (value === undefined) return empty(name);
    const made = part(name, { text: decimal(value), title: exactly(value) });
    if (name === "weight") made.style.setProperty("--share", String(value));
    return made;
  });
  return make("tr", { class: "sink" }, [name, ...cells]);
}

/** @param {Name} name @param {{text?: string, title?: string}} options @param {Node[]} [children] */
function part(name, options, children) {
  const made = make("td", options, children);
  made.dataset.part = name;
  return made;
}

/** A cell that is not computed yet. @param {Name} name */
const empty = (name) => part(name, {});

/**
 * Mark the selected key; only its button is a stop for the Tab key.
 * @param {HTMLElement} root
 * @param {number} key
 * @param {boolean} focus
 */
export function markKey(root, key, focus) {
  for (const row of root.querySelectorAll("tr[data-key]")) {
    const button = row.querySelector("button");
    const here = row.getAttribute("data-key") === String(key);
    row.classList.toggle("chosen", here);
    button?.setAttribute("aria-pressed", String(here));
    if (button) button.tabIndex = here ? 0 : -1;
    if (here && focus) button?.focus();
  }
}
