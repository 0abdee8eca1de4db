// Direct logit attribution: what each part of the run, and each source token, adds to the logit of a token.

import { busyWith } from "../../dom/busy.js";
import { make, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { sentencesOf } from "./aim.js";
import { chips } from "./chips.js";
import { chooser } from "./chooser.js";
import { list } from "./list.js";
import { paint } from "./paint.js";
import { save } from "./save.js";
import { attributionIn } from "./sources.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */

/** @param {HTMLElement} panel @param {Store} store @param {import("../panel.js").Page} page */
export function attribution(panel, store, { retry }) {
  const form = chooser(store);
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const again = tryAgain(retry);
  const sources = chips(store);
  const waterfall = list(store);
  const about = make("p", { class: "source", text: words.ABOUT });
  const how = make("details", { class: "how" }, [
    make("summary", { text: words.HOW.title }),
    ...words.HOW.paragraphs.map((text) => make("p", { class: "source", text })),
  ]);
  const numbers = [sources.root, waterfall.root];
  panel.append(form, summary, again, ...numbers, about, how);

  busyWith(panel, store, ["attribution"]);
  store.watch(["attribution", "shown", "model", "models", "waterfall", "through"], (state) => {
    const problem = state.attribution?.problem ?? null;
    const answer = problem ? null : attributionIn(state);
    again.hidden = !problem?.retry;
    for (const part of [form, ...numbers, about]) part.hidden = !answer;
    if (!answer) {
      const waits = state.attribution?.status === "loading";
      summary.textContent = problem?.message ?? (waits ? words.COMPUTING : words.NO_NUMBERS);
      return;
    }
    write(summary, sentencesOf(answer));
    sources.show(state);
    waterfall.show(state);
  });
  store.watch(["kind", "layer", "head"], (state) => {
    waterfall.mark(state);
    sources.show(state);
  });
}

export { attribution as make, paint, save };
