// The sentence, each token tinted by what it adds as a source, through all heads or through the selected one.

import { button, check, make, radio } from "../../dom/dom.js";
import { label, signedBriefly } from "../../words/format.js";
import { shortName } from "../../words/heads.js";
import { attributionIn, sourcesOf } from "./sources.js";
import { SOURCES, sourceAdds } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State, TokenAxis } from "../../types.d.ts" */
/** @typedef {{axis: TokenAxis, place: number, name: string, value: number, special: boolean}} Source */

const MANY = 160; // tokens that are drawn; of a longer text those that add most
const STEPS = new Map([
  ["ArrowLeft", -1],
  ["ArrowRight", 1],
]);

/**
 * The tokens to draw, in the order of the text.
 * @param {Readonly<State>} state
 * @returns {Source[]}
 */
export function sourcesIn(state) {
  const answer = attributionIn(state);
  if (!answer) return [];
  const { kind, layer, head, through } = state;
  const only = through === "head" ? { kind, layer, head } : null;
  return sourcesOf(answer.found, answer.model, only).flatMap(({ axis, values }) =>
    answer.tokens[axis].flatMap((token, index) =>
      token.padding
        ? []
        : { axis, place: index, name: label(token), value: values[index], special: token.special },
    ),
  );
}

/** @param {Store} store */
export function chips(store) {
  const all = radio("through", "all", SOURCES.all.text, SOURCES.all.title);
  const one = radio("through", "head", "", SOURCES.head("").title);
  const through = make("fieldset", { class: "segments" }, [
    make("legend", { text: SOURCES.legend }),
    all,
    one,
  ]);
  through.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) {
      store.update({ through: target.value === "head" ? "head" : "all" });
    }
  });
  const line = make("div", { class: "sources" });
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", SOURCES.label);
  const number = make("p", { class: "hint", text: SOURCES.point });
  const body = make("tbody");
  const head = make("tr", {}, SOURCES.columns.map(header));
  const table = make("table", { class: "numbers" }, [make("thead", {}, [head]), body]);
  const details = make("details", { class: "as-table" }, [
    make("summary", { text: SOURCES.table }),
    table,
  ]);
  const root = make("div", { class: "sources-box" }, [through, line, number, details]);

  /** @type {Source[]} */
  let drawn = [];
  /** @param {Readonly<State>} state */
  const show = (state) => {
    check("through", state.through, through);
    const named = SOURCES.head(shortName(state));
    const text = one.querySelector("span");
    if (text) text.textContent = named.text;
    const every = sourcesIn(state);
    drawn = strongest(every);
    const max = Math.max(...drawn.map(({ value }) => Math.abs(value)));
    const focused = line.contains(document.activeElement) ? placeOf(document.activeElement) : null;
    const isTwofold = new Set(drawn.map(({ axis }) => axis)).size > 1; // an encoder–decoder
    line.replaceChildren(
      ...drawn.flatMap((source, at) => {
        const isFirst = isTwofold && source.axis !== drawn[at - 1]?.axis;
        const tag = make("span", { text: SOURCES.of[source.axis], class: "chip-tag" });
        return [...(isFirst ? [tag] : []), chip(source, at, max)];
      }),
    );
    line.hidden = details.hidden = drawn.length === 0;
    number.textContent =
      drawn.length === 0
        ? SOURCES.absent
        : drawn.length < every.length
          ? SOURCES.some({ shown: drawn.length, n: every.length })
          : SOURCES.point;
    body.replaceChildren(...every.map(tableRow));
    if (focused !== null) focusAt(focused);
  };

  /** @param {EventTarget | null} target the chip that it is in */
  const placeOf = (target) => {
    const found = target instanceof Element ? target.closest("button") : null;
    return found ? Number(found.dataset.at) : null;
  };
  /** @param {number} at */
  const focusAt = (at) => {
    const all = [...line.querySelectorAll("button")];
    const next = all[Math.min(at, all.length - 1)];
    for (const one of all) one.tabIndex = one === next ? 0 : -1; // a single tab stop
    next?.focus();
  };
  /** @param {Event} event */
  const point = ({ target }) => {
    const at = placeOf(target);
    if (at === null) return;
    const { axis, place, name, value } = drawn[at];
    number.textContent = sourceAdds({ token: name, place, value: signedBriefly(value) || "0" });
    store.update({ hover: { axis, place, role: "key" } });
  };
  const leave = () => {
    number.textContent = SOURCES.point;
    store.update({ hover: null });
  };
  line.addEventListener("pointerover", point);
  line.addEventListener("focusin", point);
  line.addEventListener("pointerleave", leave);
  line.addEventListener("focusout", leave);
  line.addEventListener("click", ({ target }) => {
    const at = placeOf(target);
    if (at !== null) store.update({ key: drawn[at].place });
  });
  line.addEventListener("keydown", (event) => {
    const at = placeOf(event.target);
    if (at === null) return;
    const step = STEPS.get(event.key);
    const last = drawn.length - 1;
    const next =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? last
          : step && Math.min(last, Math.max(0, at + step));
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the page walks over the heads with these keys
    focusAt(next);
  });
  return { root, show };
}

/** The tokens that add or take most, in the order of the text. @param {Source[]} every */
function strongest(every) {
  if (every.length <= MANY) return every;
  const few = new Set(
    every.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MANY),
  );
  return every.filter((one) => few.has(one));
}

/** @param {Source} source @param {number} at @param {number} max the value of the strongest tint */
function chip({ name, place, value, special, axis }, at, max) {
  const element = button(name, null, {
    verbatim: true,
    class: `source-chip ${value < 0 ? "falls" : "rises"}${special ? " special" : ""}`,
    title: sourceAdds({ token: name, place, value: signedBriefly(value) || "0" }),
  });
  element.dataset.at = String(at);
  element.dataset.axis = axis;
  element.tabIndex = at === 0 ? 0 : -1;
  element.style.setProperty("--strength", String(max > 0 ? Math.abs(value) / max : 0));
  element.setAttribute("aria-label", element.title);
  return element;
}

/** @param {string} text */
function header(text) {
  const cell = make("th", { text });
  cell.scope = "col";
  return cell;
}

/** @param {Source} source */
const tableRow = ({ place, name, value }) =>
  make("tr", {}, [
    make("td", { text: String(place) }),
    make("td", { text: name, verbatim: true }),
    make("td", { text: signedBriefly(value) || "0" }),
  ]);
