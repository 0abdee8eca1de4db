// The way into the inside of a head: one cell in a few sentences, before the table of the whole row. Every number is one of the table.

import { make, write } from "../../../dom/dom.js";
import { decimal, percent, plainly } from "../../../words/format.js";
import { explain } from "../../../words/hatch.js";
import { isSigned } from "../request.js";
import { isAfter } from "../steps.js";
import { LEAD } from "./words.js";

/** @import { Parts } from "../row.js" */
/** @typedef {{parts: Parts, key: number, query: string, labels: string[]}} Read `labels` of the keys */

/**
 * The steps of a cell in sentences. Pure.
 * @param {Read} read
 * @returns {string[]}
 */
export function leadOf({ parts: { q, site, lines, muted, sink, gate }, key, query, labels }) {
  const line = lines[key];
  const tokens = { query, key: labels[key] };
  const cap = site.soft_cap === null ? null : plainly(site.soft_cap);
  const score = decimal(line.score);
  const scaled = { scale: plainly(Number(site.scale.toPrecision(4))), cap };
  const masks = explain(line.bits);
  const signed = isSigned(site);
  const shared = line.against
    ? LEAD.softmax[site.softmax_over]({
        ...tokens,
        n: line.against.places.length,
        share: decimal(line.share),
      })
    : "";
  const valued = signed
    ? LEAD.signed({ ...tokens, weight: decimal(line.weight) })
    : LEAD.value({ ...tokens, weight: percent(line.weight) });
  const late = masks ? LEAD.blockedAfter({ masks }) : "";
  return [
    LEAD.dot({ ...tokens, n: q.length, dot: decimal(line.dot) }),
    site.kernel === "linear"
      ? LEAD.logarithm({ score: decimal(line.score), isBiased: line.bias !== 0 })
      : signed
        ? LEAD.product({ ...scaled, scaled: decimal(line.capped), left: leftOf(line.bias), score })
        : line.bias === 0
          ? LEAD.score({ ...scaled, score })
          : LEAD.biased({
              ...scaled,
              scaled: decimal(line.capped),
              bias: decimal(line.bias),
              score,
            }),
    ...(isAfter(site) ? [shared, late] : [masks ? LEAD.blocked({ ...tokens, masks }) : shared]),
    sink && shared ? LEAD.sink({ sink: decimal(sink.share) }) : "",
    muted ? LEAD.muted : masks ? "" : valued,
    gate === null || muted ? "" : LEAD.gate({ query, gate: percent(gate) }),
  ].filter(Boolean);
}

/** Of a key that fades. @param {number} bias */
const leftOf = (bias) => (bias === 0 ? null : percent(Math.exp(bias)));

/** @returns {{root: HTMLElement, show: (read: Read | null) => void}} */
export function cellLead() {
  const title = make("h3");
  const list = make("ol");
  const root = make("section", { class: "inside-lead" }, [
    title,
    list,
    make("p", { class: "faint", text: LEAD.row }),
  ]);
  root.dataset.only = "start"; // with every control there is the table at once
  return {
    root,
    show: (read) => {
      root.hidden = read === null;
      if (!read) return;
      write(title, LEAD.title({ query: read.query, key: read.labels[read.key] }));
      list.replaceChildren(...leadOf(read).map((text) => make("li", { text })));
    },
  };
}
