// What a stroke of the brush does, and a token's menu: from the reader's choice to the masks that come of it. No DOM.

import { isOfNow } from "../asking/repaint.js";
import { detailOf } from "../numbers/detail.js";
import { covers, tidy } from "../state/cells.js";
import { kindsOf, modelIn, ownCausal } from "../state/choice.js";
import { axesOf } from "../state/follow.js";
import { bitsAt } from "../state/masks.js";
import { isOfHead, MATRICES } from "../state/matrices.js";
import { isBlocked, paint } from "./brush.js";

/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("../types.d.ts").Cell} Cell */
/** @typedef {import("../types.d.ts").Kind} Kind */
/** @typedef {import("../types.d.ts").TokenAxis} TokenAxis */
/** @typedef {NonNullable<State["brush"]>} Brush */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */
/** @typedef {{changes: Partial<State> | null, words: string}} Edit */

const MAX_CELLS = 3000; // cells in both lists: what a request has room for
const PAINTED = 8; // the bit of blocked_by that is the reader's own

/** Why nothing can be painted; "": it can. @param {Readonly<State>} state */
export function whyNot(state) {
  const { lacks } = modelIn(state);
  if (lacks) return `No mask of this model can be painted: ${lacks}.`;
  return !isOfHead(state.matrix)
    ? `${MATRICES[state.matrix].label} is of all layers and heads: paint on a matrix of one head.`
    : "";
}

/** The brush, where it paints. @param {Readonly<State>} state */
export const brushOf = (state) => (state.view !== "heatmap" || whyNot(state) ? null : state.brush);

/** @param {Brush} brush @param {Detail} detail @returns {Omit<Cell, "query" | "key">} */
const scopeOf = (brush, { text, site, head }) => ({
  text,
  layer: brush === "all" ? null : site.layer,
  head: brush === "head" ? head : null,
  kind: site.kind === "self" ? null : site.kind,
});

/** @param {Brush} brush @param {Detail} detail */
function where(brush, { site, head }) {
  const stack = site.kind === "self" ? "" : `${site.kind} `;
  if (brush === "all") return `all ${stack}layers and heads`;
  return `${stack}layer ${site.layer}${brush === "head" ? ` head ${head}` : ", all heads"}`;
}

/**
 * Which masks other than paint block cells of the picture, and what the axes of a cell may be.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @returns {import("./brush.js").Known}
 */
function knownOf(state, detail) {
  const { blocked, queries, keys } = detail;
  const whole = blocked.rows === queries.length && blocked.cols === keys.length; // else it is pooled
  const model = modelIn(state);
  return {
    base: ({ query, key }) => {
      if (query === null || key === null) return 0;
      const bits = whole ? blocked.data[query * blocked.cols + key] & ~PAINTED : 0;
      const one = { ...scopeOf("head", detail), query, key };
      const freed = state.masks.allowed.some((free) => covers(free, one));
      return bits || (freed || !whole ? byRules(state, detail, query, key) : 0); // a freed cell has no bits
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
      return Array.from({ length: n }, (_, place) => place);
    },
  };
}

/**
 * Bits of blocked_by that follow from the masks as they are set.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {number} query
 * @param {number} key
 */
function byRules(state, { site, queries, keys }, query, key) {
  return bitsAt(state.masks, {
    ...{ query, key, cross: site.kind === "cross", ownCausal: ownCausal(state) },
    padding: Boolean(keys[key]?.padding),
    order: [orderOf(queries, query), orderOf(keys, key)],
  });
}

/** Which real token of its text one is, from 1; infinite for padding. @param {Detail["keys"]} tokens @param {number} place */
function orderOf(tokens, place) {
  if (tokens[place]?.padding) return Number.POSITIVE_INFINITY;
  return tokens.slice(0, place + 1).filter(({ padding }) => !padding).length;
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
 * Block cells of the picture, or free them.
 * @param {Readonly<State>} state
 * @param {[number, number][]} cells [query, key]
 * @param {boolean} blocks
 * @returns {Edit}
 */
export function stroke(state, cells, blocks) {
  const brush = brushOf(state);
  const detail = detailOf(state);
  if (!brush || !detail) return { changes: null, words: "" };
  if (!isOfNow(state)) return WAIT;
  const scope = scopeOf(brush, detail);
  const targets = cells.map(([query, key]) => ({ ...scope, query, key }));
  const { changed, ...painted } = paint(state.masks, targets, blocks, knownOf(state, detail));
  const done = `${blocks ? "blocked" : "freed"} ${counted(changed)} in ${where(brush, detail)}`;
  return changed > 0 ? put(state, painted, done) : { changes: null, words: "" };
}

/** @type {Edit} */
const WAIT = { changes: null, words: "wait for the picture of this text, then paint" };

/**
 * @param {Readonly<State>} state
 * @param {Pick<State["masks"], "blocked" | "allowed">} painted
 * @param {string} words
 * @returns {Edit}
 */
function put({ masks }, { blocked, allowed }, words) {
  if (blocked.length + allowed.length > MAX_CELLS) {
    const most = MAX_CELLS.toLocaleString("en");
    return {
      changes: null,
      words: `not done: a mask holds at most ${most} painted cells; block whole tokens by their menu`,
    };
  }
  return { changes: { masks: { ...masks, blocked, allowed } }, words };
}

/** @param {number} n */
const counted = (n) => `${n} ${n === 1 ? "cell" : "cells"}`;

/** How many cells are painted. @param {Pick<State, "masks">} state */
export const paintedIn = ({ masks }) => masks.blocked.length + masks.allowed.length;

/** @param {Readonly<State>} state @returns {Partial<State>} */
export const cleared = ({ masks }) => ({ masks: { ...masks, blocked: [], allowed: [] } });

/**
 * The cell under the keyboard's cursor: the row that is read, and the key chosen in it.
 * @param {Readonly<State>} state
 * @returns {[number, number] | null} null while nothing is painted
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

const BRUSHES = /** @type {const} */ ([null, "head", "layer", "all"]);

/** Off, this head, this layer, all heads, and round again. @param {Readonly<State>} state */
export const nextBrush = (state) =>
  state.view !== "heatmap" || whyNot(state)
    ? null
    : { brush: BRUSHES[(BRUSHES.indexOf(state.brush) + 1) % BRUSHES.length] };

/** @typedef {{text: number, place: number, axis: TokenAxis}} Place a token on the page */

/**
 * The cells that block a token wherever it looks, or is looked at.
 * @param {Readonly<State>} state
 * @param {Place} token
 * @param {"query" | "key"} side
 * @param {Brush} [brush] all layers and heads; else those that are looked at
 * @returns {Cell[]} none where it never is on that side
 */
export function cellsOf(state, { text, place, axis }, side, brush = "all") {
  const kinds = brush === "all" ? kindsOf(modelIn(state)) : [state.kind];
  return kinds
    .filter((kind) => axesOf(kind)[side] === axis)
    .map((kind) => ({
      ...{ text, query: null, key: null, kind: kind === "self" ? null : kind },
      layer: brush === "all" ? null : state.layer,
      head: brush === "head" ? state.head : null,
      [side]: place,
    }));
}

/**
 * @param {Readonly<State>} state
 * @param {Cell[]} cells
 * @returns {"none" | "open" | "blocked" | "wider"} wider: by a block of more than these
 */
export function blockOf({ masks }, cells) {
  if (cells.length === 0) return "none";
  if (cells.every((cell) => masks.blocked.some((one) => covers(cell, one) && covers(one, cell)))) {
    return "blocked";
  }
  return cells.every((cell) => masks.blocked.some((one) => covers(one, cell))) ? "wider" : "open";
}

/**
 * Block a token, or free it again.
 * @param {Readonly<State>} state
 * @param {Cell[]} cells
 * @param {string} words on what is blocked or freed
 * @returns {Edit}
 */
export function toggleToken(state, cells, words) {
  const detail = detailOf(state);
  if (whyNot({ ...state, matrix: "pattern" }) || !detail) return { changes: null, words: "" };
  if (!isOfNow(state)) return WAIT;
  if (blockOf(state, cells) !== "blocked") {
    return put(state, paint(state.masks, cells, true, knownOf(state, detail)), `blocked ${words}`);
  }
  const blocked = state.masks.blocked.filter(
    (one) => !cells.some((cell) => covers(cell, one) && covers(one, cell)),
  );
  return put(state, { blocked: tidy(blocked), allowed: state.masks.allowed }, `freed ${words}`);
}
