// The edits that a request may make: masks, painted cells and muted heads. Mirrors server/schemas/masks.py.

import LIMITS from "../../../facts/limits.json" with { type: "json" };
import { ROWS } from "../../mask-rules.js";
import { list, record } from "../containers.js";
import {
  boolean,
  checked,
  choice,
  index,
  integer,
  isIndex,
  isKind,
  kind,
  optional,
} from "../fields.js";

/** @typedef {import("../../types.d.ts").Cell} Cell */
/** @typedef {import("../../types.d.ts").MaskSettings} MaskSettings */
/** @typedef {import("../../types.d.ts").MutedHead} MutedHead */

const CELLS = list(
  record("PaintedCell", {
    text: [optional(index), null],
    layer: [optional(index), null],
    head: [optional(index), null],
    query: [optional(index), null],
    key: [optional(index), null],
    kind: [optional(kind), null],
  }),
  { max: LIMITS.cells },
);

/** The field of a setting in mask-rules.js. @param {import("../../mask-rules.js").Row} row */
function fieldOf({ default: value, minimum, maximum, choices }) {
  if (Array.isArray(value)) return CELLS;
  if (minimum !== null) return optional(integer({ ge: minimum, le: maximum ?? undefined }));
  if (choices !== null) return choice(choices);
  return value === null ? optional(boolean) : boolean;
}

export const MASKS = record(
  "Masks",
  Object.fromEntries(
    Object.entries(ROWS).map(([name, row]) => [name, [fieldOf(row), row.default]]),
  ),
);

/** @type {MaskSettings} what a request without `masks` has */
export const OWN_MASKS = MASKS({}, [], []);

/**
 * The settings for the model. The order and repetition of painted cells do not matter.
 * @param {MaskSettings} masks
 * @returns {MaskSettings}
 */
export function maskSettingsOf(masks) {
  const { blocked, allowed } = masks;
  return { ...masks, blocked: sorted(blocked, asPython), allowed: sorted(allowed, asPython) };
}

const HEAD = checked(
  list((value) => value),
  ([layer, head, ...kinds]) =>
    isIndex(layer) && isIndex(head) && kinds.length <= 1 && kinds.every(isKind)
      ? null
      : 'expected [layer, head] or [layer, head, kind], such as [2, 5, "cross"]',
);

/** Each muted head as [layer, head] or [layer, head, kind]. */
export const MUTED = list(HEAD, { max: LIMITS.cells });

/** @param {([number, number] | MutedHead)[]} heads @returns {MutedHead[]} */
export const mutedHeads = (heads) =>
  sorted(
    heads.map(([layer, head, kind = null]) => [layer, head, kind]),
    ([layer, head, kind]) => asPython({ layer, head, kind }),
  );

/**
 * Without repetition, in the order of the server, which sorts by how Python writes an item: the same inputs name the same cell
 * in an error.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} written
 */
function sorted(items, written) {
  const found = new Map(items.map((item) => [written(item), item]));
  return [...found.keys()].sort().map((key) => /** @type {T} */ (found.get(key)));
}

/** The fields as Python writes them. @param {object} item */
const asPython = (item) =>
  Object.entries(item)
    .map(([name, value]) => `${name}=${value === null ? "None" : JSON.stringify(value)}`)
    .join(", ");
