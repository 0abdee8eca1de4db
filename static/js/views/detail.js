// What several views need of the selected head: its tensors, the text looked at, the words of its tokens.

import { label } from "../render/format.js";
import { explain } from "../render/hatch.js";
import { unreached } from "../render/matrices.js";
import { matrixOf } from "../render/raster.js";

/** @typedef {import("../types.d.ts").State} State */
/** @typedef {ReturnType<typeof detailOf>} Detail */

/**
 * @param {Readonly<State>} state
 * @returns null until an answer is there
 */
export function detailOf({ detail, shown, query }) {
  const site = detail?.trace.sites[0];
  if (!detail || !site) return null;
  const text = Math.min(shown, detail.trace.tokens.length - 1);
  const queries = (detail.trace[site.query_tokens] ?? detail.trace.tokens)[text];
  const keys = (detail.trace[site.key_tokens] ?? detail.trace.tokens)[text];
  /** @param {string} name */
  const matrix = (name) => {
    const tensor = detail.tensors.get(`${site.name}.${name}`);
    if (!tensor) throw new Error(`The answer lacks ${site.name}.${name}.`);
    return matrixOf(tensor, text, 0);
  };
  /** What was not asked for, or cannot be had. @param {string} name @param {number[]} [shape] */
  const perhaps = (name, shape = detail.tensors.get(name)?.shape) => {
    const tensor = detail.tensors.get(name);
    return tensor && shape ? float(matrixOf({ ...tensor, shape }, text, 0)) : null;
  };
  const [batch = 0, ...sides] = detail.tensors.get("rollout")?.shape ?? [];
  const last = queries.findLastIndex((token) => !isPadding(detail.trace, token));
  return {
    site,
    head: site.heads[0],
    text,
    queries,
    keys,
    queryLabels: queries.map(label),
    keyLabels: keys.map(label),
    pattern: float(matrix("pattern")),
    scores: float(matrix("scores")),
    blocked: /** @type {{rows: number, cols: number, data: Uint8Array}} */ (matrix("blocked_by")),
    norms: perhaps(`${site.name}.norms`),
    rollout: perhaps("rollout", [batch, 1, ...sides]), // of all heads
    q: float(matrix("q")),
    k: float(matrix("k")),
    v: float(matrix("v")),
    /** The query whose row is read. */
    row: query === null ? Math.max(last, 0) : Math.min(query, queries.length - 1),
  };
}

/** @param {import("../types.d.ts").TraceJson} trace @param {import("../types.d.ts").Token} token */
export const isPadding = ({ pad_id }, { id, special }) => special && id === pad_id;

/**
 * Which cells of a matrix are blocked: those of the head; over all layers, those that no path reaches.
 * @param {NonNullable<Detail>} detail
 * @param {import("../types.d.ts").Matrix} matrix
 */
export const blockedIn = ({ blocked, rollout }, matrix) =>
  matrix === "rollout" && rollout ? unreached(blocked, rollout) : blocked;

/** @param {ReturnType<typeof matrixOf>} matrix */
function float(matrix) {
  return /** @type {{rows: number, cols: number, data: Float32Array}} */ (matrix);
}

/**
 * Why a cell is blocked; "" where it is allowed.
 * @param {ReturnType<typeof blockedIn>} blocked
 * @param {number} query
 * @param {number} key
 */
export function reasonAt({ cols, data }, query, key) {
  return explain(data[query * cols + key]);
}

/**
 * The scores that the heads are labelled by; null until they are there.
 * @param {Readonly<State>} state
 */
export function scoresOf({ by, probe, grid, shown, relations }) {
  if (by === "probe") {
    const drawn = probe?.model === relations.model ? relations.drawn : {};
    return (
      probe?.heads?.map((one) => ({ ...one, drawn: drawn[`${one.layer}.${one.head}`] })) ?? null
    );
  }
  const texts = grid?.trace.scores;
  return texts?.[Math.min(shown, texts.length - 1)]?.heads ?? null;
}
