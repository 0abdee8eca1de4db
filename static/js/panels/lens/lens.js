// The logit lens: what the model would predict at each stage, and how its final prediction grows.

import { busyWith } from "../../dom/busy.js";
import { button, make, write } from "../../dom/dom.js";
import { sentences } from "../../language/gettext.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { label, percent, shorten } from "../../words/format.js";
import { save } from "./save.js";
import { leadingFrom, stagesOf } from "./stages.js";
import { strip } from "./strip.js";
import { lensIn, toldIn } from "./told.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Store } from "../../state/store.js" */
/** @import { Stage } from "./stages.js" */

/** @param {HTMLElement} panel @param {Store} store */
export function lens(panel, store) {
  const summary = make("p", { class: "summary" });
  const ways = make(
    "div",
    { class: "buttons" },
    [false, true].map((tuned) => {
      const way = button(tuned ? words.LENSES.tuned : words.LENSES.logit, () =>
        store.update({ tuned }),
      );
      store.watch(["tuned"], (state) =>
        way.setAttribute("aria-pressed", String(state.tuned === tuned)),
      );
      return way;
    }),
  );
  ways.setAttribute("role", "group");
  ways.setAttribute("aria-label", words.LENSES.label);
  const plain = make("p", { class: "lens-note" });
  const decided = strip(store);
  const far = make("p", { class: "lens-note", text: words.HELD_OUT });
  far.hidden = true; // until it was measured
  const list = make("ol", { class: "lens" });
  const about = make("p", { class: "source", text: words.ABOUT.logit });
  panel.append(ways, plain, summary, ...decided.nodes, far, list, about);

  busyWith(panel, store, ["lens", "decided"]);
  store.watch(["lens", "decided", "detail", "shown", "lacks", "right", "tuned"], (state) => {
    const detail = detailOf(state);
    if (!detail || state.right !== "lens") return;
    const answer = lensIn(state, detail.text);
    const told = toldIn(state);
    decided.draw(state);
    list.hidden = !answer;
    far.hidden = !answer || !told?.held_out;
    write(plain, sentences([words.PLAIN[state.tuned ? "tuned" : "logit"], told?.trust]));
    const { predicts } = modelIn(state);
    plain.hidden = !predicts || Boolean(state.lacks.lens);
    ways.hidden = plain.hidden || predicts === "class"; // a tuned lens is fitted at every token
    write(about, state.tuned ? words.ABOUT.tuned(told?.fitted_on ?? null) : words.ABOUT.logit);
    if (!answer) {
      write(summary, reasonOf(state));
      return;
    }
    const stages = stagesOf(answer);
    const { final } = stages[stages.length - 1];
    const predicted = { fills: detail.fills, read: detail.read.name, token: nameOf(final) };
    write(summary, words.summary(predicted, leadingFrom(stages)));
    list.replaceChildren(...stages.map((stage, place) => row(stage, told?.held_out?.[place])));
  });
}

/** Why there is nothing to show. @param {Readonly<State>} state */
function reasonOf(state) {
  if (state.lacks.lens) return state.lacks.lens;
  if (!modelIn(state).predicts) return words.PREDICTS_NOTHING;
  return (state.tuned ? state.decided : state.lens)?.problem?.message ?? "";
}

/** @param {Stage} stage @param {number} [nats] how far it is from the model on other texts, if that was measured */
function row({ name, candidates, final, leads }, nats) {
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
        make("span", { text: nameOf(candidate), verbatim: true }),
        make("span", { text: percent(candidate.probability), class: "faint" }),
      ]),
    ),
  );
  likeliest.setAttribute("aria-label", words.LIKELIEST_HERE);
  const off =
    nats === undefined ? [] : [make("span", { text: words.heldOut(nats), class: "faint" })];
  return make("li", { class: leads ? "leads" : "" }, [
    make("span", { text: name, class: "faint" }),
    meter,
    ...off,
    likeliest,
  ]);
}

/** @param {import("../../types.d.ts").Prediction} token */
const nameOf = (token) => shorten(label(token), 16);

export { lens as make, save };
