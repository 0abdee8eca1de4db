// The text of a figure, which can be typed into.

import { make } from "../dom/dom.js";
import { modelIn } from "../state/choice.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").State} State */

const BOTH = /** @type {const} */ (["texts", "targets"]);
const PAUSE = 150; // ms after the last letter

/**
 * @param {Store} store
 * @param {number} characters at most
 * @param {(typed: Pick<State, "texts" | "targets">) => void} typed
 */
export function sentenceBox(store, characters, typed) {
  const root = make("div", { class: "figure-text" });
  let timer = 0;
  /** @type {{key: "texts" | "targets", place: number, input: HTMLInputElement}[]} */
  let boxes = [];

  const send = () => {
    clearTimeout(timer);
    timer = 0;
    const { texts, targets } = store.state;
    const next = { texts: [...texts], targets: [...targets] };
    for (const { key, place, input } of boxes) next[key][place] = input.value;
    typed(next);
  };
  /** What was typed counts before anything else happens to the figure. */
  const flush = () => {
    if (timer) send();
  };

  /** @param {Readonly<State>} state */
  const build = ({ texts, model, models, scratch }) => {
    const crosses = modelIn({ model, models, scratch }).takes_targets;
    const keys = crosses ? BOTH : BOTH.slice(0, 1);
    const wanted = texts.flatMap((_, place) => keys.map((key) => ({ key, place })));
    if (wanted.length === boxes.length) return;
    boxes = wanted.map(({ key, place }) => {
      const input = make("input");
      Object.assign(input, { type: "text", maxLength: characters, spellcheck: false });
      input.autocomplete = "off";
      input.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(send, PAUSE);
      });
      for (const done of ["change", "blur"]) input.addEventListener(done, flush);
      return { key, place, input };
    });
    root.replaceChildren(
      ...boxes.map(({ key, place, input }) => {
        const what = !crosses ? "Sentence" : key === "texts" ? "Source" : "Target";
        const n = texts.length > 1 ? ` ${place + 1}` : "";
        return make("label", {}, [make("span", { text: `${what}${n}` }), input]);
      }),
    );
  };

  store.watch(["texts", "targets", "model", "models", "scratch"], (state) => {
    build(state);
    for (const { key, place, input } of boxes) {
      const value = state[key][place] ?? "";
      if (input.value !== value && !(timer && input === document.activeElement))
        input.value = value;
    }
  });
  return { root, flush };
}
