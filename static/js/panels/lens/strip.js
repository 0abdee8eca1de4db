// When each prediction was decided: the tokens of the text, coloured by the stage from which on the lens says what the model says in
// the end. A press reads that token.

import { button, make } from "../../dom/dom.js";
import { label, percent, quote, quoteAt } from "../../words/format.js";
import { toldIn } from "./told.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Store } from "../../state/store.js" */

/** @param {Store} store */
export function strip(store) {
  const tokens = make("div", { class: "decided" });
  tokens.setAttribute("role", "group");
  tokens.setAttribute("aria-label", words.DECIDED);
  const most = make("span");
  const scale = make("p", { class: "decided-scale" }, [
    make("span", { text: words.DECIDED }),
    make("span", {}, [make("span", { text: words.stageName(null) }), make("i"), most]),
  ]);
  tokens.hidden = scale.hidden = true; // until there is an answer
  tokens.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = [...tokens.querySelectorAll("button")];
    const at = all.findIndex((one) => one.matches(":focus"));
    const next = step && at >= 0 ? all[at + step] : null;
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.click();
    tokens.querySelectorAll("button")[at + (step ?? 0)]?.focus();
  });

  /** @param {Readonly<State>} state */
  const draw = (state) => {
    const told = toldIn(state);
    tokens.hidden = scale.hidden = !told;
    if (!told) return;
    most.textContent = words.stageName(told.last_stage - 1);
    const focused = tokens.contains(document.activeElement);
    const { row, stages, last_stage, positions, predictions, fills, at, follows } = told;
    tokens.replaceChildren(
      ...positions.map((position, place) => {
        const stage = stages[place];
        const one = button("", follows ? () => store.update({ query: position }) : null, {}, [
          make("span", { text: label(row[position]), verbatim: true }),
          make("sub", { text: stage === 0 ? words.EMBEDDING : String(stage - 1) }),
        ]);
        const { probability } = predictions[place];
        one.title = words.settled({
          fills,
          read: quoteAt(row.map(label), position),
          token: quote(label(predictions[place])),
          share: percent(probability),
          stage: words.stageName(stage === 0 ? null : stage - 1),
        });
        one.setAttribute("aria-label", one.title);
        one.setAttribute("aria-pressed", String(position === at));
        one.tabIndex = position === at ? 0 : -1;
        one.style.setProperty("--share", String(stage / Math.max(1, last_stage)));
        return one;
      }),
    );
    const here = tokens.querySelector('[tabindex="0"]');
    if (!here) tokens.querySelector("button")?.setAttribute("tabindex", "0");
    if (focused && here instanceof HTMLElement) here.focus({ preventScroll: true });
  };
  return { nodes: [scale, tokens], draw };
}
