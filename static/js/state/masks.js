// The masks: a row for each setting with everything that the page knows about it: its default, its parameter in the address, its
// control, what it blocks, and its wording. All of that is data (static/js/facts/masks.json); its rule is the engine's. Pure.

import { affected } from "../engine/masks/rules.js";
import MASK_FACTS from "../facts/masks.json" with { type: "json" };
import { saidOf, worded } from "../language/facts.js";
import { translated } from "../language/gettext.js";
import { decode, encode } from "./painted/cells.js";
import { same } from "./store.js";

/** @import { Words } from "../language/facts.js" */
/** @import { Cell, Masks } from "../types.d.ts" */
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
 * @property {string} [about] what it does
 */

/**
 * @typedef {object} Toggle a switch that is on or off; `own`: whether the model has such a mask of its own
 * @property {string} label
 * @property {string} brief in a list of masks
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
 */

/**
 * @typedef {object} Reason why a cell is blocked. The first that a cell has is the one that is drawn
 * @property {string} name
 * @property {number} bit of `blocked_by`
 * @property {string} angle the direction of its hatching
 * @property {string} words what blocks the cell, as it stands after “blocked by”
 * @property {boolean} [everywhere] whether it blocks the same cells in all heads and layers
 */

/**
 * A cell of the picture.
 * @typedef {object} Place
 * @property {number} query
 * @property {number} key
 * @property {boolean} cross whether queries and keys come from different texts
 * @property {boolean | null} ownCausal whether the model has a causal mask of its own
 * @property {Readonly<Record<number, number>>} order the number of query and key among the real tokens of their texts, from 0; infinite for padding
 */

/**
 * What the table says of a mask.
 * @typedef {object} Fact
 * @property {any} default
 * @property {string} address
 * @property {boolean} [edits]
 * @property {number} [minimum] of a number of tokens
 * @property {number} [maximum]
 * @property {Choosing} [choose]
 * @property {Omit<Sliding, "shown"> & {shown: Words}} [slide]
 * @property {string} [toggle]
 * @property {string} [brief] of a toggle
 * @property {Record<keyof Wording, Words>} words
 */

const facts = worded(MASK_FACTS, "masks");

/** How a value in the address is read and written. @param {Fact} fact @returns {Pick<MaskRow, "read" | "write">} */
function coded({ default: usual, address, choose, minimum, maximum = Infinity }) {
  if (Array.isArray(usual))
    return { read: (query) => decode(query.getAll(address)), write: encode };
  const write = (/** @type {any} */ value) => [String(value)];
  if (choose) {
    const named = new Map(choose.options.map(({ value }) => [String(value), value]));
    return { read: (query) => named.get(query.get(address) ?? "") ?? usual, write };
  }
  const read = (/** @type {URLSearchParams} */ query) => {
    const text = query.get(address) ?? "";
    const n = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return n >= (minimum ?? 0) && n <= maximum ? n : usual;
  };
  return { read, write };
}

/** @param {Fact} fact @returns {Pick<MaskRow, "control">} painted cells have tools of their own */
function controlled({ choose, slide }) {
  if (choose) return { control: choose };
  return slide ? { control: { ...slide, shown: (value) => saidOf(slide.shown, value) } } : {};
}

/** @param {string} label @param {string} brief @param {any} usual @returns {Toggle} */
const switched = (label, brief, usual) => ({
  label,
  brief,
  isOn: (value, own) => value ?? own ?? false,
  value: (on, own) => (usual === null && on === own ? null : on),
});

/** In the order of the address and of the page. @type {readonly MaskRow[]} */
export const MASKS = Object.entries(/** @type {Record<MaskName, Fact>} */ (facts.rows)).map(
  ([name, fact]) => ({
    name: /** @type {MaskName} */ (name),
    usual: fact.default,
    edits: fact.edits ?? true,
    address: fact.address,
    ...coded(fact),
    ...controlled(fact),
    ...(fact.toggle ? { toggle: switched(fact.toggle, fact.brief ?? "", fact.default) } : {}),
    wording: {
      edit: (value) => saidOf(fact.words.edit, value),
      now: (value) => saidOf(fact.words.now, value),
      side: (value) => saidOf(fact.words.side, value),
    },
  }),
);

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

/** Every reason why a cell may be blocked. @type {readonly Reason[]} */
export const REASONS = facts.reasons.map((row) => ({ ...row, words: translated(row.words) }));

/** Bits that are the same for all heads and layers. */
export const EVERYWHERE = REASONS.reduce(
  (bits, { bit, everywhere }) => bits | (everywhere ? bit : 0),
  0,
);

/** The bits of `blocked_by` that the masks give a cell. @param {Masks} masks @param {Place} at */
export const bitsAt = (masks, { query, key, cross, ownCausal, order }) =>
  affected({ ...masks, causal: masks.causal ?? ownCausal }, cross, query, key, order);

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
