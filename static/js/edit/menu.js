// The menu of a token: everything that can be done with it besides reading its row.

import { button, make, need } from "../dom/dom.js";
import { queryAxis } from "../state/choice.js";
import { shorten } from "../words/format.js";
import { perform } from "./paint-tools.js";
import { blockOf, cellsOf, toggleToken, whyNot } from "./stroke.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("./stroke.js").Place} Place */
/** @typedef {{text: string, why: string, act: () => void}} Item `why`: the reason why it is not available; "": it is */

/**
 * @param {Store} store
 * @returns {(token: Place, chip: HTMLElement) => void} opens the menu at a chip, which gets the focus back
 */
export function tokenMenu(store) {
  const menu = make("div", { class: "menu" });
  menu.id = "token-menu";
  menu.popover = "manual"; // otherwise lifting the finger that opened it would close it
  menu.setAttribute("role", "menu");
  need("#main", HTMLElement).append(menu);
  /** @type {HTMLElement | null} */
  let opener = null;

  const items = () => /** @type {HTMLElement[]} */ ([...menu.children]);
  /** @param {number} place wraps around */
  const focus = (place) =>
    items()
      .at(place % items().length)
      ?.focus();
  const close = () => {
    menu.hidePopover();
    opener?.focus();
  };

  document.addEventListener("pointerdown", ({ target }) => {
    if (!menu.contains(/** @type {Node | null} */ (target))) menu.hidePopover();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.hidePopover();
  });
  menu.addEventListener("keydown", (event) => {
    const here = items().indexOf(/** @type {HTMLElement} */ (document.activeElement));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => focus(here + 1),
      ArrowUp: () => focus(here - 1),
      Home: () => focus(0),
      End: () => focus(-1),
      Escape: close,
      Tab: close,
    };
    event.stopPropagation(); // so that the page's shortcuts do not react
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  return (token, chip) => {
    opener = chip;
    menu.setAttribute("aria-label", `Token ${token.place} ${chip.dataset.label ?? ""}`);
    menu.replaceChildren(
      ...itemsOf(store, token, chip.dataset.label ?? "").map(({ text, why, act }) => {
        const choose = () => {
          if (why) return;
          close();
          act();
        };
        const item = button(text, choose, { title: why });
        item.tabIndex = -1;
        item.setAttribute("role", "menuitem");
        item.setAttribute("aria-disabled", String(why !== ""));
        return item;
      }),
    );
    menu.showPopover();
    const at = chip.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const below = at.bottom + height + 4 < innerHeight;
    menu.style.left = `${Math.max(4, Math.min(at.left, innerWidth - width - 4))}px`;
    menu.style.top = `${below ? at.bottom + 2 : Math.max(4, at.top - height - 2)}px`;
    focus(0);
  };
}

/** @param {Store} store @param {Place} token @param {string} name @returns {Item[]} */
function itemsOf(store, token, name) {
  const { state } = store;
  const { text, place, axis } = token;
  const named = `token ${place} “${shorten(name, 16)}”`;
  /**
   * @param {string} words
   * @param {"query" | "key"} side
   * @param {import("./stroke.js").Brush} [brush]
   * @returns {Item}
   */
  const block = (words, side, brush) => {
    const cells = cellsOf(state, token, side, brush);
    const how = blockOf(state, cells);
    const lacks = whyNot({ ...state, matrix: "pattern" });
    const never = `Here it is never a ${side}.`;
    return {
      text: how === "blocked" ? `Unblock ${words}` : `Block ${words}`,
      why: lacks || { none: never, wider: "It is blocked everywhere.", open: "", blocked: "" }[how],
      act: () => perform(store, toggleToken(store.state, cells, `${named} ${words}`)),
    };
  };
  const looks = axis === queryAxis(state.kind);
  const idle = looks ? "" : "In these heads it is only a key.";
  const pinned = state.shown === text && state.pinned.includes(place);
  return [
    block("as a key everywhere", "key"),
    block("as a key in this layer", "key", "layer"),
    block("as a key in this head", "key", "head"),
    block("as a query (its row is empty)", "query"),
    {
      text: pinned ? "Unpin in Lines" : "Pin in Lines",
      why: idle,
      act: () => store.update(pin(store.state, token)),
    },
    {
      text: "Read its row",
      why: idle,
      act: () => store.update({ shown: text, query: place }),
    },
  ];
}

/**
 * Pin or unpin a query: Lines sum the attention of the pinned queries, all of one text.
 * @param {Readonly<State>} state
 * @param {Place} token
 * @returns {Partial<State>}
 */
function pin({ shown, pinned }, { text, place }) {
  if (shown !== text) return { shown: text, query: null, pinned: [place] };
  const others = pinned.filter((other) => other !== place);
  return { pinned: others.length < pinned.length ? others : [...pinned, place] };
}
