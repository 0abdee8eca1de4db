// A model as GET /api/models describes it. Mirrors `_describe` in server/run/models.py.

/** @import { Model } from "../../types.d.ts" */

/** What a source may leave out; null: unknown. */
const UNKNOWN = {
  d_ff: null,
  norm: null,
  residual: true,
  film: null,
  step: null,
  sister: null,
  takes_targets: false,
  takes_pairs: false,
  takes_messages: false,
  classes: [],
  library_class: null,
  weights: null,
  revision: null,
  trained_on: null,
  unknown_id: null,
  lacks: "",
  stream_lacks: "the engine in the page does not record it",
  edited_at: [],
  edited_at_reason: "the engine in the page makes no interventions.",
  takes_scratch: false,
  mechanisms: null,
  settings: null,
  limits: null,
};

/**
 * @param {import("../types.d.ts").SourceInfo} info
 * @param {import("./limits.js").Limits} limits
 * @returns {Model}
 */
export const describe = (info, { tokens }) =>
  /** @type {Model} */ ({
    ...UNKNOWN,
    ...info,
    max_tokens: Math.min(info.max_tokens, tokens),
    state: "ready",
    progress: 1,
    error: null,
  });
