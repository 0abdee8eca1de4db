// The links in an answer, with their tokens; where they are in the overview of the text; and what the page shows after a jump. Pure.

import { zoomOf } from "../../draw/viewport.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn, queryAxis } from "../../state/choice.js";
import { openPanel } from "../../state/panels.js";
import { label, shorten } from "../../words/format.js";

/** @import { FarLink, Kind, State, Token } from "../../types.d.ts" */

/** A link with the kind of its site, and its tokens with their neighbours. @typedef {FarLink & {kind: Kind, tokens: {from: Token, to: Token}, from: string, to: string, around: {from: string, to: string}}} Link */

const AROUND = 3; // tokens to each side
const SHOWN = 48; // tokens per side of the picture after a jump, if there are many more

/** Whether the panel is open: it is, too, where the model has none of those before it. @param {Readonly<State>} state */
export const isOpen = (state) => openPanel(state.right, modelIn(state)) === "far";

/**
 * The links of the selected text.
 * @param {Readonly<State>} state
 * @returns {{links: Link[], searched: number} | null} null until there is an answer
 */
export function linksIn(state) {
  const trace = state.far?.answer?.trace;
  const text = Math.min(state.shown, (trace?.tokens.length ?? 1) - 1);
  const found = trace?.far_links?.[text];
  if (!trace || !found) return null;
  const { sites } = modelIn({ model: trace.model, models: state.models });
  const links = found.links.map((link) => {
    const kind = sites?.find(({ name }) => name === link.site)?.kind ?? "self";
    const tokens = (trace[queryAxis(kind)] ?? trace.tokens)[text];
    const { query, key } = link;
    return {
      ...link,
      kind,
      tokens: { from: tokens[query], to: tokens[key] },
      from: nameOf(tokens[query]),
      to: nameOf(tokens[key]),
      around: { from: around(tokens, query), to: around(tokens, key) },
    };
  });
  return { links, searched: found.searched };
}

/** @param {Token} token */
const nameOf = (token) => shorten(label(token), 14);

/** A token with its neighbours. @param {Token[]} tokens @param {number} place */
const around = (tokens, place) =>
  tokens
    .slice(Math.max(0, place - AROUND), place + AROUND + 1)
    .map(label)
    .join(" ");

/** Whether a link is the cell that is selected. @param {Pick<State, "kind" | "layer" | "head" | "query" | "key">} state @param {Link} link */
export const isSelected = (state, link) =>
  /** @type {const} */ (["kind", "layer", "head", "query", "key"]).every(
    (name) => state[name] === link[name],
  );

/**
 * What to change to show a link: its head, its tokens, and the part of the picture around its cell.
 * @param {Readonly<State>} state
 * @param {Link} link
 * @returns {Partial<State>}
 */
export function jumpTo(state, { kind, layer, head, query, key }) {
  const n = detailOf(state)?.queries.length ?? 0;
  const half = SHOWN / 2;
  const part = /** @type {const} */ ([query - half, query + half, key - half, key + half]);
  const zoom = n > 2 * SHOWN ? zoomOf([...part], n, n) : null;
  return { kind, layer, head, query, key, zoom };
}

/**
 * What to change to go to a token of the text: a part of the picture that is zoomed to moves there.
 * @param {Readonly<State>} state
 * @param {number} query
 * @returns {Partial<State>}
 */
export function goTo({ zoom, detail, shown }, query) {
  const n = detail?.trace.tokens[Math.min(shown, detail.trace.tokens.length - 1)].length ?? 0;
  if (!zoom) return { query };
  const [top, bottom, left, right] = zoom;
  const half = (bottom - top) / 2;
  return { query, zoom: zoomOf([query - half, query + half, left, right], n, n) };
}

/**
 * The largest weight of the tokens under each column of the overview.
 * @param {ArrayLike<number>} weights by token
 * @param {number} columns
 */
export function columnsOf(weights, columns) {
  const n = weights.length;
  return Float64Array.from({ length: columns }, (_, column) => {
    const start = Math.floor((column * n) / columns);
    const stop = Math.max(start + 1, Math.floor(((column + 1) * n) / columns));
    let largest = 0;
    for (let at = start; at < stop; at += 1) largest = Math.max(largest, weights[at]);
    return largest;
  });
}

/** The token at a point of the overview. @param {number} share 0 to 1 @param {number} n */
export const tokenAt = (share, n) => Math.max(0, Math.min(n - 1, Math.floor(share * n)));
