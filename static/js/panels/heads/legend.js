// What the labels of the heads mean: those that are on the page, each once.

import { make } from "../../dom/dom.js";
import { ranked } from "../../words/labels.js";
import { scoresBy, watchScores } from "./between.js";
import { LEGEND, STRONGEST_ABOUT } from "./words.js";

/** @param {import("../../state/store.js").Store} store */
export function labelLegend(store) {
  const list = make("dl");
  const root = make("details", { class: "label-legend" }, [
    make("summary", { text: LEGEND }),
    make("p", { text: STRONGEST_ABOUT }),
    list,
  ]);
  root.addEventListener("toggle", () => {
    if (root.open) root.scrollIntoView({ block: "nearest" }); // on a phone it opens behind the strip of heads
  });
  watchScores(store, (state) => {
    const labels = state.find === null ? ranked(scoresBy(state) ?? [], null) : [];
    const does = new Map(labels.map(({ label }) => [label.name, label.does]));
    does.delete(""); // heads without a label
    root.hidden = does.size === 0;
    list.replaceChildren(
      ...[...does].map(([name, words]) =>
        make("div", {}, [make("dt", { text: name }), make("dd", { text: words })]),
      ),
    );
  });
  return root;
}
