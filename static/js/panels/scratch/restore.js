// Remembers what a switch changed, so that turning it off restores what was there before. Pure.

import { same } from "../../state/store.js";

/** @import { Choice } from "../../types.d.ts" */

/** The parts of a choice that switches set; the others say where the reader looks. @type {(keyof Choice)[]} */
const SET = ["scratch", "masks", "muted", "texts", "targets", "pairs", "against", "matrix"];

export class Restorer {
  /** By the id of the switch. @type {Map<string, {before: Partial<Choice>, changes: Partial<Choice>}>} */
  #saved = new Map();

  /** @param {string} id @param {Readonly<Choice>} choice @param {Partial<Choice>} changes what turning it on changes */
  on(id, choice, changes) {
    // the reader may type another text, in which the old selection means nothing, unless the switch itself brings the text
    const bringsText = "texts" in changes || "targets" in changes;
    const keys = /** @type {(keyof Choice)[]} */ (Object.keys(changes)).filter(
      (key) => bringsText || (key !== "shown" && key !== "query"),
    );
    if (keys.length === 0) return changes;
    const before = Object.fromEntries(keys.map((key) => [key, choice[key]]));
    this.#saved.set(id, { before, changes });
    return changes;
  }

  /**
   * @param {string} id
   * @param {Readonly<Choice>} choice
   * @param {Partial<Choice>} fallback if nothing is remembered, or the reader has changed it since
   */
  off(id, choice, fallback) {
    const saved = this.#saved.get(id);
    this.#saved.delete(id);
    if (!saved) return fallback;
    const { before, changes } = saved;
    const unchanged = SET.every((key) => !(key in changes) || same(choice[key], changes[key]));
    return unchanged ? before : fallback;
  }
}
