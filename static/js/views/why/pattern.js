// The row of the query, key by key: its attention as it is, and without the parts that are switched off.

import { button, make } from "../../dom/dom.js";
import { percent, quoteAt } from "../../words/format.js";
import * as words from "./words.js";

/** @import { CellTable } from "../../types.d.ts" */

const MAX_KEYS = 24; // keys that are listed

/**
 * The keys that are listed, in the order of the text: those with the most attention before or after, and the selected one.
 * @param {Pick<CellTable, "pattern" | "switched" | "key">} table
 * @param {ArrayLike<number>} blocked bits of the reasons, by key
 * @returns {{keys: number[], more: number, blocked: number}}
 */
export function listed({ pattern, switched, key }, blocked) {
  const open = pattern.flatMap((weight, at) =>
    blocked[at] && weight === 0 ? [] : [[Math.max(weight, switched?.pattern[at] ?? 0), at]],
  );
  const ranked = open.toSorted(([a], [b]) => b - a).slice(0, MAX_KEYS);
  const kept = new Set(ranked.map(([, at]) => at));
  if (open.some(([, at]) => at === key)) kept.add(key);
  const keys = [...kept].sort((a, b) => a - b);
  return { keys, more: open.length - keys.length, blocked: pattern.length - open.length };
}

/**
 * @param {CellTable} table
 * @param {{query: string, keys: string[], blocked: ArrayLike<number>}} named
 */
export function patternTable(table, { query, keys, blocked }) {
  const { scores, pattern, switched, key } = table;
  const shown = listed(table, blocked);
  const column = (/** @type {string} */ text) => {
    const head = make("th", { text, class: text === words.ROW.score ? "why-number" : "" });
    head.scope = "col";
    return head;
  };
  const heads = switched
    ? [words.ROW.token, words.ROW.score, words.ROW.before, words.ROW.score, words.ROW.after]
    : [words.ROW.token, words.ROW.score, words.ROW.weight];
  const rows = shown.keys.map((at) => {
    const name = button(words.LABELS.token(at, keys[at]), null, {
      class: "quiet",
      verbatim: true,
      title: words.takeApart(quoteAt(keys, at, words.MAX)),
    });
    name.dataset.key = String(at);
    name.setAttribute("aria-pressed", String(at === key));
    const head = make("th", {}, [name]);
    head.scope = "row";
    return make("tr", { class: at === key ? "chosen" : "" }, [
      head,
      number(words.two(scores[at])),
      bar(pattern[at], "before"),
      ...(switched
        ? [number(words.two(switched.scores[at])), bar(switched.pattern[at], "after")]
        : []),
    ]);
  });
  const caption = make("caption", { text: words.ROW.title(query) });
  const made = make("table", { class: "why-row" }, [
    caption,
    make("thead", { class: "why-heads" }, [
      make(
        "tr",
        {},
        heads.map((text) => column(text)),
      ),
    ]),
    make("tbody", {}, rows),
  ]);
  const left = [
    ...(shown.more > 0 ? [words.ROW.more(shown.more)] : []),
    ...(shown.blocked > 0 ? [words.ROW.blocked(shown.blocked)] : []),
    ...(switched ? [] : [words.ROW.hint]),
  ];
  return [made, make("p", { class: "faint", text: left.join(" ") })];
}

/** @param {string} text */
const number = (text) => make("td", { class: "why-number", text });

/** @param {number} share @param {string} when */
function bar(share, when) {
  const made = make("td", { class: `why-bar ${when}` }, [make("span", { text: percent(share) })]);
  made.style.setProperty("--share", String(Math.min(1, share)));
  return made;
}
