// What a stroke of the brush and the menu of a token do to the masks. No DOM.

import { haveSameTokens, isOfNow } from "../asking/repaint.js";
import { detailOf } from "../numbers/detail.js";
import { seenOf } from "../numbers/units.js";
import { kindsOf, modelIn, ownCausal } from "../state/choice.js";
import { bitsAt } from "../state/masks.js";
import { isOfHead, MATRICES } from "../state/matrices.js";
import { covers, tidy } from "../state/painted/cells.js";
import { axesOf } from "../state/painted/follow.js";
import { holds, MAX_PICTURE, tidied } from "../state/painted/picture.js";
import { tells } from "../state/quiz.js";
import { isBlocked, paint } from "./brush.js";
import {
  cannotPaint,
  IN_WORDS,
  notOfOneHead,
  pictureStroke,
  strokeInWords,
  TEXT_CHANGED,
  tooLargePicture,
  tooManyCells,
  WAIT,
} from "./words.js";

/** @import { Cell, Kind, State, TokenAxis } from "../types.d.ts" */
/** A brush that paints masks. @typedef {Exclude<State["brush"], "picture" | null>} Brush */
/** @typedef {import("../state/painted/picture.js").Place} Painted [query, key] */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */
/** @typedef {{changes: Partial<State> | null, words: string}} Edit */

const MAX_CELLS = 3000; // in both lists together: the limit of a request
const PAINTED = 8; // the bit of blocked_by for painted cells

/** Why painting is not available; "" if it is. @param {Readonly<State>} state */
export function whyNot(state) {
  const { lacks } = modelIn(state);
  if (lacks) return cannotPaint(lacks);
  if (state.units === "words" && seenOf(state).detail?.merges) return IN_WORDS;
  return isOfHead(state.matrix) ? "" : notOfOneHead(MATRICES[state.matrix].label);
}

/** The brush, if it can paint here. @param {Readonly<State>} state */
export const brushOf = (state) => {
  if (state.view !== "heatmap" || whyNot(state)) return null;
  return state.brush === "picture" && !tells(state) ? null : state.brush;
};

/** @param {Brush} brush @param {Detail} detail @returns {Omit<Cell, "query" | "key">} */
const scopeOf = (brush, { text, site, head }) => ({
  text,
  layer: brush === "all" ? null : site.layer,
  head: brush === "head" ? head : null,
  kind: site.kind === "self" ? null : site.kind,
});

/**
 * The masks other than paint that block cells of the picture, and the values that the axes of a cell can have.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @returns {import("./brush.js").Known}
 */
function knownOf(state, detail) {
  const { blocked, queries, keys } = detail;
  const full = blocked.rows === queries.length && blocked.cols === keys.length; // false: pooled
  const model = modelIn(state);
  return {
    base: ({ query, key }) => {
      if (query === null || key === null) return 0;
      const bits = full ? blocked.data[query * blocked.cols + key] & ~PAINTED : 0;
      const one = { ...scopeOf("head", detail), query, key };
      const freed = state.masks.allowed.some((free) => covers(free, one));
      return bits || (freed || !full ? byRules(state, detail, query, key) : 0); // the answer lacks the bits of a freed cell
    },
    values: (axis, { kind, layer }) => {
      const sites = (model.sites ?? []).filter(
        (one) => (kind === null || one.kind === kind) && (layer === null || one.layer === layer),
      );
      if (axis === "kind") return kindsOf(model);
      if (axis === "layer") return [...new Set(sites.map((one) => one.layer))];
      const n = {
        text: state.texts.length,
        head: Math.max(0, ...sites.map(({ n_heads }) => n_heads)),
        query: queries.length,
        key: keys.length,
      }[axis];
      return Array.from({ length: n }, (_, index) => index);
    },
  };
}

/**
 * The bits of blocked_by that follow from the current masks.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {number} query
 * @param {number} key
 */
function byRules(state, { site, queries, keys }, query, key) {
  return bitsAt(state.masks, {
    query,
    key,
    cross: site.kind === "cross",
    ownCausal: ownCausal(state),
    order: { [query]: orderOf(queries, query), [key]: orderOf(keys, key) },
  });
}

/** The number of a token among the real tokens of its text, from 0; infinite for padding. @param {Detail["keys"]} tokens @param {number} place */
function orderOf(tokens, place) {
  if (tokens[place]?.padding) return Number.POSITIVE_INFINITY;
  return tokens.slice(0, place).filter(({ padding }) => !padding).length;
}

/**
 * Whether a cell of the picture is blocked now.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {number} query
 * @param {number} key
 */
export function isBlockedAt(state, detail, query, key) {
  const cell = { ...scopeOf("head", detail), query, key };
  return isBlocked(state.masks, cell, knownOf(state, detail).base(cell));
}

/**
 * Whether a stroke that begins here takes paint away: the cell is blocked, or in the reader's picture.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {Painted} place
 */
export const isPaintedAt = (state, detail, place) =>
  state.brush === "picture" ? holds(state.picture, place) : isBlockedAt(state, detail, ...place);

/**
 * The reader's picture with some cells painted, or with their paint taken away.
 * @param {readonly Painted[]} picture
 * @param {Painted[]} cells
 * @param {boolean} paints
 */
export const drawn = (picture, cells, paints) =>
  tidied(paints ? [...picture, ...cells] : picture.filter((place) => !holds(cells, place)));

/** @param {Readonly<State>} state @param {Painted[]} cells @param {boolean} paints @returns {Edit} */
function strokePicture({ picture }, cells, paints) {
  const now = paints ? [...picture, ...cells] : [];
  if (now.length > MAX_PICTURE) return { changes: null, words: tooLargePicture(MAX_PICTURE) };
  const after = drawn(picture, cells, paints);
  const changed = Math.abs(after.length - picture.length);
  return changed === 0
    ? { changes: null, words: "" }
    : {
        changes: { picture: after, find: "picture" },
        words: pictureStroke({ paints, n: changed }),
      };
}

/**
 * Block cells of the picture, or free them; or paint cells of the reader's own picture.
 * @param {Readonly<State>} state
 * @param {[number, number][]} cells [query, key]
 * @param {boolean} blocks
 * @returns {Edit}
 */
export function stroke(state, cells, blocks) {
  const brush = brushOf(state);
  const detail = detailOf(state);
  if (!brush || !detail) return { changes: null, words: "" };
  if (brush === "picture") return strokePicture(state, cells, blocks); // it keeps its positions
  if (!isOfNow(state)) return REFUSED;
  const scope = scopeOf(brush, detail);
  const targets = cells.map(([query, key]) => ({ ...scope, query, key }));
  const { changed, ...painted } = paint(state.masks, targets, blocks, knownOf(state, detail));
  if (changed === 0) return { changes: null, words: "" };
  const { site, head } = detail;
  const selected = { kind: site.kind, layer: site.layer, head };
  return replaced(state, painted, strokeInWords({ blocks, n: changed, brush, selected }));
}

/**
 * What a stroke does that began some time ago: its cells are of the head that the picture showed then.
 * @param {Readonly<State>} began the state when it began
 * @param {Readonly<State>} state the state now
 * @param {[number, number][]} cells [query, key]
 * @param {boolean} blocks
 * @returns {Edit}
 */
export function strokeSince(began, state, cells, blocks) {
  if (!haveSameTokens(began, state)) return { changes: null, words: TEXT_CHANGED };
  return stroke({ ...began, masks: state.masks, picture: state.picture }, cells, blocks);
}

/** While the picture shows another text. @type {Edit} */
const REFUSED = { changes: null, words: WAIT };

/**
 * Replace the painted cells.
 * @param {Readonly<State>} state
 * @param {Pick<State["masks"], "blocked" | "allowed">} painted
 * @param {string} words what was done
 * @returns {Edit}
 */
function replaced({ masks }, { blocked, allowed }, words) {
  return blocked.length + allowed.length > MAX_CELLS
    ? { changes: null, words: tooManyCells(MAX_CELLS) }
    : { changes: { masks: { ...masks, blocked, allowed } }, words };
}

/** How many cells are painted. @param {Pick<State, "masks">} state */
export const paintedIn = ({ masks }) => masks.blocked.length + masks.allowed.length;

/** @param {Readonly<State>} state @returns {Partial<State>} */
export const cleared = ({ masks }) => ({ masks: { ...masks, blocked: [], allowed: [] } });

/**
 * The cell under the keyboard cursor: the current row, and the key chosen in it.
 * @param {Readonly<State>} state
 * @returns {[number, number] | null} null if the brush is off
 */
export function cursorOf(state) {
  const detail = brushOf(state) && detailOf(state);
  if (!detail) return null;
  return [detail.row, Math.min(state.key ?? detail.row, detail.keys.length - 1)];
}

/** @param {Readonly<State>} state @param {number} by @returns {Partial<State> | null} */
export function cursorBy(state, by) {
  const detail = detailOf(state);
  const cursor = cursorOf(state);
  if (!detail || !cursor) return null;
  return { key: Math.max(0, Math.min(detail.keys.length - 1, cursor[1] + by)) };
}

/** What choosing a brush changes; that of the reader's picture ranks the heads by it. @param {Readonly<State>} state @param {State["brush"]} brush @returns {Partial<State>} */
export const brushFor = (state, brush) =>
  brush === "picture" && tells(state) ? { brush, find: "picture" } : { brush };

/** @type {readonly State["brush"][]} */
const BRUSHES = [null, "head", "layer", "all"];

/** The next brush of masks: off, this head, this layer, all heads, off … @param {Readonly<State>} state */
export const nextBrush = (state) =>
  state.view !== "heatmap" || whyNot(state)
    ? null
    : { brush: BRUSHES[(BRUSHES.indexOf(state.brush) + 1) % BRUSHES.length] };

/** @typedef {{text: number, place: number, axis: TokenAxis}} Place a token on the page */

/**
 * The cells that block a token as a query, or as a key.
 * @param {Readonly<State>} state
 * @param {Place} token
 * @param {"query" | "key"} side
 * @param {Brush} [brush] all layers and heads by default; otherwise the selected ones
 * @returns {Cell[]} empty if it is never on that side
 */
export function cellsOf(state, { text, place, axis }, side, brush = "all") {
  const kinds = brush === "all" ? kindsOf(modelIn(state)) : [state.kind];
  return kinds
    .filter((kind) => axesOf(kind)[side] === axis)
    .map((kind) => ({
      text,
      query: null,
      key: null,
      kind: kind === "self" ? null : kind,
      layer: brush === "all" ? null : state.layer,
      head: brush === "head" ? state.head : null,
      [side]: place,
    }));
}

/**
 * @param {Readonly<State>} state
 * @param {Cell[]} cells
 * @returns {"none" | "open" | "blocked" | "wider"} "wider": blocked by a cell that covers more than these
 */
export function blockOf({ masks }, cells) {
  if (cells.length === 0) return "none";
  if (cells.every((cell) => masks.blocked.some((one) => covers(cell, one) && covers(one, cell)))) {
    return "blocked";
  }
  return cells.every((cell) => masks.blocked.some((one) => covers(one, cell))) ? "wider" : "open";
}

/**
 * Block a token, or unblock it.
 * @param {Readonly<State>} state
 * @param {Cell[]} cells
 * @param {{blocked: string, freed: string}} words what to report
 * @returns {Edit}
 */
export function toggleToken(state, cells, words) {
  const detail = detailOf(state);
  if (whyNot({ ...state, matrix: "pattern", units: "pieces" }) || !detail)
    return { changes: null, words: "" };
  if (!isOfNow(state)) return REFUSED;
  if (blockOf(state, cells) !== "blocked") {
    return replaced(state, paint(state.masks, cells, true, knownOf(state, detail)), words.blocked);
  }
  const blocked = state.masks.blocked.filter(
    (one) => !cells.some((cell) => covers(cell, one) && covers(one, cell)),
  );
  const painted = { blocked: tidy(blocked), allowed: state.masks.allowed };
  return replaced(state, painted, words.freed);
}
