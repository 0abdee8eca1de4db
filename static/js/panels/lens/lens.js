// The logit lens: what the model would predict at each stage, and how its final prediction grows.

import { lensRequest } from "../../asking/requests.js";
import { busyWith } from "../../dom/busy.js";
import { make, write } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { label, percent, shorten } from "../../words/format.js";
import { save } from "./save.js";
import { leadingFrom, stagesOf } from "./stages.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Stage } from "./stages.js" */

/** @param {HTMLElement} panel @param {Store} store */
export function lens(panel, store) {
  const summary = make("p", { class: "summary" });
  const list = make("ol", { class: "lens" });
  panel.append(summary, list, make("p", { class: "source", text: words.ABOUT }));

  busyWith(panel, store, ["lens"]);
  store.watch(["lens", "detail", "shown", "lacks", "right"], (state) => {
    const detail = detailOf(state);
    if (!detail || state.right !== "lens") return;
    const answer = state.lens?.answer?.trace.lens?.[detail.text];
    list.hidden = !answer;
    if (!answer) {
      write(summary, reasonOf(state));
      return;
    }
    const stages = stagesOf(answer);
    const { final } = stages[stages.length - 1];
    const predicted = { fills: detail.fills, read: detail.read.name, token: nameOf(final) };
    write(summary, words.summary(predicted, leadingFrom(stages)));
    list.replaceChildren(...stages.map(row));
  });
}

/** Why there is nothing to show. @param {Readonly<import("../../types.d.ts").State>} state */
function reasonOf(state) {
  if (state.lacks.lens) return state.lacks.lens;
  if (!modelIn(state).predicts) return words.PREDICTS_NOTHING;
  return state.lens?.problem?.message ?? "";
}

/** @param {Stage} stage */
function row({ name, candidates, final, leads }) {
  const probability = percent(final.probability);
  const meter = make("span", {
    text: words.meter({ token: nameOf(final), probability }),
    class: "meter",
  });
  meter.style.setProperty("--share", String(Math.min(1, final.probability)));
  const likeliest = make(
    "ol",
    {},
    candidates.map((candidate) =>
      make("li", { class: candidate.id === final.id ? "final" : "" }, [
        make("span", { text: nameOf(candidate) }),
        make("span", { text: percent(candidate.probability), class: "faint" }),
      ]),
    ),
  );
  likeliest.setAttribute("aria-label", words.LIKELIEST_HERE);
  return make("li", { class: leads ? "leads" : "" }, [
    make("span", { text: name, class: "faint" }),
    meter,
    likeliest,
  ]);
}

/** @param {import("../../types.d.ts").Prediction} token */
const nameOf = (token) => shorten(label(token), 16);

/** @type {import("../panel.js").Panel} */
export const LENS = {
  make: lens,
  questions: { lens: { request: lensRequest, turn: "beside" } },
  save,
};
