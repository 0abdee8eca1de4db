// What each explanation is, where it comes from, and why one has nothing to say.

import { make } from "../../dom/dom.js";
import { translated } from "../../language/gettext.js";
import * as words from "./words.js";

/** @import { Comparison } from "./reading.js" */

export function about() {
  const list = make("dl", { class: "explanations-about" });
  const root = make("details", {}, [make("summary", { text: words.ABOUT.title }), list]);
  return {
    root,
    /** @param {Comparison} comparison */
    show({ columns }) {
      list.replaceChildren(
        ...columns.flatMap(({ one }) => [
          make("dt", { text: translated(one.label) }),
          make("dd", {}, [
            make("p", { text: words.defined(translated(one.definition), one.source) }),
            ...Object.entries(one.notes).map(([name, value]) =>
              make("p", { class: "faint", text: words.note(one.notes_mean[name], value) }),
            ),
            ...(one.reason === null ? [] : [make("p", { text: words.silent(one.reason) })]),
          ]),
        ]),
      );
    },
  };
}
