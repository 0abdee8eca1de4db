// Which requests have been answered or refused, so that nothing is asked twice.

/** @import { Name } from "./questions.js" */

export class Ledger {
  /** @type {Map<string, {key: string, refused: boolean}>} */
  #settled = new Map();

  /** @param {Name | "model"} name @param {string} key the request, as JSON */
  answered(name, key) {
    this.#settled.set(name, { key, refused: false });
  }

  /** @param {Name | "model"} name @param {string} key */
  refuse(name, key) {
    this.#settled.set(name, { key, refused: true });
  }

  /** Allow questions to be asked again. @param {(Name | "model")[]} names */
  forget(...names) {
    for (const name of names) this.#settled.delete(name);
  }

  /** Allow the refused questions to be asked again. */
  forgetRefusals() {
    for (const [name, { refused }] of [...this.#settled]) {
      if (refused) this.#settled.delete(name);
    }
  }

  /** @param {Name | "model"} name @param {string} key @returns {"answered" | "refused" | "missing"} */
  outcome(name, key) {
    const settled = this.#settled.get(name);
    if (settled?.key !== key) return "missing";
    return settled.refused ? "refused" : "answered";
  }
}
