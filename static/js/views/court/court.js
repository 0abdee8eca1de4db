// Explanations of the prediction: what each says of each token, with ablation as the judge, and the search for another attention pattern.

import { make, write } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { tryAgain } from "../../dom/problem.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { modelIn } from "../../state/choice.js";
import { about } from "./about.js";
import { agreement } from "./agreement.js";
import { curves } from "./curves.js";
import { bestOf, hearingIn } from "./reading.js";
import { courtRequest, reasonOf, searchRequest } from "./request.js";
import { save } from "./save.js";
import { courtScene } from "./scene.js";
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
export function court(root, store, { retry }) {
  root.classList.add("court-view");
  const said = make("p", { class: "court-verdict" });
  said.setAttribute("role", "status");
  const again = tryAgain(retry);
  const subject = make("p", { class: "faint" });
  const columns = table();
  const lines = curves();
  const matrix = agreement();
  const definitions = about();
  const body = make("div", { class: "court-body" }, [
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

  const from = /** @type {const} */ (["court", "shown", "ranked", "counted", "view", "model"]);
  store.watch([...from, "models"], (state) => {
    if (state.view !== "court") return;
    const hearing = hearingIn(state);
    root.setAttribute("aria-busy", String(state.court?.status === "loading"));
    again.hidden = !state.court?.problem?.retry;
    write(said, sayingOf(state, hearing));
    body.hidden = !hearing || Boolean(reasonOf(modelIn(state)) || state.court?.problem);
    if (body.hidden || !hearing) return;
    write(subject, words.subject(hearing));
    columns.show(hearing);
    lines.show(hearing);
    matrix.show(hearing);
    definitions.show(hearing);
  });

  return {
    drawn: () => Promise.resolve(),
    /** The curves for a file; null if there are none yet. @param {import("../../draw/pictures/look.js").Look} [look] */
    scene: ({ scheme, bare } = LIGHT) => {
      const { state } = store;
      const hearing = state.view === "court" && !body.hidden ? hearingIn(state) : null;
      if (!hearing) return null;
      const verdict = words.verdict(hearing, bestOf(hearing.columns));
      const about = [words.CURVES.title, verdict, words.CAUTION, words.curvesNote];
      return courtScene(hearing, bare ? [] : about, palette(scheme));
    },
  };
}

/** The verdict, or why there is none. @param {Readonly<State>} state @param {import("./reading.js").Hearing | null} hearing */
function sayingOf(state, hearing) {
  const reason = reasonOf(modelIn(state));
  if (reason) return words.LACKS[reason];
  const { status, problem } = state.court ?? { status: "loading", problem: null };
  if (problem) return problem.message;
  if (hearing) return words.verdict(hearing, bestOf(hearing.columns));
  return status === "loading" ? words.COMPUTING : words.NO_ANSWER;
}

/** @type {import("../view.js").View} */
export const COURT = {
  make: court,
  questions: {
    court: { request: courtRequest, turn: "apart", events: true },
    other_attention: {
      request: (state, model) => {
        const request = searchRequest(state, model);
        return request && state.searched === JSON.stringify(request) ? request : null;
      },
      turn: "apart",
      events: true,
    },
  },
  oneMatrix: false,
  save,
};
