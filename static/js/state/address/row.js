// What a row of the table of choices holds (rows.js), and rows with a single parameter. Pure.

import { among } from "./readings.js";

/** @typedef {import("../../types.d.ts").Choice} Choice */
/** @typedef {import("../../types.d.ts").Model} Model */
/** @typedef {import("../../types.d.ts").Side} Side */
/** @typedef {{texts: string[], layer: number, head: number, query: number | null, depth?: Choice["depth"]}} Example what the page shows when the address is empty; by default all controls */

/**
 * What else reading depends on. `fresh`: the address names neither a text nor a head; `bare`: it names nothing at all; `readSide` reads a side of a
 * comparison from a complete address.
 * @typedef {{models: Model[], model: Model, example: Example, texts: string[], fresh: boolean, bare: boolean, readSide: (search: string) => Side}} Reading
 */
/** What else writing depends on; `writeChoice` writes a complete choice; `shared`: the address is for others, as a link. @typedef {{models: Model[], model: Model | undefined, shared: boolean, writeChoice: (choice: Choice) => string}} Writing */

/**
 * When the address follows a change: with the server's "answer", "now", or once the value has come to "rest".
 * @typedef {"answer" | "now" | "rest"} Follows
 */

/**
 * Back of the browser, and Undo, take changes back one by one. Changes of a key that follow each other within this pause
 * (ms) are taken back together, as typing is. Null: the key comes back only with a change of another one.
 * @typedef {number | null} Pause
 */

/**
 * What a key is a part of. All three together say which head is seen, and so are what a side of a comparison holds.
 *
 * - "input": what the model reads, and which model
 * - "edit": an edit of the model, which can be undone
 * - "head": which of its heads is selected, and for which text
 *
 * Which answers of the server a change makes stale is not listed anywhere: those whose request is now another one.
 * @typedef {"input" | "edit" | "head"} Part
 */

/**
 * @typedef {object} Row
 * @property {keyof Choice} key
 * @property {readonly string[]} names of its parameters in the address; those of a source follow its name and a dot
 * @property {Follows} follows
 * @property {Pause | ((before: Choice, after: Choice) => Pause)} pause
 * @property {boolean} undone whether Undo takes a change back; false: it only says where the reader looks
 * @property {Part} [part] none: it changes only what the page shows of a head, or beside it
 * @property {(query: URLSearchParams, at: Reading) => unknown} read invalid text gives the default
 * @property {(query: URLSearchParams, choice: Choice, at: Writing) => void} write
 */

export const ALONE = 0; // each change is one of its own
export const HELD = 70; // ms: longer than the time between two repeats of a key that is held down
export const TYPED = 1000; // ms without typing, or without moving a slider

/** @typedef {Partial<Pick<Row, "follows" | "pause" | "undone">>} Manner */

/**
 * A row with a single parameter.
 * @template {keyof Choice} K
 * @param {K} key also the name of the parameter
 * @param {{read: (text: string | null) => Choice[K], write: (value: Choice[K]) => string | null} & Manner} codec `write` returns null for the default
 * @returns {Row}
 */
export function value(key, { read, write, follows = "now", pause = ALONE, undone = true }) {
  return {
    key,
    names: [key],
    ...{ follows, pause, undone },
    read: (query) => read(query.get(key)),
    write(query, choice) {
      const text = write(choice[key]);
      if (text !== null) query.set(key, text);
    },
  };
}

/**
 * @template {keyof Choice} K
 * @param {K} key
 * @param {readonly (Choice[K] & string)[]} known the default first
 * @param {Manner} [manner]
 */
export function oneOf(key, known, manner = {}) {
  return value(key, {
    ...manner,
    read: (text) => among(known, text),
    write: (chosen) => (chosen === known[0] ? null : String(chosen)),
  });
}

/**
 * @param {"mass" | "weakest" | "key" | "step" | "token" | "versus" | "vocab" | "temperature" | "top_k" | "top_p" | "least"} key
 * @param {number | null} usual the default
 * @param {(text: string | null) => number | null} read null: the text is not a valid number
 * @param {Manner} [manner]
 */
export function number(key, usual, read, manner = { pause: TYPED }) {
  return value(key, {
    ...manner,
    read: (text) => /** @type {number} */ (read(text) ?? usual),
    write: (chosen) => (chosen === usual ? null : String(chosen)),
  });
}
