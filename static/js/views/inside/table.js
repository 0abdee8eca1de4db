// The keys of the row as a table, one line each, one column a step.

import { button, make } from "../../dom/dom.js";
import { tile } from "../../dom/hatching.js";
import { reach } from "../../numbers/matrix.js";
import { shorten, weight } from "../../words/format.js";
import { reasonOf } from "../../words/hatch.js";
import { minus } from "./line.js";
import { allowance, isAfter, isColumn, plainly } from "./row.js";
import { strip } from "./strip.js";

/** @typedef {import("./row.js").Parts} Parts */
/** @typedef {import("./row.js").Line} Line */
/** @typedef {import("./row.js").Name} Name */
/** @typedef {{diverging: Uint8ClampedArray, hatch: string}} Colors */

/** Values at the ends of the scales, over all keys, so that a page of them looks as it would among the rest. @param {Parts} parts */
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
 * @param {Line[]} lines those that are shown
 * @param {Set<Name>} computed the steps that are
 * @param {string[]} labels of all keys
 * @param {ReturnType<typeof reachesOf>} reaches
 * @param {Colors} colors
 */
export function table(parts, lines, computed, labels, reaches, colors) {
  const columns = parts.steps.filter(isColumn);
  const heads = columns.map(({ name, label }) => {
    const about = aboutColumn(name, parts, reaches);
    const head = make("th", { text: label }, about ? [make("small", { text: about })] : []);
    head.scope = "col";
    head.dataset.part = name;
    head.classList.toggle("later", !computed.has(name));
    return head;
  });
  const corner = make("th", { text: "key" });
  corner.scope = "col";
  const rows = lines.map((line) => {
    const key = button(
      "",
      null,
      { class: "quiet", title: `Read the arithmetic of key ${line.key}` },
      [
        make("small", { text: String(line.key) }),
        document.createTextNode(` ${shorten(labels[line.key], 14)}`),
      ],
    );
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
    const words = { k: "k", product: "q∘k", moved: "weight · v" }[name];
    const drawn = strip(name, line[name], reaches[name], colors.diverging, `${words} of ${label}`);
    return part(name, {}, [drawn]);
  }
  if (name === "mask") {
    const said = make("span", { text: allowance(line) });
    const made = part(name, { title: allowance(line) }, [said]);
    const reason = reasonOf(line.bits);
    if (reason) {
      const hatching = tile(reason.angle, colors.hatch, 9, 1).toDataURL();
      made.style.setProperty("--hatching", `url("${hatching}")`);
    }
    return made;
  }
  const value =
    line[/** @type {"dot" | "scaled" | "capped" | "score" | "share" | "weight"} */ (name)];
  const made = part(name, { title: `${name}: ${exactly(value)}` });
  if (name === "score" && (site.has_bias || line.bias)) {
    const sign = line.bias < 0 ? "−" : "+";
    made.append(make("small", { text: `${sign} ${weight(Math.abs(line.bias))} = ` }));
    made.title = `bias: ${exactly(line.bias)}, score: ${exactly(value)}`;
  }
  made.append(number(value));
  if (name === "weight" || name === "share")
    made.style.setProperty("--share", String(Math.min(1, value)));
  return made;
}

/** The learned logit that takes part in the softmax. @param {Parts} parts @param {Set<Name>} computed */
function sinkRow({ sink, steps }, computed) {
  const name = make("th", { text: "sink", title: "a learned logit that attends to nothing" });
  name.scope = "row";
  const said = { score: sink?.logit, weight: sink?.share };
  const cells = steps.filter(isColumn).map(({ name }) => {
    const value = computed.has(name) ? said[/** @type {keyof typeof said} */ (name)] : undefined;
    if (value === undefined) return empty(name);
    const made = part(name, { text: number(value), title: exactly(value) });
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

/** What is not computed yet. @param {Name} name */
const empty = (name) => part(name, {});

/** @param {number} value */
export const number = (value) => minus(weight(value));

/** All that float32 holds. @param {number} value */
export const exactly = (value) => minus(String(Number(value.toPrecision(9))));

/** @param {Name} name @param {Parts} parts @param {ReturnType<typeof reachesOf>} reaches */
function aboutColumn(name, { site }, reaches) {
  if (name === "scaled") return `× ${plainly(Number(site.scale.toPrecision(4)))}`;
  if (name === "capped") return `± ${plainly(site.soft_cap ?? 0)}`;
  if (name === "score") return site.has_bias ? "= score" : "none here: score";
  if (name === "weight" && isAfter(site)) return "0 where blocked";
  if (name === "weight" || name === "share")
    return site.softmax_over === "query" ? "over queries" : "over keys";
  if (name === "k" || name === "product" || name === "moved")
    return `± ${reaches[name].toFixed(2)}`;
  return "";
}

/**
 * Show which key is read; its button is the one that Tab finds.
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
