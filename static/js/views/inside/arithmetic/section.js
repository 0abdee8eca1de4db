// The arithmetic of the selected key: one line, and below it every number that the line sums.

import { make, write } from "../../../dom/dom.js";
import { shorten } from "../../../words/format.js";
import { arithmetic } from "./line.js";
import { PRODUCTS, SECTION, TERMS } from "./words.js";

/** @import { Parts } from "../row.js" */
/** @import { Arithmetic } from "./line.js" */
/** @typedef {{parts: Parts, key: number, labels: string[]}} Read */

/** @returns {{root: HTMLElement, show: (read: Read | null) => void}} */
export function cellArithmetic() {
  const name = make("h3");
  const line = make("p", { class: "inside-line" });
  line.setAttribute("aria-live", "polite");
  const note = make("p", { class: "hint" });
  const products = folded();
  const terms = folded();
  const root = make("section", { class: "inside-arithmetic" }, [
    name,
    line,
    note,
    make("div", { class: "inside-folds" }, [products.root, terms.root]),
  ]);
  root.setAttribute("aria-label", SECTION.label);

  return {
    root,
    show: (read) => {
      root.hidden = read === null;
      if (!read) return;
      const { parts, key, labels } = read;
      const result = arithmetic(parts, key);
      write(name, SECTION.title(key, labels[key]));
      write(line, result.line);
      write(note, result.note);
      products.fill(SECTION.products(result.products.length), () => productTable(result));
      terms.root.hidden = result.total === null;
      // the softmax over queries has a term for each query, whose label is not known here
      const names = parts.site.softmax_over === "key" ? labels : null;
      terms.fill(SECTION.terms(result.terms.length), () => termTable(result, names));
    },
  };
}

/** A section that is filled when it is opened. */
function folded() {
  const summary = make("summary");
  const content = make("div", { class: "inside-list" });
  content.tabIndex = 0; // it scrolls
  const root = make("details", {}, [summary, content]);
  /** @type {() => Node} */
  let latest = () => make("p");
  const draw = () => {
    if (root.open) content.replaceChildren(latest());
  };
  root.addEventListener("toggle", draw);
  return {
    root,
    /** @param {string} name @param {() => Node} filling */
    fill: (name, filling) => {
      write(summary, name);
      content.setAttribute("role", "group");
      content.setAttribute("aria-label", name);
      latest = filling;
      draw();
    },
  };
}

/** @param {Arithmetic} result */
function productTable({ products, sum }) {
  return listing(
    PRODUCTS.columns,
    products.map(({ channel, q, k, product }) => [String(channel), q.text, k.text, product.text]),
    [PRODUCTS.sum, "", "", sum.text],
  );
}

/** @param {Arithmetic} result @param {string[] | null} names of the keys */
function termTable({ terms, total }, names) {
  return listing(
    TERMS.columns(names !== null),
    terms.map(({ place, score, exp }) => [
      place === null ? TERMS.sink : `${place} ${names ? shorten(names[place], 14) : ""}`,
      score.text,
      exp.text,
    ]),
    [TERMS.sum, "", total?.text ?? ""],
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
