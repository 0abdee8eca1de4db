// The tokens of every text, and of every target. Choosing one that looks reads its row; pointing at one lights it in every
// view.

import { queryAxis } from "../choice.js";
import { describe, label } from "../render/format.js";
import { boundaryOf } from "../render/segments.js";
import { make, need } from "./dom.js";

/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("../types.d.ts").Token} Token */
/** @typedef {import("../types.d.ts").TokenAxis} TokenAxis */

const NAMES = /** @type {const} */ ({ tokens: "source", target_tokens: "target" });

/** @param {Store} store */
export function chips(store) {
  const root = need("#chips", HTMLElement);

  const mark = () => {
    const { shown, query, hover, kind } = store.state;
    for (const chip of root.querySelectorAll("button")) {
      const here = Number(chip.dataset.text) === shown;
      const place = Number(chip.dataset.place);
      const looks = chip.dataset.axis === queryAxis(kind);
      chip.setAttribute("aria-pressed", String(here && looks && place === query));
      chip.setAttribute("aria-disabled", String(!looks)); // what is only looked at has no row
      const lit = here && hover?.axis === chip.dataset.axis && hover?.place === place;
      chip.classList.toggle("lit", lit);
    }
  };

  store.watch(["grid"], ({ grid }) => {
    const { tokens = [], target_tokens: targets = null } = grid?.trace ?? {};
    root.replaceChildren(
      ...tokens.flatMap((row, text) =>
        targets
          ? [rowOf(row, text, "tokens", true), rowOf(targets[text], text, "target_tokens", true)]
          : [rowOf(row, text, "tokens", false)],
      ),
    );
    mark();
  });

  store.watch(["shown", "query", "hover", "kind"], mark);

  /** @param {Event} event */
  const chipOf = ({ target }) => (target instanceof Element ? target.closest("button") : null);

  root.addEventListener("click", (event) => {
    const chip = chipOf(event);
    if (!chip) return;
    const [shown, place] = [Number(chip.dataset.text), Number(chip.dataset.place)];
    const { state } = store;
    if (chip.getAttribute("aria-disabled") === "true") {
      store.update(state.shown === shown ? {} : { shown, query: null });
      return;
    }
    const again = state.shown === shown && state.query === place;
    store.update({ shown, query: again ? null : place });
  });
  root.addEventListener("pointerover", (event) => {
    const chip = chipOf(event);
    const here = chip && Number(chip.dataset.text) === store.state.shown;
    const axis = /** @type {TokenAxis} */ (chip?.dataset.axis);
    store.update({ hover: here ? { axis, place: Number(chip.dataset.place) } : null });
  });
  root.addEventListener("pointerleave", () => store.update({ hover: null }));
}

/**
 * @param {Token[]} tokens
 * @param {number} text
 * @param {TokenAxis} axis
 * @param {boolean} named whether to say which of the two
 */
function rowOf(tokens, text, axis, named) {
  const row = make("div", { class: "chip-row" });
  row.setAttribute("role", "group");
  const of = axis === "tokens" ? "sentence" : "target";
  row.setAttribute("aria-label", `Tokens of ${of} ${text + 1}`);
  if (named) row.append(make("span", { text: NAMES[axis], class: "chip-tag" }));
  const boundary = boundaryOf(tokens);
  const first = tokens.findIndex(({ padding }) => !padding);
  tokens.forEach((token, place) => {
    if (boundary !== null && place === first) row.append(segmentTag("A", "first"));
    if (place === boundary) row.append(segmentTag("B", "second"));
    row.append(chipOfToken(token, text, place, axis));
  });
  return row;
}

/** @param {string} letter @param {string} which */
const segmentTag = (letter, which) =>
  make("span", { text: letter, class: "chip-tag segment-tag", title: `${which} segment` });

/** @param {Token} token @param {number} text @param {number} place @param {TokenAxis} axis */
function chipOfToken(token, text, place, axis) {
  const kinds = [token.special && "special", token.padding && "padding"].filter(Boolean);
  const chip = make("button", {
    text: label(token),
    class: ["chip", ...kinds].join(" "),
    title: describe(token, place),
  });
  chip.type = "button";
  Object.assign(chip.dataset, { text, place, axis });
  return chip;
}
