// Notices that nothing has been answered for a while, however often it was asked.

/** @typedef {import("./lane.js").Job["request"]} Request */

export const SILENCE_MS = 3000;

export class Silence {
  #clock;
  /** The last request since something was last heard. @type {Request | null} */
  #request = null;
  #timer = 0;
  /** @type {((request: Request | null) => void)[]} */
  #listeners = [];

  /** @param {import("./lane.js").Clock} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /** @param {(request: Request | null) => void} tell called with what is not answered; null: something was heard, or nothing is wanted */
  watch(tell) {
    this.#listeners.push(tell);
  }

  /** A request is sent. @param {Request} request */
  asked(request) {
    if (!this.#request) {
      this.#timer = this.#clock.set(() => this.#tell(this.#request), SILENCE_MS);
    }
    this.#request = request;
  }

  /** The server has said something, or nothing is wanted of it. */
  ends() {
    if (!this.#request) return;
    this.#clock.clear(this.#timer);
    this.#request = null;
    this.#tell(null);
  }

  /** @param {Request | null} request */
  #tell(request) {
    for (const tell of this.#listeners) tell(request);
  }
}
