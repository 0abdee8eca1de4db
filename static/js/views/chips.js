// The tokens of every text. Choosing one reads its row; pointing at one lights it in every view.

import { describe, label } from "../render/format.js";
import { isPadding } from "./detail.js";
import { make, need } from "./dom.js";

/** @typedef {import("../store.js").Store} Store */

/** @param {Store} store */
export function chips(store) {
  const root = need("#chips", HTMLElement);

  const mark = () => {
    const { shown, query, hover } = store.state;
    for (const chip of root.querySelectorAll("button")) {
      const here = Number(chip.dataset.text) === shown;
      const place = Number(chip.dataset.place);
      chip.setAttribute("aria-pressed", String(here && place === query));
      chip.classList.toggle("lit", here && place === hover);
    }
  };

  store.watch(["grid"], ({ grid }) => {
    root.replaceChildren(
      ...(grid?.trace.tokens ?? []).map((tokens, text) => {
        const row = make("div", { class: "chip-row" });
        row.setAttribute("role", "group");
        row.setAttribute("aria-label", `Tokens of sentence ${text + 1}`);
        row.append(
          ...tokens.map((token, place) => {
            const chip = make("button", {
              text: label(token),
              class: `chip${token.special ? " special" : ""}${grid && isPadding(grid.trace, token) ? " padding" : ""}`,
              title: describe(token, place),
            });
            chip.type = "button";
            chip.dataset.text = String(text);
            chip.dataset.place = String(place);
            return chip;
          }),
        );
        return row;
      }),
    );
    mark();
  });

  store.watch(["shown", "query", "hover"], mark);

  /** @param {Event} event */
  const chipOf = ({ target }) => (target instanceof Element ? target.closest("button") : null);

  root.addEventListener("click", (event) => {
    const chip = chipOf(event);
    if (!chip) return;
    const [shown, query] = [Number(chip.dataset.text), Number(chip.dataset.place)];
    const again = store.state.shown === shown && store.state.query === query;
    store.update({ shown, query: again ? null : query });
  });
  root.addEventListener("pointerover", (event) => {
    const chip = chipOf(event);
    const here = chip && Number(chip.dataset.text) === store.state.shown;
    store.update({ hover: here ? Number(chip.dataset.place) : null });
  });
  root.addEventListener("pointerleave", () => store.update({ hover: null }));
}
