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

  /** @type {{told: object, parts: {button: HTMLButtonElement, stage: HTMLElement, name: string}[]}} */
  let built = { told: {}, parts: [] };

  /** A button for each token: with the other lens, or at another token, they stay. @param {NonNullable<ReturnType<typeof toldIn>>} told */
  const partsOf = ({ predictions, positions, row, follows }) => {
    if (built.told === predictions) return built.parts;
    const names = row.map(label);
    const parts = positions.map((position) => {
      const stage = make("sub");
      const read = follows ? () => store.update({ query: position }) : null;
      const name = make("span", { text: names[position], verbatim: true });
      return { button: button("", read, {}, [name, stage]), stage, name: quoteAt(names, position) };
    });
    tokens.replaceChildren(...parts.map((part) => part.button));
    built = { told: predictions, parts };
    return parts;
  };

  /** @param {Readonly<State>} state */
  const draw = (state) => {
    const told = toldIn(state);
    tokens.hidden = scale.hidden = !told;
    if (!told) return;
    most.textContent = words.stageName(told.last_stage - 1);
    const focused = tokens.contains(document.activeElement);
    const { stages, last_stage, positions, predictions, fills, at } = told;
    partsOf(told).forEach((part, place) => {
      const [one, stage] = [part.button, stages[place]];
      part.stage.textContent = stage === 0 ? words.EMBEDDING : String(stage - 1);
      one.title = words.settled({
        fills,
        read: part.name,
        token: quote(label(predictions[place])),
        share: percent(predictions[place].probability),
        stage: words.stageName(stage === 0 ? null : stage - 1),
      });
      one.setAttribute("aria-label", one.title);
      one.setAttribute("aria-pressed", String(positions[place] === at));
      one.tabIndex = positions[place] === at ? 0 : -1;
      one.style.setProperty("--share", String(stage / Math.max(1, last_stage)));
    });
    const here = tokens.querySelector('[tabindex="0"]');
    if (!here) tokens.querySelector("button")?.setAttribute("tabindex", "0");
    if (focused && here instanceof HTMLElement) here.focus({ preventScroll: true });
  };
  return { nodes: [scale, tokens], draw };
}
