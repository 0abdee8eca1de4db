// One line of the predictions: the token as a button, whether it is watched, its change, its probability.

import { button, make } from "../../dom/dom.js";
import { label, percent } from "../../words/format.js";
import { points } from "./rows.js";
import { SPECIAL, tokenTitle, unedited, WATCH, WATCHED, watchLabel } from "./words.js";

/** @import { Row } from "./rows.js" */

const MIN_CHANGE = 0.005; // the smallest change that is visible in a bar

/**
 * A line that can be reused for another token without losing the focus.
 * @param {() => void} onInsert
 * @param {() => void} onWatch
 */
export function line(onInsert, onWatch) {
  const name = button("", onInsert, { class: "token", verbatim: true });
  const watch = button("", onWatch, { class: "watch" });
  const change = make("td", { class: "change" });
  const probability = make("td");
  const element = make("tr", {}, [
    make("td", {}, [name]),
    make("td", {}, [watch]),
    change,
    probability,
  ]);

  return {
    element,
    /**
     * @param {Row} row
     * @param {boolean} watched
     * @param {string} noInsertion why no token can be inserted; "" if they can
     */
    show: ({ token, change: moved, shared, longer, other }, watched, noInsertion) => {
      const text = label(token);
      const reason = token.special ? SPECIAL : noInsertion;
      name.textContent = text;
      name.title = tokenTitle(token, reason);
      // it stays focusable, so that screen readers can read the reason
      name.setAttribute("aria-disabled", String(reason !== ""));
      watch.setAttribute("aria-pressed", String(watched));
      watch.setAttribute("aria-label", watchLabel({ token: text }));
      watch.title = watched ? WATCHED : WATCH;
      change.hidden = moved === null;
      change.textContent = moved === null ? "" : points(moved);
      change.title = token.unedited === null ? "" : unedited(percent(token.unedited));
      probability.textContent = percent(token.probability);
      element.dataset.id = String(token.id);
      element.className = [
        moved === null ? "" : "compared",
        moved !== null && moved < 0 ? "low" : moved !== null && moved > 0 ? "high" : "",
        other ? "other" : "",
      ]
        .filter(Boolean)
        .join(" ");
      element.style.setProperty("--share", String(shared));
      element.style.setProperty("--most", String(longer));
      const visible = Math.abs(moved ?? 0) >= MIN_CHANGE; // an unchanged bar needs no mark
      element.style.setProperty("--was", visible ? String(Math.min(1, token.unedited ?? 0)) : "-1");
    },
  };
}
