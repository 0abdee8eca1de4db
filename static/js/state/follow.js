// Painted cells when the texts change: they stay on their tokens, wherever those are now, or go with them.

/** @typedef {import("../types.d.ts").Cell} Cell */
/** @typedef {import("../types.d.ts").Kind} Kind */
/** @typedef {import("../types.d.ts").Token} Token */
/** @typedef {import("../types.d.ts").TokenAxis} TokenAxis */
/**
 * The tokens of each text, padded, and the kinds of sites that look from target tokens; without them those of an
 * encoder–decoder.
 * @typedef {{tokens: Token[][], target_tokens: Token[][] | null, kinds?: Kind[]}} Rows
 */
/** @typedef {Rows & {texts: string[]}} Texts each with all that belongs to it, so that equal ones are the same */
/** @typedef {(place: number) => number | null} Move to where it is now; null: it is gone */

/**
 * @param {Cell[]} cells
 * @param {Texts} before
 * @param {Texts} after
 */
export function follow(cells, before, after) {
  const texts = align(before.texts, after.texts, true);
  /** @param {TokenAxis} axis */
  const moves = (axis) =>
    before.texts.map((_, text) => {
      const to = texts(text);
      const [old, now] = [before[axis]?.[text], to === null ? null : after[axis]?.[to]];
      return old && now ? moveOf(old, now) : () => null;
    });
  const move = { tokens: moves("tokens"), target_tokens: moves("target_tokens") };
  /** @param {Cell} cell @returns {Cell[]} */
  const carry = (cell) => {
    const text = cell.text === null ? null : texts(cell.text);
    if (cell.text !== null && text === null) return [];
    const rows = cell.text === null ? before.texts.map((_, place) => place) : [cell.text];
    const kinds = kindsOf(cell, before);
    /** @param {"query" | "key"} side */
    const place = (side) => {
      const from = cell[side];
      if (from === null) return null;
      const to = new Set(
        kinds.flatMap((kind) => rows.map((row) => move[AXES[kind][side]][row]?.(from) ?? null)),
      );
      return to.size === 1 ? [...to][0] : null; // what moves apart is no longer one cell
    };
    const [query, key] = [place("query"), place("key")];
    const gone = (cell.query !== null && query === null) || (cell.key !== null && key === null);
    return gone ? [] : [{ ...cell, text, query, key }];
  };
  return existing(cells.flatMap(carry), after);
}

/** Without the cells of tokens that are not there, which the API would refuse. @param {Cell[]} cells @param {Rows} rows */
export function existing(cells, rows) {
  const kept = cells.filter((cell) =>
    kindsOf(cell, rows).every((kind) => {
      /** @param {"query" | "key"} side */
      const isThere = (side) => {
        const n = (rows[AXES[kind][side]] ?? rows.tokens)[0]?.length ?? 0;
        return (cell[side] ?? 0) < n;
      };
      return (cell.text ?? 0) < rows.tokens.length && isThere("query") && isThere("key");
    }),
  );
  return kept.length < cells.length ? kept : cells;
}

/** Whose tokens look, and whose are looked at. @type {Record<Kind, Record<"query" | "key", TokenAxis>>} */
const AXES = {
  self: { query: "tokens", key: "tokens" },
  encoder: { query: "tokens", key: "tokens" },
  decoder: { query: "target_tokens", key: "target_tokens" },
  cross: { query: "target_tokens", key: "tokens" },
};

/** Which tokens each side of a site of this kind is of. @param {Kind} kind */
export const axesOf = (kind) => AXES[kind];

/** @param {Cell} cell @param {Rows} rows @returns {Kind[]} */
const kindsOf = ({ kind }, { target_tokens, kinds }) => {
  if (kind) return [kind];
  if (!target_tokens) return ["self"];
  return kinds?.length ? kinds : ["encoder", "decoder", "cross"];
};

/**
 * Where each token of a text went. Padding stays where there is padding.
 * @param {Token[]} before
 * @param {Token[]} after
 * @returns {Move}
 */
function moveOf(before, after) {
  /** @param {Token[]} tokens */
  const real = (tokens) => tokens.flatMap(({ padding }, place) => (padding ? [] : [place]));
  const [old, now] = [real(before), real(after)];
  /** @param {Token[]} tokens */
  const names = (tokens) => (/** @type {number} */ place) =>
    `${tokens[place].id} ${tokens[place].segment} ${tokens[place].text}`;
  const move = align(old.map(names(before)), now.map(names(after)), false);
  const rank = new Map(old.map((place, i) => [place, i]));
  return (place) => {
    const i = rank.get(place);
    if (i === undefined) return before[place] && after[place]?.padding ? place : null;
    const to = move(i);
    return to === null ? null : now[to];
  };
}

/**
 * One list is another with something in the middle changed: what stands before and after it is the same.
 * @param {string[]} before
 * @param {string[]} after
 * @param {boolean} edited whether the middle, if it has as many, is still the same things
 * @returns {Move}
 */
export function align(before, after, edited) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const longer = after.length - before.length;
  return (place) => {
    if (place < 0 || place >= before.length) return null;
    if (place < head) return place;
    if (place >= before.length - tail) return place + longer;
    return edited && longer === 0 ? place : null;
  };
}

/**
 * Removing a text takes its painted cells with it, and those of the texts after it move up.
 * @param {import("../types.d.ts").Masks} masks
 * @param {number} place
 */
export function withoutText(masks, place) {
  /** @param {Cell[]} cells */
  const left = (cells) =>
    cells.flatMap((cell) => {
      if (cell.text === null || cell.text < place) return [cell];
      return cell.text === place ? [] : [{ ...cell, text: cell.text - 1 }];
    });
  const painted = [...masks.blocked, ...masks.allowed].some(({ text }) => (text ?? -1) >= place);
  return painted ? { ...masks, blocked: left(masks.blocked), allowed: left(masks.allowed) } : masks;
}
