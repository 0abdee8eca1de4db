// Explanations of the prediction: what each says of each token, with ablation as the reference, and the search for another attention pattern.

import { busyWith } from "../../dom/busy.js";
import { make, write } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { tryAgain } from "../../dom/problem.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { modelIn } from "../../state/choice.js";
import { about } from "./about.js";
import { agreement } from "./agreement.js";
import { curves } from "./curves.js";
import { bestOf, comparisonIn } from "./reading.js";
import { lacks, reasonOf } from "./request.js";
import { save } from "./save.js";
import { explanationsScene } from "./scene.js";
import { search } from "./search.js";
import { settings } from "./settings.js";
import { table } from "./table.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */

/**
 * @param {HTMLElement} root
 * @param {import("../../state/store.js").Store} store
 * @param {import("../view.js").Page} page
 * @returns {import("../view.js").Picture}
 */
export function explanations(root, store, { retry }) {
  root.classList.add("explanations-view");
  const said = make("p", { class: "explanations-verdict" });
  said.setAttribute("role", "status");
  const again = tryAgain(retry);
  const subject = make("p", { class: "faint" });
  const columns = table();
  const lines = curves(store, retry);
  const matrix = agreement();
  const definitions = about();
  const body = make("div", { class: "explanations-body" }, [
    subject,
    settings(store),
    columns.root,
    make("p", { class: "faint", text: words.CAUTION }),
    lines.root,
    search(store, retry),
    matrix.root,
    definitions.root,
  ]);
  root.append(said, again, body);

  const from = /** @type {const} */ ([
    "explanations",
    "curves",
    "shown",
    "ranked",
    "counted",
    "view",
    "model",
  ]);
  busyWith(root, store, ["explanations"]);
  store.watch([...from, "models", "answer"], (state) => {
    if (state.view !== "explanations") return;
    const comparison = comparisonIn(state);
    again.hidden = !state.explanations?.problem?.retry;
    write(said, sayingOf(state, comparison));
    body.hidden = !comparison || Boolean(reasonOf(modelIn(state)) || state.explanations?.problem);
    if (body.hidden || !comparison) return;
    write(subject, words.subject(comparison));
    columns.show(comparison);
    lines.show(comparison, state.curves);
    matrix.show(comparison);
    definitions.show(comparison);
  });

  return {
    drawn: () => Promise.resolve(),
    /** The curves for a file; null if there are none yet. @param {import("../../draw/pictures/look.js").Look} [look] */
    scene: ({ scheme, bare } = LIGHT) => {
      const { state } = store;
      const comparison = state.view === "explanations" && !body.hidden ? comparisonIn(state) : null;
      if (!comparison?.explanations.random) return null;
      const verdict = words.verdict(comparison, bestOf(comparison.columns));
      const about = [words.CURVES.title, verdict, words.CAUTION, words.curvesNote];
      return explanationsScene(comparison, bare ? [] : about, palette(scheme));
    },
  };
}

/** The verdict, or why there is none. @param {Readonly<State>} state @param {import("./reading.js").Comparison | null} comparison */
function sayingOf(state, comparison) {
  const reason = lacks(modelIn(state));
  if (reason) return reason;
  const { status, problem } = state.explanations ?? { status: "loading", problem: null };
  if (problem) return problem.message;
  if (comparison) return words.verdict(comparison, bestOf(comparison.columns));
  return status === "loading" ? words.COMPUTING : words.NO_ANSWER;
}

export { explanations as make, save };
