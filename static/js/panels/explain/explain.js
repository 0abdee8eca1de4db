// Explain this: what is selected, or pointed at, in plain sentences, with a way to its arithmetic.

import { coming } from "../../dom/coming.js";
import { button, make, write } from "../../dom/dom.js";
import { AFTER } from "../../language/gettext.js";
import { CHOICE_KEYS } from "../../state/address.js";
import { VIEWS } from "../../state/views.js";
import { NOT_LOADED } from "../../words/problem.js";
import { explained, pointedIn } from "./sentences.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Explained } from "./sentences.js" */

const DRAWER = coming(() => import("./drawer.js"));

/** @type {string[]} */
const OWN_WORDS = VIEWS.flatMap((row) => ("own_words" in row ? [row.name] : []));

/**
 * @param {HTMLElement} root
 * @param {Store} store
 */
export function explain(root, store) {
  const said = make("p");
  said.tabIndex = 0; // the arrow keys scroll what has no room
  const why = button(words.WHY, () => open(now?.why), { title: words.WHY_TITLE });
  const before = button("", () => read(now?.before), { title: words.PREDICTED_TITLE });
  const apart = button(words.APART, () => show(now?.why), { title: words.APART_TITLE });
  const which = button(words.WHICH, () => store.update({ right: "effects" }), {
    title: words.WHICH_TITLE,
  });
  const asks = [apart, which, before];
  const more = make("details", { class: "more" }, [
    make("summary", { text: words.ASK }),
    make("div", { class: "more-list" }, asks),
  ]);
  more.id = "ask-menu";
  more.dataset.only = "full";
  more.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLButtonElement) more.open = false;
  });
  for (const one of [why, more, ...asks]) one.hidden = true; // until there is something to explain
  root.append(said, make("div", { class: "explain-more" }, [why, more]));
  /** @type {HTMLElement | null} */
  let below = null;
  /** @type {Explained | null} */
  let now = null;

  /** @param {Explained["why"]} [cell] */
  const open = async (cell) => {
    if (!cell) return;
    const part = await DRAWER.come().catch(console.error);
    if (!part) return write(said, NOT_LOADED);
    if (!below) {
      below = part.drawer(store, why);
      root.after(below);
    }
    store.update({ drawer: true, query: cell[0], key: cell[1] });
    below.querySelector("button")?.focus(); // what had the focus is gone
  };
  /** @param {Explained["why"]} [cell] */
  const show = (cell) => {
    if (cell) store.update({ view: "why", query: cell[0], key: cell[1] });
  };
  /** @param {Explained["before"]} [row] */
  const read = (row) => {
    if (row) store.update({ query: row.row, key: null });
  };

  const say = () => {
    const { state } = store;
    if (state.status !== "ready") return; // the last words stay, as the last picture does
    const pointed = pointedIn(state);
    const about = pointed ? explained(state, pointed) : now;
    said.replaceChildren(
      ...(about?.sentences ?? []).map(({ text, more }) => {
        const sentence = make("span", { text: `${text}${AFTER}` });
        if (more) sentence.dataset.only = "full";
        return sentence;
      }),
    );
  };

  const draw = () => {
    const { state } = store;
    const isSaid = OWN_WORDS.includes(state.view);
    root.parentElement?.toggleAttribute("data-own-words", isSaid); // for the style sheet
    root.hidden = isSaid || state.drawer; // which says more of the same
    if (root.hidden || state.status !== "ready") return;
    now = explained(state, null);
    say();
    why.hidden = !now?.why || state.view === "inside";
    apart.hidden = !now?.why || state.view === "why";
    which.hidden = !now?.which;
    before.hidden = !now?.before;
    if (now?.before) write(before, words.predictedBy({ query: now.before.token }));
    more.hidden = asks.every(({ hidden }) => hidden);
  };

  store.watch(
    [...CHOICE_KEYS, "drawer", "status", "detail", "next", "muting", "effects", "models"],
    draw,
  );
  store.watch(["cell", "hover"], say);
}
