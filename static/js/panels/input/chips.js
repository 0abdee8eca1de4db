// The tokens of every text and target. Choosing a query shows its row; pointing at a token highlights it in every view; its menu
// blocks it.

import { button, make, scrollWithin } from "../../dom/dom.js";
import { blockOf, cellsOf } from "../../edit/stroke.js";
import { boundaryOf } from "../../numbers/segments.js";
import { queryAxis } from "../../state/choice.js";
import { describe, label } from "../../words/format.js";
import { rolesOf } from "./roles.js";
import { blockedAsKey, ofRole, rowLabel, rowTag, SEGMENTS } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Token, TokenAxis } from "../../types.d.ts" */
/** @typedef {(token: import("../../edit/stroke.js").Place, chip: HTMLElement) => void} OpenMenu */

const LONG_PRESS = 500; // ms until a finger on a token opens its menu
const SCROLLED = 8; // pixels: a finger that moves further is scrolling
const MANY = 128; // more chips are made in a later task, so that they do not delay the heads

/** @param {HTMLElement} root @param {Store} store @param {OpenMenu} openMenu opens the menu of a token */
export function chips(root, store, openMenu) {
  let built = "";

  const mark = () => {
    const { shown, query, kind } = store.state;
    for (const chip of chipsIn(root)) {
      const inShownText = Number(chip.dataset.text) === shown;
      const place = Number(chip.dataset.place);
      const isQuery = chip.dataset.axis === queryAxis(kind);
      chip.setAttribute("aria-pressed", String(inShownText && isQuery && place === query));
      chip.setAttribute("aria-disabled", String(!isQuery)); // a token that is only a key has no row
    }
    const read = root.querySelector("[aria-pressed=true]");
    if (read) scrollWithin(root, read);
    stopAt(read ?? root.querySelector(`[data-text="${shown}"]`));
    light();
  };

  /** Tokens are one stop of the Tab key; arrow keys move between them. @param {Element | null} stop */
  const stopAt = (stop) => {
    for (const chip of chipsIn(root)) chip.tabIndex = chip === stop ? 0 : -1;
  };

  /** Light the tokens that are pointed at in any view: one, or the query and the key of a cell. */
  const light = () => {
    for (const chip of root.querySelectorAll(".lit")) chip.classList.remove("lit");
    for (const { axis, place } of litIn(store.state)) {
      const named = `[data-text="${store.state.shown}"][data-axis="${axis}"][data-place="${place}"]`;
      root.querySelector(`button.chip${named}`)?.classList.add("lit");
    }
  };

  const markBlocked = () => {
    for (const chip of chipsIn(root)) {
      const block = blockOf(store.state, cellsOf(store.state, tokenOf(chip), "key"));
      const blocked = block === "blocked" || block === "wider";
      const { label: token = "" } = chip.dataset;
      chip.classList.toggle("blocked", blocked);
      if (blocked) chip.setAttribute("aria-label", blockedAsKey({ token }));
      else chip.removeAttribute("aria-label");
    }
  };

  const build = () => {
    const { tokens = [], target_tokens: targets = null } = store.state.grid?.trace ?? {};
    const now = JSON.stringify([tokens, targets]);
    if (now === built) return; // the same tokens: keep the focus
    built = now;
    root.replaceChildren(
      ...tokens.flatMap((row, text) => {
        const at = { n: text + 1, of: tokens.length, targets: targets !== null };
        const own = rowOf(row, text, "tokens", rowTag({ ...at, axis: "tokens" }));
        if (!targets) return [own];
        const tag = rowTag({ ...at, axis: "target_tokens" });
        return [own, rowOf(targets[text], text, "target_tokens", tag)];
      }),
    );
    mark();
    markBlocked();
  };

  store.watch(["grid"], ({ grid }) => {
    const n = grid?.trace.tokens.reduce((sum, row) => sum + row.length, 0) ?? 0;
    if (n > MANY) setTimeout(build);
    else build();
  });
  store.watch(["shown", "query", "kind"], mark);
  store.watch(["hover", "cell"], light);
  store.watch(["masks", "model", "models"], markBlocked);

  /** @param {Event} event */
  const chipOf = ({ target }) =>
    target instanceof Element
      ? /** @type {HTMLButtonElement | null} */ (target.closest("button.chip"))
      : null;

  menus(root, chipOf, openMenu);

  root.addEventListener("focusin", (event) => {
    const chip = chipOf(event);
    if (chip) stopAt(chip); // a press beside the tokens gives the focus to none
  });
  root.addEventListener("keydown", (event) => {
    const chip = chipOf(event);
    const next = chip && neighbour(chip, event.key);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation(); // on the page they walk the heads
    next.focus();
  });

  root.addEventListener("click", (event) => {
    const chip = chipOf(event);
    if (!chip) return;
    const { text: shown, place } = tokenOf(chip);
    const { state } = store;
    if (chip.getAttribute("aria-disabled") === "true") {
      store.update(state.shown === shown ? {} : { shown, query: null });
      return;
    }
    const selected = state.shown === shown && state.query === place;
    store.update({ shown, query: selected ? null : place });
  });
  root.addEventListener("pointerover", (event) => {
    const chip = chipOf(event);
    const inShownText = chip && Number(chip.dataset.text) === store.state.shown;
    const axis = /** @type {TokenAxis} */ (chip?.dataset.axis);
    store.update({ hover: inShownText ? { axis, place: Number(chip.dataset.place) } : null });
  });
  root.addEventListener("pointerleave", () => store.update({ hover: null }));
}

/** @param {Readonly<import("../../types.d.ts").State>} state @returns {{axis: TokenAxis, place: number}[]} */
function litIn({ hover, cell, detail }) {
  const site = detail?.trace.sites[0];
  if (!cell || !site) return hover ? [hover] : [];
  const [query, key] = cell;
  return [
    { axis: site.query_tokens, place: query },
    { axis: site.key_tokens, place: key },
  ];
}

/** @param {HTMLElement} root @returns {NodeListOf<HTMLButtonElement>} */
const chipsIn = (root) => root.querySelectorAll("button.chip");

/** @param {HTMLElement} chip */
const tokenOf = ({ dataset }) => ({
  text: Number(dataset.text),
  place: Number(dataset.place),
  axis: /** @type {TokenAxis} */ (dataset.axis),
});

/** The token that an arrow key leads to, in its row or in the next one. @param {HTMLElement} chip @param {string} key */
function neighbour(chip, key) {
  const row = chip.closest(".chip-row");
  const inRow = row ? [...chipsIn(/** @type {HTMLElement} */ (row))] : [];
  const at = inRow.indexOf(/** @type {HTMLButtonElement} */ (chip));
  /** @param {Element | null | undefined} other */
  const across = (other) => {
    const chips = other instanceof HTMLElement ? chipsIn(other) : null;
    return chips?.[Math.min(at, chips.length - 1)];
  };
  /** @type {Record<string, HTMLElement | undefined>} */
  const to = {
    ArrowLeft: inRow[at - 1],
    ArrowRight: inRow[at + 1],
    Home: inRow[0],
    End: inRow.at(-1),
    ArrowUp: across(row?.previousElementSibling),
    ArrowDown: across(row?.nextElementSibling),
  };
  return to[key] ?? (key in to ? chip : null); // at an end it stays
}

/**
 * Open the menu of a token with the right mouse button, the menu key (or Shift and F10), or a long press.
 * @param {HTMLElement} root
 * @param {(event: Event) => HTMLButtonElement | null} chipOf
 * @param {OpenMenu} open
 */
function menus(root, chipOf, open) {
  let timer = 0;
  let opened = false; // by a long press that has not ended yet
  let [x, y] = [0, 0];

  root.addEventListener("contextmenu", (event) => {
    const chip = chipOf(event);
    if (!chip) return;
    event.preventDefault();
    clearTimeout(timer);
    if (!opened) open(tokenOf(chip), chip);
  });
  root.addEventListener("pointerdown", (event) => {
    opened = false;
    const chip = chipOf(event);
    if (!chip || event.pointerType !== "touch") return;
    [x, y] = [event.clientX, event.clientY];
    timer = setTimeout(() => {
      opened = true;
      open(tokenOf(chip), chip);
    }, LONG_PRESS);
  });
  root.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (Math.hypot(clientX - x, clientY - y) > SCROLLED) clearTimeout(timer);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    root.addEventListener(name, () => clearTimeout(timer));
  }
  root.addEventListener("touchend", (event) => {
    if (opened) event.preventDefault(); // the mouse events that follow would take the focus out of the menu
  });
  root.addEventListener(
    "click",
    (event) => {
      if (opened) event.stopPropagation(); // a long press does not choose the token
      opened = false;
    },
    true,
  );
}

/**
 * @param {Token[]} tokens
 * @param {number} text
 * @param {TokenAxis} axis
 * @param {string} tag its visible name; "" for none
 */
function rowOf(tokens, text, axis, tag) {
  const row = make("div", { class: "chip-row" });
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", rowLabel({ axis, n: text + 1 }));
  if (tag) row.append(make("span", { text: tag, class: "chip-tag" }));
  const boundary = boundaryOf(tokens);
  const first = tokens.findIndex(({ padding }) => !padding);
  const roles = rolesOf(tokens);
  tokens.forEach((token, index) => {
    if (boundary !== null && index === first) row.append(segmentTag(0));
    if (index === boundary) row.append(segmentTag(1));
    const chip = chipOfToken(token, text, index, axis);
    const role = roles[index];
    if (role) {
      chip.dataset.role = role;
      chip.title = ofRole({ token: chip.title, role });
    }
    row.append(chip);
  });
  return row;
}

/** @param {0 | 1} segment */
const segmentTag = (segment) => {
  const { letter, title } = SEGMENTS[segment];
  return make("span", { text: letter, class: "chip-tag segment-tag", title });
};

/** @param {Token} token @param {number} text @param {number} place @param {TokenAxis} axis */
function chipOfToken(token, text, place, axis) {
  const kinds = [token.special && "special", token.padding && "padding"].filter(Boolean);
  const chip = button(label(token), null, {
    class: ["chip", ...kinds].join(" "),
    title: describe(token, place),
    verbatim: true,
  });
  Object.assign(chip.dataset, { text, place, axis, label: label(token) });
  return chip;
}
