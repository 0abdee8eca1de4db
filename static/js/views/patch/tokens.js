// The table of both sentences, token under token, with those that differ marked.

import { make } from "../../dom/dom.js";
import * as words from "./words.js";

/** @param {import("./reading.js").Column[]} pairs */
export function tokens(pairs) {
  /** @param {string} name @param {"clean" | "name"} which */
  const row = (name, which) => {
    const head = make("th", { text: name });
    head.scope = "row";
    const cells = pairs.map((pair) =>
      make("td", {
        text: pair[which],
        class: pair.differs ? "differs" : "",
        title: pair.differs ? words.TOKENS.differs(pair) : "",
      }),
    );
    return make("tr", {}, [head, ...cells]);
  };
  return [
    make("caption", { class: "unseen", text: words.TOKENS.caption }),
    make("tbody", {}, [row(words.TOKENS.clean, "clean"), row(words.TOKENS.corrupted, "name")]),
  ];
}
