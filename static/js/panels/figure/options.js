// The options of a picture for a file: one row each. A row holds all that is particular to one; the form is made from the table, and
// what was chosen last is read by it.

import { LABELS } from "./words.js";

/**
 * @typedef {object} Choice
 * @property {"svg" | "png"} format
 * @property {number} width in cm
 * @property {number | null} height in cm; null: as high as the picture needs
 * @property {number} dpi of a PNG
 * @property {number} size of the labels, in points
 * @property {"light" | "dark"} scheme
 * @property {boolean} transparent
 * @property {boolean} bar
 * @property {boolean} numbers
 * @property {boolean} row
 * @property {boolean} caption
 */
/**
 * @typedef {object} Option
 * @property {keyof Choice} name
 * @property {string} label
 * @property {Choice[keyof Choice]} usual a boolean: it can be switched on and off
 * @property {string[]} [values] it is one of these
 * @property {{least: number, most: number, step: number}} [range] it is a number
 * @property {boolean} [open] whether the number may be left out
 * @property {(choice: Choice, offers: Set<string>) => boolean} [has] whether the picture has it; `offers`: what its look can have
 */

/** @type {Option[]} */
export const OPTIONS = [
  { name: "format", label: LABELS.format, usual: "svg", values: ["svg", "png"] },
  { name: "width", label: LABELS.width, usual: 12, range: { least: 2, most: 100, step: 0.1 } },
  {
    name: "height",
    label: LABELS.height,
    usual: null,
    open: true,
    range: { least: 2, most: 100, step: 0.1 },
  },
  {
    name: "dpi",
    label: LABELS.dpi,
    usual: 300,
    range: { least: 72, most: 1200, step: 1 },
    has: ({ format }) => format === "png",
  },
  { name: "size", label: LABELS.size, usual: 8, range: { least: 4, most: 36, step: 0.5 } },
  { name: "scheme", label: LABELS.scheme, usual: "light", values: ["light", "dark"] },
  { name: "transparent", label: LABELS.transparent, usual: false },
  { name: "bar", label: LABELS.bar, usual: true, has: (_, offers) => offers.has("bar") },
  {
    name: "numbers",
    label: LABELS.numbers,
    usual: false,
    has: (_, offers) => offers.has("numbers"),
  },
  { name: "row", label: LABELS.row, usual: false, has: (_, offers) => offers.has("row") },
  { name: "caption", label: LABELS.caption, usual: true },
];

/** Whether an option can have a value. @param {Option} option @param {unknown} value */
export function takes({ usual, values, range, open }, value) {
  if (values) return values.includes(/** @type {string} */ (value));
  if (!range) return typeof value === typeof usual;
  if (value === null) return open === true;
  return typeof value === "number" && value >= range.least && value <= range.most;
}

/**
 * What was chosen, with the usual value of what is missing or wrong.
 * @param {unknown} chosen
 * @returns {Choice}
 */
export function choiceFrom(chosen) {
  const given = /** @type {Record<string, unknown>} */ (chosen ?? {});
  return /** @type {any} */ (
    Object.fromEntries(
      OPTIONS.map((option) => [
        option.name,
        takes(option, given[option.name]) ? given[option.name] : option.usual,
      ]),
    )
  );
}

const STORED = "picture";

/** @returns {Choice} what was chosen last */
export function lastChoice() {
  try {
    return choiceFrom(JSON.parse(localStorage.getItem(STORED) ?? "{}"));
  } catch {
    return choiceFrom({}); // storage is blocked, or holds something else
  }
}

/** @param {Choice} choice */
export function keepChoice(choice) {
  try {
    localStorage.setItem(STORED, JSON.stringify(choice));
  } catch {
    // storage is blocked: the choice is lost when the page is closed
  }
}
