// Compares a mistake with the mechanism without it: opens A | B with the mistake, follows the reader, and leaves with it. Pure.

import { comparing, heldOf } from "../../state/against.js";
import { modelIn } from "../../state/choice.js";
import { same } from "../../state/store.js";
import { nowOf } from "./measures.js";
import { correct, mistakesOf } from "./mistakes.js";

/** @import { Against, State } from "../../types.d.ts" */

const NOTHING = /** @type {const} */ ({ view: "heatmap", against: null });

export class BesideCorrect {
  /** A, as this set it; null: it compares nothing. @type {Against | null} */
  #held = null;
  /** What the reader looked at before. @type {Pick<State, "view" | "against">} */
  #before = NOTHING;

  /** A mistake was turned on: compare with it. @param {Readonly<State>} state with the mistake @returns {Partial<State>} */
  open(state) {
    const { view, against } = state;
    const isHeld = this.#isHeld(state);
    if (!isHeld) this.#before = { view, against };
    else if (view !== "compare") this.#before = { ...this.#before, view };
    this.#held = correctOf(state);
    return comparing(this.#held);
  }

  /** The reader changed something else: A stays the same without the mistake. @param {Readonly<State>} state @returns {Partial<State>} */
  follow(state) {
    const wrong = Boolean(modelIn(state).mechanisms) && mistakesOf(nowOf(state)).length > 0;
    const held = wrong ? correctOf(state) : null;
    // a link brings both, the mistake and the comparison
    if (!this.#held && held && state.view === "compare" && same(state.against, held)) {
      [this.#held, this.#before] = [held, NOTHING];
    }
    if (!this.#isHeld(state)) return {}; // the reader compares something else
    if (!held) {
      this.#held = null;
      const { view, against } = this.#before;
      return { against, view: state.view === "compare" ? view : state.view };
    }
    if (same(held, this.#held)) return {};
    this.#held = held;
    return { against: held };
  }

  /** @param {Readonly<State>} state */
  #isHeld = ({ against }) => this.#held !== null && same(against, this.#held);
}

/** The reader's choice without any mistake, as side A. @param {Readonly<State>} state */
const correctOf = (state) => heldOf(correct(nowOf(state)));
