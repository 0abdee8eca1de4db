// Panels that draw a new answer after the picture. The picture is what the reader looks at while typing; the panels follow it in short
// tasks, so that the next key does not wait for them. Whatever else changes, they draw at once.

import { afterFrame } from "../dom/dom.js";
import { Store } from "../state/store.js";

/** @import { State } from "../types.d.ts" */
/** @typedef {(state: Readonly<State>) => void} Draw */

const SLICE = 8; // ms of drawing after which the browser gets a turn

/** The panels that have yet to draw the newest answer. */
export class Later {
  #store;
  #arrived = false; // an answer arrived within this task
  #shown = Promise.resolve(); // with the picture of the newest answer on the screen
  /** @type {Set<Panel>} */
  #waiting = new Set();
  /** @type {Promise<void> | null} */
  #drawing = null;

  /** @param {Store} store one that no panel watches yet, since they must be told after this */
  constructor(store) {
    this.#store = store;
    let isFirst = true; // the first picture of a page comes with everything
    store.watch(["grid", "detail"], ({ grid }) => {
      if (!isFirst) this.#note();
      isFirst &&= grid === null;
    });
  }

  /** The store for one more panel. @returns {Store} */
  panel() {
    return new Panel(this.#store, (panel) => {
      if (!this.#arrived) return false;
      this.#waiting.add(panel);
      this.#drawing ??= this.#drawAll();
      return true;
    });
  }

  /** Resolves once all panels show the newest answer. */
  async drawn() {
    while (this.#drawing) await this.#drawing;
  }

  #note() {
    this.#arrived = true;
    queueMicrotask(() => {
      this.#arrived = false;
    });
    this.#shown = afterFrame().then(() => {});
  }

  async #drawAll() {
    while (this.#waiting.size > 0) {
      await this.#shown;
      await new Promise((resolve) => setTimeout(resolve));
      const end = performance.now() + SLICE;
      for (const panel of this.#waiting) {
        this.#waiting.delete(panel);
        panel.catchUp();
        if (performance.now() > end) break;
      }
    }
    this.#drawing = null;
    performance.clearMarks("panels");
    performance.mark("panels"); // see benchmarks/engine.py
  }
}

/** A store as one panel sees it: its listeners may have to wait, all together, so that the panel never shows parts of two answers. */
class Panel extends Store {
  #store;
  #waits;
  /** @type {Set<Draw>} */
  #late = new Set();

  /** @param {Store} store @param {(panel: Panel) => boolean} waits whether it has to wait, and will be told to catch up */
  constructor(store, waits) {
    super(store.state);
    this.#store = store;
    this.#waits = waits;
  }

  /** @override */
  get state() {
    return this.#store.state;
  }

  /** @override @param {Partial<State>} changes */
  update(changes) {
    this.#store.update(changes);
  }

  /** @override @param {readonly (keyof State)[]} keys @param {Draw} draw */
  watch(keys, draw) {
    this.#store.watch(keys, (state) => {
      if (this.#waits(this)) {
        this.#late.add(draw);
        return;
      }
      this.#late.delete(draw);
      this.catchUp();
      draw(state);
    });
  }

  /** Draw what waits. */
  catchUp() {
    const late = [...this.#late];
    this.#late.clear();
    for (const draw of late) draw(this.#store.state);
  }
}
