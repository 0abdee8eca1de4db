// What a row of the table of choices holds (rows.js), and how the values of its kind are read and written. Pure.

import KINDS from "../../facts/kinds.json" with { type: "json" };
import { MATRIX_NAMES } from "../matrices.js";
import { PANEL_NAMES } from "../panels.js";
import { VIEW_NAMES } from "../views.js";
import { between, integer, share } from "./readings.js";

/** @import { Choice, Model, Side } from "../../types.d.ts" */
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

const PAUSES = { alone: ALONE, held: HELD, typed: TYPED };

/**
 * A row of static/js/facts/addresses.json. What its values are, if they are of a kind:
 *
 * - `one_of`: words, the default first, or the names of the rows of another table
 * - `whole`: a whole number from … to …, which is the highest index if it is left out; `number`: one with decimals; both with a `default`
 * - `share`: a share of which 0 says nothing, with this default
 * - `flag`: true where the address says this, else false
 * - `word`: a pattern, with a `default`
 *
 * @typedef {object} Fact
 * @property {string} key also its parameter, if it has no `names`
 * @property {readonly string[]} [names] today's first, then those that it had
 * @property {Follows} [follows] "now" by default
 * @property {"alone" | "held" | "typed" | null} [pause] "alone" by default
 * @property {boolean} [undone] true by default
 * @property {Part} [part]
 * @property {readonly string[] | "kinds" | "matrices" | "panels" | "views"} [one_of]
 * @property {Readonly<Record<string, string>>} [was] today's names of its values, by those that they had
 * @property {readonly [from: number, to?: number]} [whole]
 * @property {readonly [number, number]} [number]
 * @property {number} [share]
 * @property {string} [flag]
 * @property {string} [word]
 * @property {number | string | null} [default]
 */

/**
 * How a row is read and written where that is more than its kind says.
 * @typedef {object} Codec
 * @property {(query: URLSearchParams, at: Reading, usual: (query: URLSearchParams) => unknown) => unknown} [read] `usual`: as its kind says
 * @property {Row["write"]} [write]
 * @property {Row["pause"]} [pause]
 */

/** @param {Fact} fact @param {Codec} [codec] @returns {Row} */
export function rowOf(fact, codec = {}) {
  const { key, names = [key], follows = "now", pause = "alone", undone = true, part } = fact;
  const { usual, valid } = valuesOf(fact);
  const readUsual = (/** @type {URLSearchParams} */ query) =>
    valid(query.get(names.find((name) => query.has(name)) ?? key)) ?? usual;
  const { read, write } = codec;
  return {
    key: /** @type {keyof Choice} */ (key),
    names,
    follows,
    pause: codec.pause ?? (pause && PAUSES[pause]),
    undone,
    part,
    read: read ? (query, at) => read(query, at, readUsual) : readUsual,
    write:
      write ??
      ((query, choice) => {
        const chosen = /** @type {any} */ (choice)[key];
        if (chosen !== usual) query.set(names[0], fact.flag ?? String(chosen));
      }),
  };
}

const NAMES = { kinds: KINDS, matrices: MATRIX_NAMES, panels: PANEL_NAMES, views: VIEW_NAMES };

/**
 * The default, and a text's value; null if it is not valid.
 * @param {Fact} fact
 * @returns {{usual: unknown, valid: (text: string | null) => unknown}}
 */
function valuesOf({
  one_of: words,
  was = {},
  whole,
  number,
  share: all,
  flag,
  word,
  default: usual = null,
}) {
  if (words !== undefined) {
    const known = typeof words === "string" ? NAMES[words] : words;
    return {
      usual: known[0],
      valid: (text) => known.find((name) => name === (was[text ?? ""] ?? text)),
    };
  }
  if (whole) return { usual, valid: (text) => integer(text, ...whole) };
  if (number) return { usual, valid: (text) => between(text, ...number) };
  if (all !== undefined) return { usual: all, valid: (text) => share(text) || null };
  if (flag !== undefined) return { usual: false, valid: (text) => text === flag };
  const pattern = word === undefined ? null : new RegExp(word);
  return { usual, valid: (text) => (text !== null && pattern?.test(text) ? text : null) };
}

/**
 * A codec for a single parameter with the name of its key.
 * @template {keyof Choice} K
 * @param {K} key
 * @param {{read: (text: string | null) => Choice[K], write: (value: Choice[K]) => string | null}} codec `write` returns null for the default
 * @returns {Codec}
 */
export const single = (key, { read, write }) => ({
  read: (query) => read(query.get(key)),
  write(query, choice) {
    const text = write(choice[key]);
    if (text !== null) query.set(key, text);
  },
});
