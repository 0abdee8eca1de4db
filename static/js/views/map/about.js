// What is said beside the map: about a place, or about one step of the path; and where one can go from there.

import { button, make, write } from "../../dom/dom.js";
import { VIEWS } from "../../state/views.js";
import { enumerated } from "../../words/format.js";
import { readBy } from "./reads.js";
import { TOOLS, viewLabel } from "./words.js";

/** @import { View } from "../../types.d.ts" */
/** @typedef {import("../../draw/map/layout.js").Place["kind"]} PlaceKind */

/** @param {{open: (view: View) => void, go: ((place: "sentence" | "prediction") => void) | undefined}} on */
export function aboutPanel(on) {
  const title = make("h3", { class: "map-title" });
  const words = make("div", { class: "map-words" });
  words.setAttribute("role", "status");
  const views = VIEWS.filter(({ reads }) => reads.length > 0).map((row) => {
    const element = button("", () => on.open(row.name));
    if ("only" in row) element.dataset.only = row.only;
    return { ...row, element };
  });
  const list = make("div", { class: "map-views" }, [
    make("span", { text: TOOLS.views, class: "faint" }),
    ...views.map(({ element }) => element),
  ]);
  const go = {
    sentence: button(TOOLS.sentence, () => on.go?.("sentence")),
    prediction: button(TOOLS.prediction, () => on.go?.("prediction")),
  };
  go.sentence.dataset.only = "start full"; // a presentation has no text box,
  go.prediction.dataset.only = "full"; // and only all controls list every prediction
  const root = make("div", { class: "map-about" }, [
    title,
    words,
    list,
    go.sentence,
    go.prediction,
  ]);
  return {
    root,
    /** Put something between the words and what leads to other places. @param {HTMLElement} element */
    insert: (element) => words.after(element),
    /**
     * @param {{title: string, sentences: string[], details: string[], kind: PlaceKind | null, matrix: import("../../types.d.ts").Matrix, before: View}} about
     *   `details`: sizes, which not every depth of the page shows; `kind`: null while the path is shown
     */
    show: ({ title: name, sentences, details, kind, matrix, before }) => {
      write(title, name);
      const sizes = details.map((text) => make("p", { text }));
      for (const one of sizes) one.dataset.only = "full";
      words.replaceChildren(...sentences.map((text) => make("p", { text })), ...sizes);
      list.hidden = kind !== "head";
      for (const { name, label, element } of views) {
        write(element, viewLabel(label, enumerated(readBy(name, matrix))));
        if (name === before) element.setAttribute("aria-current", "true");
        else element.removeAttribute("aria-current");
      }
      go.sentence.hidden = !on.go || (kind !== "sentence" && kind !== "token");
      go.prediction.hidden = !on.go || kind !== "prediction";
    },
  };
}
