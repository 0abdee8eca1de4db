// Everything that a reader can choose, one row each: its parameters in the address, how they are read and written, when the
// address follows a change, and how Back and Undo take one back. Rows are in the order of the address, which leaves out
// defaults. Pure.

import { SOURCES } from "../sources/sources.js";
import { aligned, kindsOf } from "./choice.js";
import { findNamed } from "./finds.js";
import { changesOf, patched } from "./links.js";
import { changedMasks, differingMasks, MASKS } from "./masks.js";
import { MATRIX_NAMES } from "./matrices.js";
import { same } from "./same.js";
import { SETTINGS, VIEW_NAMES } from "./views.js";

/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Mute} Mute */
/** @typedef {import("../types.d.ts").Side} Side */
/** @typedef {{texts: string[], layer: number, head: number, query: number | null, depth?: Choice["depth"]}} Example what the page shows when the address is empty; by default all controls */

/**
 * What else reading depends on. `fresh`: the address names neither a text nor a head; `bare`: it names nothing at all; `readSide` reads a side of a
 * comparison from a complete address.
 * @typedef {{models: Model[], model: Model, example: Example, texts: string[], fresh: boolean, bare: boolean, readSide: (search: string) => Side}} Reading
 */
/** What else writing depends on; `writeChoice` writes a complete choice. @typedef {{models: Model[], model: Model | undefined, writeChoice: (choice: Choice) => string}} Writing */

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

const KINDS = /** @type {const} */ (["self", "encoder", "decoder", "cross"]);
const SEGMENTS = /** @type {const} */ (["all", "AA", "AB", "BA", "BB"]);
const SCALES = /** @type {const} */ (["ink", "sea"]);
const LEFT = /** @type {const} */ (["row", "find"]);
const RIGHT = /** @type {const} */ (["next", "lens", "effects"]);
const BY = /** @type {const} */ (["probe", "sentence"]);
const ENGINES = /** @type {const} */ (["default", "server", "page"]);
const DEPTHS = /** @type {const} */ (["full", "start", "present"]);
const MAX_INDEX = 1_000_000; // as in the API
const ALONE = 0; // each change is one of its own
const HELD = 70; // ms: longer than the time between two repeats of a key that is held down
const TYPED = 1000; // ms without typing, or without moving a slider
const WALKED = { pause: HELD, undone: false };
const LOOKED_AT = { pause: ALONE, undone: false };
const SLUG = /^[a-z0-9-]{1,100}$/; // of a lesson's address

/** @type {readonly Row[]} */
export const ROWS = [
  {
    key: "model",
    names: ["model"],
    follows: "answer",
    pause: ALONE,
    undone: true,
    part: "input",
    read: (_, { model }) => model.name,
    write(query, { model }, { models }) {
      if (model !== models[0]?.name) query.set("model", model);
    },
  },
  ...SOURCES.map(
    ({ name, read, write }) =>
      /** @type {Row} */ ({
        key: name,
        names: [`${name}.…`],
        follows: "answer",
        pause: TYPED,
        undone: true,
        part: "edit",
        read: (query, { models }) => read(query, models),
        write(query, choice) {
          if (choice.model === name) write(query, choice[name]);
        },
      }),
  ),
  {
    key: "texts",
    names: ["text"],
    follows: "answer",
    pause: TYPED,
    undone: true,
    part: "input",
    read: (_, { texts }) => texts,
    write(query, { texts }, { model }) {
      if (model?.recorded) return; // the model knows its texts, and a reader's own file stays out of addresses
      for (const text of texts) query.append("text", text);
    },
  },
  // targets and pairs that the model does not take are kept while the page is open, but left out of the address
  {
    key: "targets",
    names: ["target"],
    follows: "answer",
    pause: TYPED,
    undone: true,
    part: "input",
    read: (query, { texts }) => query.getAll("target").slice(0, texts.length),
    write(query, { targets, texts }, { model }) {
      const taken = aligned(model?.takes_targets === false ? [] : targets, texts.length);
      if (taken.some(Boolean)) for (const text of taken) query.append("target", text);
    },
  },
  {
    key: "pairs",
    names: ["pair"],
    follows: "answer",
    pause: TYPED,
    undone: true,
    part: "input",
    read: (query, { texts }) =>
      query.has("pair") ? aligned(query.getAll("pair"), texts.length) : null,
    write(query, { pairs, texts }, { model }) {
      if (!pairs || model?.takes_pairs === false) return;
      for (const text of aligned(pairs, texts.length)) query.append("pair", text);
    },
  },
  {
    key: "masks",
    names: MASKS.map(({ address }) => address),
    follows: "answer",
    pause: ({ masks }, after) => {
      const slid = differingMasks(masks, after.masks).every(
        ({ control }) => control && "off" in control,
      );
      return slid ? TYPED : ALONE;
    },
    undone: true,
    part: "edit",
    read: (query) => Object.fromEntries(MASKS.map(({ name, read }) => [name, read(query)])),
    write(query, { masks }) {
      for (const { name, address, write } of changedMasks(masks)) {
        for (const text of write(masks[name])) query.append(address, text);
      }
    },
  },
  {
    key: "muted",
    names: ["muted"],
    follows: "answer",
    pause: ALONE,
    undone: true,
    part: "edit",
    read: (query) => [...new Set(query.getAll("muted"))].flatMap(muteOf),
    write(query, { muted }) {
      for (const head of muted) query.append("muted", head.join("."));
    },
  },
  {
    key: "kind",
    names: ["kind"],
    follows: "answer",
    pause: ALONE,
    undone: false,
    part: "head",
    read: (query) => among(KINDS, query.get("kind")),
    write(query, { kind }, { model }) {
      const [usual = "self"] = model ? kindsOf(model) : [];
      if (kind !== usual) query.set("kind", kind);
    },
  },
  {
    key: "layer",
    names: ["layer"],
    follows: "answer",
    pause: HELD,
    undone: false,
    part: "head",
    read: (query, { fresh, example }) => integer(query.get("layer")) ?? (fresh ? example.layer : 0),
    write: (query, { layer }) => query.set("layer", String(layer)),
  },
  {
    key: "head",
    names: ["head"],
    follows: "answer",
    pause: HELD,
    undone: false,
    part: "head",
    read: (query, { fresh, example }) => integer(query.get("head")) ?? (fresh ? example.head : 0),
    write: (query, { head }) => query.set("head", String(head)),
  },
  {
    key: "shown",
    names: ["shown"],
    follows: "now",
    pause: ALONE,
    undone: false,
    part: "head",
    read: (query, { texts }) => integer(query.get("shown"), 0, texts.length - 1) ?? 0,
    write(query, { shown }) {
      if (shown !== 0) query.set("shown", String(shown));
    },
  },
  {
    key: "query",
    names: ["query"],
    follows: "now",
    pause: HELD,
    undone: false,
    read: (query, { fresh, example }) =>
      integer(query.get("query")) ?? (fresh ? example.query : null),
    write(query, { query: place }) {
      if (place !== null) query.set("query", String(place));
    },
  },
  {
    // a link shows the whole workbench unless it says otherwise, whoever opens it; without a link, readers get the depth that they used last
    key: "depth",
    names: ["depth"],
    follows: "now",
    pause: ALONE,
    undone: false,
    read: (query, { bare, example }) =>
      bare && example.depth ? example.depth : among(DEPTHS, query.get("depth")),
    write(query, { depth }) {
      if (depth !== DEPTHS[0]) query.set("depth", depth);
    },
  },
  value("tour", {
    read: (text) => text === "1",
    write: (tour) => (tour ? "1" : null),
    ...{ pause: null, undone: false },
  }),
  oneOf("matrix", MATRIX_NAMES),
  oneOf("view", VIEW_NAMES),
  value("pinned", {
    read: (text) => [...new Set(integersIn(text))],
    write: (pinned) => pinned.join(",") || null,
  }),
  {
    key: "overlay",
    names: ["overlay"],
    follows: "now",
    pause: ALONE,
    undone: true,
    read: (query) => [...new Set(query.getAll("overlay"))].flatMap(muteOf).map(([l, h]) => [l, h]),
    write(query, { overlay }) {
      for (const head of overlay) query.append("overlay", head.join("."));
    },
  },
  number("mass", 1, (text) => share(text) || null),
  ...SETTINGS.map(([key, known]) => oneOf(key, known)),
  number("key", null, integer, WALKED),
  number("step", null, integer, WALKED),
  number("token", null, integer, LOOKED_AT),
  number("temperature", 1, (text) => between(text, 0.05, 100)), // as in the API
  number("top_k", 10, (text) => integer(text, 1, 100)),
  number("top_p", 1, (text) => share(text) || null),
  oneOf("scale", SCALES),
  value("log", { read: (text) => text === "true", write: (log) => (log ? "true" : null) }),
  value("zoom", {
    read: (text) => zoomOf(integersIn(text)),
    write: (zoom) => zoom?.join(",") ?? null,
    follows: "rest", // a drag changes it many times a second
    ...{ pause: null, undone: false },
  }),
  oneOf("segments", SEGMENTS),
  value("find", {
    read: (text) => findNamed(text),
    write: (find) => find,
  }),
  oneOf("by", BY),
  number("least", 0, share),
  oneOf("left", LEFT, LOOKED_AT),
  oneOf("right", RIGHT, LOOKED_AT),
  oneOf("engine", ENGINES, { pause: null, undone: false }),
  // the lesson from which the reader came: the page offers the way back, if there is such a lesson
  value("lesson", {
    read: (text) => (text !== null && SLUG.test(text) ? text : null),
    write: (lesson) => lesson,
    ...{ pause: null, undone: false },
  }),
  // written by quiz.js, which puts the whole address into it
  value("quiz", { read: (text) => text === "1", write: () => null, pause: null, undone: false }),
  // a quiz that only the teacher reveals, by another link
  value("closed", {
    read: (text) => text === "1",
    write: (closed) => (closed ? "1" : null),
    ...{ pause: null, undone: false },
  }),
  {
    key: "against",
    names: ["against"],
    follows: "now",
    pause: ALONE,
    undone: true,
    read(query, { readSide }) {
      const held = query.get("against");
      if (held === null) return null;
      const transposed = /(^|&)transposed=true(&|$)/.test(held);
      const alone = new URLSearchParams(patched(query.toString(), held));
      alone.delete("against"); // A is not a comparison itself
      return { ...readSide(`?${alone}`), transposed };
    },
    write(query, choice, { writeChoice }) {
      if (!choice.against) return;
      const held = writeChoice({ ...choice, ...choice.against, against: null });
      const changes = changesOf(held, query.toString());
      const params = choice.against.transposed ? [changes, "transposed=true"] : [changes];
      query.set("against", params.filter(Boolean).join("&"));
    },
  },
];

/** The keys whose changes the address follows in this way. @param {Follows} follows */
export const keysThatFollow = (follows) =>
  ROWS.filter((row) => row.follows === follows).map(({ key }) => key);

/** The keys of some parts. @param {...Part} parts */
export const keysOf = (...parts) =>
  ROWS.filter(({ part }) => part !== undefined && parts.includes(part)).map(({ key }) => key);

export const CHOICE_KEYS = ROWS.map(({ key }) => key);

/**
 * The rows of the keys that differ.
 * @param {Choice} before
 * @param {Choice} after
 */
export const changedRows = (before, after) =>
  ROWS.filter(({ key }) => before[key] !== after[key] && !same(before[key], after[key]));

/** What an address says about what computes; a page that has nothing else to choose reads only this. @param {string} search */
export const engineIn = (search) => among(ENGINES, new URLSearchParams(search).get("engine"));

/** The choice within a state. @param {Choice} state @returns {Choice} */
export const choiceOf = (state) =>
  /** @type {any} */ (Object.fromEntries(CHOICE_KEYS.map((key) => [key, state[key]])));

/** @typedef {Partial<Pick<Row, "follows" | "pause" | "undone">>} Manner */

/**
 * A row with a single parameter.
 * @template {keyof Choice} K
 * @param {K} key also the name of the parameter
 * @param {{read: (text: string | null) => Choice[K], write: (value: Choice[K]) => string | null} & Manner} codec `write` returns null for the default
 * @returns {Row}
 */
function value(key, { read, write, follows = "now", pause = ALONE, undone = true }) {
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
function oneOf(key, known, manner = {}) {
  return value(key, {
    ...manner,
    read: (text) => among(known, text),
    write: (chosen) => (chosen === known[0] ? null : String(chosen)),
  });
}

/**
 * @param {"mass" | "key" | "step" | "token" | "temperature" | "top_k" | "top_p" | "least"} key
 * @param {number | null} usual the default
 * @param {(text: string | null) => number | null} read null: the text is not a valid number
 * @param {Manner} [manner]
 */
function number(key, usual, read, manner = { pause: TYPED }) {
  return value(key, {
    ...manner,
    read: (text) => /** @type {number} */ (read(text) ?? usual),
    write: (chosen) => (chosen === usual ? null : String(chosen)),
  });
}

/**
 * "1.3" is head 3 of layer 1, in every kind of attention; "1.3.cross" is the one of its cross-attention alone.
 * @param {string} text
 * @returns {Mute[]} empty if the text does not name a head
 */
function muteOf(text) {
  const [layer, head, named, ...rest] = text.split(".");
  const [l, h] = [integer(layer), integer(head)];
  const kind = KINDS.find((name) => name === named);
  if (l === null || h === null || rest.length > 0 || kind !== named) return [];
  return [kind ? [l, h, kind] : [l, h]];
}

/**
 * @template {string} T
 * @param {readonly T[]} known the default first
 * @param {string | null} text
 */
function among(known, text) {
  return known.find((name) => name === text) ?? known[0];
}

/** A share from 0 to 1, rounded to two decimals; 0 for anything else. @param {string | null} text */
function share(text) {
  const number = text !== null && /^(0(\.\d+)?|1)$/.test(text) ? Number(text) : 0;
  return Math.round(100 * number) / 100;
}

/** @param {string | null | undefined} text */
function integer(text, min = 0, max = MAX_INDEX) {
  if (text == null || !/^\d+$/.test(text)) return null;
  const number = Number(text);
  return number >= min && number <= max ? number : null;
}

/** Integers separated by commas; an empty list if one of them is invalid. @param {string | null} text */
function integersIn(text) {
  const numbers = (text ?? "").split(",").map((part) => integer(part));
  return numbers.every((number) => number !== null) ? numbers : [];
}

/** @param {number[]} numbers @returns {Choice["zoom"]} */
function zoomOf([top, bottom, left, right, ...rest]) {
  if (right === undefined || rest.length > 0 || top >= bottom || left >= right) return null;
  return [top, bottom, left, right];
}

/** @param {string | null} text @param {number} min @param {number} max */
function between(text, min, max) {
  if (text === null || !/^\d{1,3}(\.\d{1,3})?$/.test(text)) return null;
  const number = Number(text);
  return number >= min && number <= max ? number : null;
}
