// What the reader has set in a figure: an option of each switch, and perhaps a text of their own.

import { different } from "../state/choice.js";
import { toQuery } from "../state/url.js";
import { setsText, withSwitches } from "./links.js";
import { choicesOf, switchBoard } from "./switches.js";

/** @import { FigureSwitch as Switch, State } from "../types.d.ts" */
/** @typedef {Partial<Pick<State, "texts" | "targets" | "pairs">>} Typed */

const OWN_TEXT = -1; // instead of an option: the reader typed something else

/**
 * @param {import("../state/store.js").Store} store
 * @param {string} link what the figure shows at first
 * @param {Switch[]} switches
 * @param {(query: string) => import("../types.d.ts").Choice} read a link as a choice
 */
export function switching(store, link, switches, read) {
  let chosen = switches.map(() => 0); // the option of each switch
  let typed = false; // whether the text is the reader's own

  /**
   * @param {number[]} next the option of each switch
   * @param {string} [from] the link whose other keys are kept; the current state by default
   */
  const choose = (next, from) => {
    const newText = switches.some((one, index) => next[index] !== chosen[index] && setsText(one));
    if (newText || from !== undefined) typed = false;
    chosen = next;
    board.show(chosen);
    const { state } = store;
    const query = withSwitches(from ?? toQuery(state, state.models), link, switches, chosen);
    store.update(different(state, read(query)));
  };
  const board = switchBoard(switches, (place, option) => choose(chosen.with(place, option)));
  board.show(chosen);

  /** The held side of a comparison has the same texts, unless the lesson gives it its own. @param {Typed} texts */
  const heldWith = (texts) => {
    const { against, models } = store.state;
    if (!against) return null;
    const query = toQuery({ ...store.state, ...texts }, models);
    const held = read(withSwitches(query, link, switches, chosen)).against;
    return held && { ...against, texts: held.texts, targets: held.targets };
  };

  return {
    controls: board.all,
    isTyped: () => typed,
    /** @param {Typed} texts */
    type: (texts) => {
      typed = true;
      chosen = chosen.map((option, index) => (setsText(switches[index]) ? OWN_TEXT : option));
      board.show(chosen);
      store.update({ ...texts, against: heldWith(texts) });
    },
    /** Back to what the lesson shows. */
    reset: () =>
      choose(
        switches.map(() => 0),
        link,
      ),
    /**
     * What the lesson shows, with some switches set.
     * @param {Record<string, string>} options the label of an option, by the name of its switch
     */
    set: (options) =>
      choose(
        switches.map(({ name, options: all }) =>
          Math.max(
            0,
            all.findIndex(({ label }) => label === options[name]),
          ),
        ),
        link,
      ),
    /** What is set, by name. */
    settings: () => [
      ...switches.flatMap(({ name, options }, index) =>
        chosen[index] === OWN_TEXT ? [] : [{ name, value: options[chosen[index]].label }],
      ),
      ...choicesOf(store.state, switches),
    ],
  };
}
