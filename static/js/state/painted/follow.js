// When the texts change, painted cells follow their tokens to their new positions, and disappear with them.

/** @import { Cell, Kind, Token, TokenAxis } from "../../types.d.ts" */
/**
 * The padded tokens of each text, and the kinds of sites of the model. If these are missing, target tokens imply an
 * encoder–decoder.
 * @typedef {{tokens: Token[][], target_tokens: Token[][] | null, kinds?: Kind[]}} Rows
 */
/** @typedef {Rows & {texts: string[]}} Texts `texts` identify each text together with its target and pair */
/** @typedef {(place: number) => number | null} Move from an old position to the new one; null: it is gone */

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
    const rows = cell.text === null ? before.texts.map((_, index) => index) : [cell.text];
    const kinds = kindsOf(cell, before);
    /** @param {"query" | "key"} side */
    const place = (side) => {
      const from = cell[side];
      if (from === null) return null;
      const to = new Set(
        kinds.flatMap((kind) => rows.map((row) => move[AXES[kind][side]][row]?.(from) ?? null)),
      );
      return to.size === 1 ? [...to][0] : null; // if its rows disagree, it is no longer one cell
    };
    const [query, key] = [place("query"), place("key")];
    const gone = (cell.query !== null && query === null) || (cell.key !== null && key === null);
    return gone ? [] : [{ ...cell, text, query, key }];
  };
  return existing(cells.flatMap(carry), after);
}

/** Drop the cells of tokens that do not exist, which the API would refuse. @param {Cell[]} cells @param {Rows} rows */
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

/** Whose tokens are the queries and the keys of each kind of site. @type {Record<Kind, Record<"query" | "key", TokenAxis>>} */
const AXES = {
  self: { query: "tokens", key: "tokens" },
  encoder: { query: "tokens", key: "tokens" },
  decoder: { query: "target_tokens", key: "target_tokens" },
  cross: { query: "target_tokens", key: "tokens" },
};

/** Whose tokens are the queries and the keys of a site of this kind. @param {Kind} kind */
export const axesOf = (kind) => AXES[kind];

/** @param {Cell} cell @param {Rows} rows @returns {Kind[]} */
const kindsOf = ({ kind }, { target_tokens, kinds }) => {
  if (kind) return [kind];
  if (!target_tokens) return ["self"];
  return kinds?.length ? kinds : ["encoder", "decoder", "cross"];
};

/**
 * Where each token of a text has moved. Padding stays if there is padding at the same position.
 * @param {Token[]} before
 * @param {Token[]} after
 * @returns {Move}
 */
function moveOf(before, after) {
  /** @param {Token[]} tokens */
  const real = (tokens) => tokens.flatMap(({ padding }, index) => (padding ? [] : [index]));
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
 * Align two lists that share a beginning and an end and differ in the middle.
 * @param {string[]} before
 * @param {string[]} after
 * @param {boolean} edited whether the items in the middle count as the same, edited, if there are equally many
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
 * Removing a text removes its painted cells, and renumbers those of the texts after it.
 * @param {import("../../types.d.ts").Masks} masks
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
