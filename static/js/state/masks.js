// The masks: a row for each setting with everything that the page knows about it: its default, its parameter in the address, its
// control, what it blocks, and its wording. The server's rows are in model/mask_rules.py. Pure.

import { decode, encode } from "./painted/cells.js";
import { same } from "./same.js";

/** @typedef {import("../types.d.ts").Cell} Cell */
/** @typedef {import("../types.d.ts").Masks} Masks */
/** @typedef {keyof Masks} MaskName */

/**
 * @typedef {object} Choosing a group of buttons, one of them pressed
 * @property {string} legend
 * @property {string} [key] a keyboard shortcut that selects the next option
 * @property {readonly {value: any, name: string, label: string}[]} options
 */

/**
 * @typedef {object} Sliding a slider for a number of tokens
 * @property {string} label
 * @property {"start" | "end"} off the end of the slider that turns the mask off
 * @property {(value: number | null) => string} shown the text beside the slider
 * @property {string} [about] what it does; a slider with a description is under “More”
 */

/**
 * @typedef {object} Toggle a switch that is on or off; `own`: whether the model has such a mask of its own
 * @property {string} label
 * @property {(value: any, own: boolean | null) => boolean} isOn
 * @property {(on: boolean, own: boolean | null) => any} value
 */

/**
 * @typedef {object} Wording how the page describes a value; painted cells are counted
 * @property {(value: any) => string} edit in a list of edits; never called with the default
 * @property {(value: any) => string} now a sentence to announce after a change
 * @property {(value: any) => string} side in a comparison, where A and B differ
 */

/**
 * @typedef {object} MaskRow
 * @property {MaskName} name its name in the API
 * @property {any} usual the default: as the model has it
 * @property {boolean} edits whether any other value counts as an edit of the model
 * @property {string} address its parameter in the address
 * @property {(query: URLSearchParams) => any} read invalid text gives the default
 * @property {(value: any) => string[]} write never called with the default
 * @property {Choosing | Sliding} [control] missing for painted cells, which have tools of their own
 * @property {Toggle} [toggle] a switch in place of the control, for readers who need no more
 * @property {Wording} wording
 * @property {Reason} [reason] how the cells that it blocks are drawn and explained
 * @property {(value: any, at: Place) => boolean} [blocks] whether it blocks a cell
 * @property {{bit: number, at: (value: any, at: Place) => boolean}} [frees] the cells that it frees from the reason with this bit
 */

/**
 * @typedef {object} Reason
 * @property {number} bit of `blocked_by`
 * @property {string} angle the direction of its hatching
 * @property {string} words what blocks the cell, as it stands after “blocked by”
 * @property {number} rank if a cell has several reasons, the one with the highest rank is drawn
 * @property {boolean} [everywhere] whether it blocks the same cells in all heads and layers
 */

/**
 * A cell of the picture.
 * @typedef {object} Place
 * @property {number} query
 * @property {number} key
 * @property {boolean} cross whether queries and keys come from different texts
 * @property {boolean | null} ownCausal whether the model has a causal mask of its own
 * @property {boolean} padding whether the key is padding
 * @property {readonly [query: number, key: number]} order the number of each among the real tokens of its text, from 1; infinite for padding
 */

const MAX_TOKENS = 1_000_000; // as in the API

const ON_OFF = /** @type {const} */ ([
  { value: null, name: "own", label: "model’s own" },
  { value: true, name: "on", label: "on" },
  { value: false, name: "off", label: "off" },
]);

/** @param {number} n */
const tokens = (n) => `${n} ${n === 1 ? "token" : "tokens"}`;
/** @param {number} n entries of a mask, each one or more cells */
const places = (n) => (n === 1 ? "1 place" : `${n} places`);
/** @param {string | null} text @returns {number | null} */
const count = (text) => {
  const n = text !== null && /^\d+$/.test(text) ? Number(text) : 0;
  return n >= 1 && n <= MAX_TOKENS ? n : null;
};

/** In the order of the address and of the page. @type {readonly MaskRow[]} */
export const MASKS = [
  {
    name: "causal",
    usual: null,
    edits: true,
    address: "causal",
    read: (query) =>
      ON_OFF.find(({ value }) => String(value) === query.get("causal") && value !== null)?.value ??
      null,
    write: (on) => [String(on)],
    control: { legend: "Causal", key: "c", options: ON_OFF },
    toggle: {
      label: "causal mask",
      isOn: (value, own) => value ?? own ?? false,
      value: (on, own) => (on === own ? null : on),
    },
    wording: {
      edit: (on) => (on ? "causal mask on" : "causal mask off"),
      now: (on) =>
        on === null ? "The model’s own causal mask." : on ? "Causal mask on." : "Causal mask off.",
      side: (on) => (on === null ? "the model’s own causal mask" : on ? "causal on" : "causal off"),
    },
    reason: {
      bit: 1,
      angle: "up",
      words: "the causal mask",
      rank: 2,
      everywhere: true,
    },
    blocks: (on, { query, key, cross, ownCausal }) => !cross && (on ?? ownCausal) && key > query,
  },
  {
    name: "padding",
    usual: true,
    edits: true,
    address: "padding",
    read: (query) => query.get("padding") !== "false",
    write: () => ["false"],
    control: {
      legend: "Padding",
      key: "p",
      options: [
        { value: true, name: "on", label: "masked" },
        { value: false, name: "off", label: "not masked" },
      ],
    },
    toggle: { label: "padding mask", isOn: (value) => value, value: (on) => on },
    wording: {
      edit: () => "padding not masked",
      now: (on) => (on ? "Padding masked." : "Padding not masked."),
      side: (on) => (on ? "padding masked" : "padding not masked"),
    },
    reason: {
      bit: 2,
      angle: "down",
      words: "the padding mask",
      rank: 4,
      everywhere: true,
    },
    blocks: (on, { padding }) => on && padding,
  },
  {
    name: "padding_side",
    usual: "right",
    edits: false,
    address: "padding_side",
    read: (query) => (query.get("padding_side") === "left" ? "left" : "right"),
    write: (side) => [side],
    control: {
      legend: "Pad on the",
      options: [
        { value: "left", name: "left", label: "left" },
        { value: "right", name: "right", label: "right" },
      ],
    },
    wording: {
      edit: (side) => (side === "left" ? "padded on the left" : "padded on the right"),
      now: (side) => (side === "left" ? "Padding on the left." : "Padding on the right."),
      side: (side) => (side === "left" ? "padded on the left" : "padded on the right"),
    },
  },
  {
    name: "window",
    usual: null,
    edits: true,
    address: "window",
    read: (query) => count(query.get("window")),
    write: (n) => [String(n)],
    control: {
      label: "Window",
      off: "end",
      shown: (n) => (n === null ? "off" : n === 1 ? "itself only" : `${n} tokens`),
    },
    wording: {
      edit: (n) => `window of ${n}`,
      now: (n) => (n === null ? "Window off." : `Window of ${tokens(n)}.`),
      side: (n) => (n === null ? "no window" : `a window of ${n}`),
    },
    reason: { bit: 4, angle: "level", words: "the window", rank: 1 },
    blocks: (n, { query, key, cross }) => !cross && n !== null && Math.abs(query - key) >= n,
  },
  {
    name: "prefix",
    usual: null,
    edits: true,
    address: "prefix",
    read: (query) => count(query.get("prefix")),
    write: (n) => [String(n)],
    control: {
      label: "Prefix",
      off: "start",
      about:
        "The first tokens all see each other, even later ones, as in a prefix language model (Raffel et al. 2020). This frees cells that the causal mask blocks.",
      shown: (n) => (n === null ? "off" : tokens(n)),
    },
    wording: {
      edit: (n) => `prefix of ${n}`,
      now: (n) => (n === null ? "Prefix off." : `Prefix of ${tokens(n)}.`),
      side: (n) => (n === null ? "no prefix" : `a prefix of ${n}`),
    },
    frees: {
      bit: 1,
      at: (n, { cross, order }) => n !== null && !cross && Math.max(...order) <= n,
    },
  },
  {
    name: "sinks",
    usual: null,
    edits: true,
    address: "sinks",
    read: (query) => count(query.get("sinks")),
    write: (n) => [String(n)],
    control: {
      label: "Sinks",
      off: "start",
      about:
        "The first tokens stay visible outside the window, as in streaming attention (Xiao et al. 2023). This frees cells that the window blocks.",
      shown: (n) => (n === null ? "off" : tokens(n)),
    },
    wording: {
      edit: (n) => (n === 1 ? "1 sink" : `${n} sinks`),
      now: (n) => (n === null ? "Sinks off." : `Sinks of ${tokens(n)}.`),
      side: (n) => (n === null ? "no sinks" : n === 1 ? "1 sink" : `${n} sinks`),
    },
    frees: { bit: 4, at: (n, { cross, order }) => n !== null && !cross && order[1] <= n },
  },
  {
    name: "blocked",
    usual: [],
    edits: true,
    address: "block",
    read: (query) => decode(query.getAll("block")),
    write: encode,
    wording: {
      edit: ({ length }) => `painted: ${places(length)} blocked`,
      now: () => "",
      side: ({ length }) => (length ? `${places(length)} blocked` : "nothing blocked"),
    },
    reason: { bit: 8, angle: "cross", words: "your painted mask", rank: 5 },
  },
  {
    name: "allowed",
    usual: [],
    edits: true,
    address: "free",
    read: (query) => decode(query.getAll("free")),
    write: encode,
    wording: {
      edit: ({ length }) => `painted: ${places(length)} freed`,
      now: () => "",
      side: ({ length }) => (length ? `${places(length)} freed` : "nothing freed"),
    },
  },
];

/** All masks at their defaults: as the model has them. @type {Readonly<Masks>} */
export const OWN_MASKS = Object.freeze(
  /** @type {Masks} */ (Object.fromEntries(MASKS.map(({ name, usual }) => [name, usual]))),
);

/** Whether a mask is as the model has it. @param {MaskRow} row @param {unknown} value */
export const isUsual = ({ usual }, value) =>
  value === usual || (Array.isArray(usual) && Array.isArray(value) && value.length === 0);

/** The rows of the masks that are not at their defaults. @param {Masks} masks */
export const changedMasks = (masks) => MASKS.filter((row) => !isUsual(row, masks[row.name]));

/** Whether any mask changes the model. @param {Masks} masks */
export const areEdited = (masks) => changedMasks(masks).some(({ edits }) => edits);

/** The rows of the masks that differ. @param {Masks} a @param {Masks} b */
export const differingMasks = (a, b) => MASKS.filter(({ name }) => !same(a[name], b[name]));

/** Blocked, but by none of the masks above. @type {Reason} */
const OTHER = {
  bit: 16,
  angle: "dots",
  words: "the model’s own mask",
  rank: 3,
};

/** Every reason why a cell may be blocked, the highest rank first. */
export const REASONS = [...MASKS.flatMap(({ reason }) => reason ?? []), OTHER].sort(
  (a, b) => b.rank - a.rank,
);

/** Bits that are the same for all heads and layers. */
export const EVERYWHERE = REASONS.reduce(
  (bits, { bit, everywhere }) => bits | (everywhere ? bit : 0),
  0,
);

/** The bits of `blocked_by` that the masks give a cell. @param {Masks} masks @param {Place} at */
export function bitsAt(masks, at) {
  const blocking = MASKS.filter(({ name, blocks }) => blocks?.(masks[name], at));
  const blocked = blocking.reduce((bits, { reason }) => bits | (reason?.bit ?? 0), 0);
  return MASKS.reduce(
    (bits, { name, frees }) => (frees?.at(masks[name], at) ? bits & ~frees.bit : bits),
    blocked,
  );
}

/** The keyboard shortcuts of the masks: each selects the next option. @returns {[key: string, (state: {masks: Masks}) => {masks: Masks}][]} */
export const maskKeys = () =>
  MASKS.flatMap(({ name, control }) => {
    if (!control || !("options" in control) || !control.key) return [];
    const values = control.options.map(({ value }) => value);
    return [
      [
        control.key,
        ({ masks }) => {
          const next = values[(values.indexOf(masks[name]) + 1) % values.length];
          return { masks: { ...masks, [name]: next } };
        },
      ],
    ];
  });
