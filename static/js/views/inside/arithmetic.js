// The arithmetic of the key that is read: one line, and under it every number that the line sums.

import { make } from "../../dom/dom.js";
import { shorten } from "../../words/format.js";
import { arithmetic } from "./line.js";

/** @typedef {import("./row.js").Parts} Parts */
/** @typedef {import("./line.js").Arithmetic} Arithmetic */
/** @typedef {{parts: Parts, key: number, labels: string[]}} Read */

/** @returns {{root: HTMLElement, show: (read: Read | null) => void}} */
export function cellArithmetic() {
  const name = make("h3");
  const line = make("p", { class: "inside-line" });
  line.setAttribute("aria-live", "polite");
  const note = make("p", { class: "hint" });
  const products = folded();
  const masses = folded();
  const root = make("section", { class: "inside-arithmetic" }, [
    name,
    line,
    note,
    make("div", { class: "inside-folds" }, [products.root, masses.root]),
  ]);
  root.setAttribute("aria-label", "The arithmetic of one cell");

  return {
    root,
    show: (read) => {
      root.hidden = read === null;
      if (!read) return;
      const { parts, key, labels } = read;
      const found = arithmetic(parts, key);
      name.textContent = `Key ${key} “${shorten(labels[key], 24)}”, on paper`;
      line.textContent = found.line;
      note.textContent = found.note;
      products.fill(`All ${found.products.length} products`, () => productTable(found));
      const { total } = found;
      masses.root.hidden = total === null;
      // over queries, what shares is queries, of which there are no names here
      const names = parts.site.softmax_over === "key" ? labels : null;
      masses.fill(`All ${found.masses.length} terms of Σ`, () => massTable(found, names));
    },
  };
}

/** Something that is made when it is opened. */
function folded() {
  const summary = make("summary");
  const content = make("div", { class: "inside-list" });
  content.tabIndex = 0; // it scrolls
  const root = make("details", {}, [summary, content]);
  /** @type {() => Node} */
  let fresh = () => make("p");
  const draw = () => {
    if (root.open) content.replaceChildren(fresh());
  };
  root.addEventListener("toggle", draw);
  return {
    root,
    /** @param {string} name @param {() => Node} filling */
    fill: (name, filling) => {
      summary.textContent = name;
      content.setAttribute("role", "group");
      content.setAttribute("aria-label", name);
      fresh = filling;
      draw();
    },
  };
}

/** @param {Arithmetic} found */
function productTable({ products, sum }) {
  return listing(
    ["channel", "q", "k", "q × k"],
    products.map(({ channel, q, k, product }) => [String(channel), q.text, k.text, product.text]),
    ["sum", "", "", sum.text],
  );
}

/** @param {Arithmetic} found @param {string[] | null} names */
function massTable({ masses, total }, names) {
  return listing(
    [names ? "key" : "query", "s", "e^s, as shifted in the line"],
    masses.map(({ place, score, mass }) => [
      place === null ? "sink" : `${place} ${names ? shorten(names[place], 14) : ""}`,
      score.text,
      mass.text,
    ]),
    ["Σ", "", total?.text ?? ""],
  );
}

/** @param {string[]} heads @param {string[][]} rows @param {string[]} foot */
function listing(heads, rows, foot) {
  const line = (/** @type {"td" | "th"} */ tag, /** @type {string[]} */ texts) =>
    make(
      "tr",
      {},
      texts.map((text) => make(tag, { text })),
    );
  return make("table", {}, [
    make("thead", {}, [line("th", heads)]),
    make(
      "tbody",
      {},
      rows.map((row) => line("td", row)),
    ),
    make("tfoot", {}, [line("td", foot)]),
  ]);
}
