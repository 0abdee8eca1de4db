// The menu of a token: everything that can be done with it besides reading its row.

import { button, make } from "../dom/dom.js";
import { queryAxis } from "../state/choice.js";
import { tells } from "../state/quiz.js";
import { shorten } from "../words/format.js";
import { blockOf, cellsOf, toggleToken, whyNot } from "./stroke.js";
import {
  BLOCKED_EVERYWHERE,
  BLOCKING,
  menuLabel,
  NEVER,
  ONLY_A_KEY,
  PIN,
  READ_ROW,
  UNPIN,
} from "./words.js";

/** @import { Store } from "../state/store.js" */
/** @import { State } from "../types.d.ts" */
/** @import { Place } from "./stroke.js" */
/** @typedef {(edit: import("./stroke.js").Edit) => void} Perform */
/** @typedef {{text: string, why: string, act: () => void}} Item `why`: why it is not available; "" if it is */

/**
 * @param {HTMLElement} root where the menu is kept
 * @param {Store} store
 * @param {Perform} perform
 * @returns {(token: Place, chip: HTMLElement) => void} opens the menu at a chip, which gets the focus back
 */
export function tokenMenu(root, store, perform) {
  const menu = make("div", { class: "menu" });
  menu.id = "token-menu";
  menu.popover = "manual"; // otherwise lifting the finger that opened it would close it
  menu.setAttribute("role", "menu");
  root.append(menu);
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
    const { label = "" } = chip.dataset;
    menu.setAttribute("aria-label", menuLabel({ place: token.place, token: label }));
    menu.replaceChildren(
      ...itemsOf(store, token, label, perform).map(({ text, why, act }) => {
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

/** @param {Store} store @param {Place} token @param {string} label @param {Perform} perform @returns {Item[]} */
function itemsOf(store, token, label, perform) {
  const { state } = store;
  const { text, place, axis } = token;
  const name = { place, token: shorten(label, 16) };
  /**
   * @param {import("./words.js").Blocking} words
   * @param {"query" | "key"} side
   * @param {import("./stroke.js").Brush} [brush]
   * @returns {Item}
   */
  const block = (words, side, brush) => {
    const cells = cellsOf(state, token, side, brush);
    const current = blockOf(state, cells);
    const lacks = whyNot({ ...state, matrix: "pattern", units: "pieces" });
    const report = { blocked: words.blocked(name), freed: words.freed(name) };
    return {
      text: current === "blocked" ? words.unblock : words.block,
      why:
        lacks || { none: NEVER[side], wider: BLOCKED_EVERYWHERE, open: "", blocked: "" }[current],
      act: () => perform(toggleToken(store.state, cells, report)),
    };
  };
  const why = axis === queryAxis(state.kind) ? "" : ONLY_A_KEY;
  const pinned = state.shown === text && state.pinned.includes(place);
  const blocks = () => [
    block(BLOCKING.key, "key"),
    block(BLOCKING.keyInLayer, "key", "layer"),
    block(BLOCKING.keyInHead, "key", "head"),
    block(BLOCKING.query, "query"),
  ];
  return [
    ...(tells(state) ? blocks() : []), // a quiz has no masks to change: blocking every key of a head is as good as muting it
    {
      text: pinned ? UNPIN : PIN,
      why,
      act: () => store.update(pin(store.state, token)),
    },
    {
      text: READ_ROW,
      why,
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
