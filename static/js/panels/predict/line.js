// One line of the predictions: the token as a button, whether it is watched, its change, its probability.

import { button, make } from "../../dom/dom.js";
import { label, percent } from "../../words/format.js";
import { describeToken, points } from "./rows.js";

/** @typedef {import("./rows.js").Row} Row */

/** Why a special token cannot be inserted. */
export const SPECIAL = "it is a special token, which cannot be typed";
const MIN_CHANGE = 0.005; // the smallest change that is visible in a bar

/**
 * A line that can be reused for another token without losing the focus.
 * @param {number} place
 * @param {(place: number) => void} write
 * @param {(place: number) => void} choose
 */
export function line(place, write, choose) {
  const name = button("", () => write(place), { class: "token" });
  const watch = button("", () => choose(place), { class: "watch" });
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
     * @param {string} nowhere why no token can be inserted
     */
    show: ({ token, change: moved, both, most, other }, watched, nowhere) => {
      const words = label(token);
      const reason = token.special ? SPECIAL : nowhere;
      name.textContent = words;
      name.title = `${describeToken(token)}${reason ? `; cannot be appended: ${reason}` : ""}`;
      // it stays focusable, so that screen readers can read the reason
      name.setAttribute("aria-disabled", String(reason !== ""));
      watch.setAttribute("aria-pressed", String(watched));
      watch.setAttribute("aria-label", `Watch “${words}”`);
      watch.title = watched
        ? "Watched: mute effects show this token"
        : "Watch this token: mute effects will show it";
      change.hidden = moved === null;
      change.textContent = moved === null ? "" : points(moved);
      change.title =
        token.unedited === null ? "" : `${percent(token.unedited)} without your masks and mutes`;
      probability.textContent = percent(token.probability);
      element.dataset.id = String(token.id);
      element.className = [
        moved === null ? "" : "compared",
        moved !== null && moved < 0 ? "low" : moved !== null && moved > 0 ? "high" : "",
        other ? "other" : "",
      ]
        .filter(Boolean)
        .join(" ");
      element.style.setProperty("--share", String(both));
      element.style.setProperty("--most", String(most));
      const seen = Math.abs(moved ?? 0) >= MIN_CHANGE; // an unchanged bar needs no mark
      element.style.setProperty("--was", seen ? String(Math.min(1, token.unedited ?? 0)) : "-1");
    },
  };
}
