// One frozen state. Views dispatch changes; the store notifies the listeners of the keys that changed.

/** @import { State } from "../types.d.ts" */

export class Store {
  #state;
  /** @type {{keys: Set<keyof State>, draw: (state: Readonly<State>) => void}[]} */
  #listeners = [];

  /** @param {State} initial */
  constructor(initial) {
    this.#state = Object.freeze({ ...initial });
  }

  /** @returns {Readonly<State>} */
  get state() {
    return this.#state;
  }

  /**
   * Replace some keys. Each listener is called once, after the whole change.
   * @param {Partial<State>} changes
   */
  update(changes) {
    const before = this.#state;
    const keys = /** @type {(keyof State)[]} */ (Object.keys(changes));
    const changed = keys.filter((key) => !Object.is(before[key], changes[key]));
    if (changed.length === 0) return;
    this.#state = Object.freeze({ ...before, ...changes });
    for (const { keys, draw } of this.#listeners) {
      if (changed.some((key) => keys.has(key))) draw(this.#state);
    }
  }

  /**
   * Call `draw` now, and again whenever one of the keys changes.
   * @param {readonly (keyof State)[]} keys
   * @param {(state: Readonly<State>) => void} draw
   */
  watch(keys, draw) {
    this.#listeners.push({ keys: new Set(keys), draw });
    draw(this.#state);
  }
}

/** Whether two plain values, such as parts of the state, are equal. @param {unknown} a @param {unknown} b */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
