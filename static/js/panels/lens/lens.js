// The logit lens: what the model would predict at each stage, and how its final prediction grows.

import { make, need } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { label, percent, shorten } from "../../words/format.js";
import { SOURCE, settled, stagesOf, WHAT } from "./stages.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("./stages.js").Stage} Stage */

/** @param {Store} store */
export function lens(store) {
  const panel = need("#lens-panel", HTMLElement);
  const words = make("p", { class: "summary" });
  const list = make("ol", { class: "lens" });
  panel.append(words, list, make("p", { class: "source", text: `${WHAT} ${SOURCE}` }));

  store.watch(["lens", "detail", "shown", "lacks", "right"], (state) => {
    const detail = detailOf(state);
    if (!detail || state.right !== "lens") return;
    const found = state.lens?.answer?.trace.lens?.[detail.text];
    panel.setAttribute("aria-busy", String(state.lens?.status === "loading"));
    list.hidden = !found;
    if (!found) {
      words.textContent = without(state);
      return;
    }
    const stages = stagesOf(found);
    words.replaceChildren(
      `${detail.fills ? "At" : "After"} “${shorten(detail.read.label, 16)}” the model predicts `,
      make("b", { text: quoted(stages[stages.length - 1].final) }),
      settled(stages) && `, which ${settled(stages)}`,
      ".",
    );
    list.replaceChildren(...stages.map(row));
  });
}

/** Why there is nothing to show. @param {Readonly<import("../../types.d.ts").State>} state */
function without(state) {
  const { lens: asked, lacks } = state;
  if (lacks.lens) return lacks.lens;
  if (!modelIn(state).predicts) return "This model predicts nothing.";
  return asked?.problem?.message ?? "";
}

/** @param {Stage} stage */
function row({ name, candidates, final, leads }) {
  const grown = make("span", {
    text: `${quoted(final)} ${percent(final.probability)}`,
    class: "meter",
  });
  grown.style.setProperty("--share", String(Math.min(1, final.probability)));
  const likeliest = make(
    "ol",
    {},
    candidates.map((candidate) =>
      make("li", { class: candidate.id === final.id ? "final" : "" }, [
        make("span", { text: shorten(label(candidate), 16) }),
        make("span", { text: percent(candidate.probability), class: "faint" }),
      ]),
    ),
  );
  likeliest.setAttribute("aria-label", "likeliest here");
  return make("li", { class: leads ? "leads" : "" }, [
    make("span", { text: name, class: "faint" }),
    grown,
    likeliest,
  ]);
}

/** @param {import("../../types.d.ts").Prediction} token */
const quoted = (token) => `“${shorten(label(token), 16)}”`;
