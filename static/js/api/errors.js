// What went wrong with a request, in words for the reader, and whether it may pass by itself.

import { PASSWORD, UNREACHABLE, unexplained } from "../words/problem.js";

/** @import { Problem } from "../wire.d.ts" */

/** Statuses of a server or a proxy that is likely to answer soon, even if it does not say when. */
const TEMPORARY = [429, 502, 504];

export class ApiError extends Error {
  /**
   * @param {string} message what happened, and what to do
   * @param {{retry?: boolean, passes?: "busy" | "unreachable" | null, after?: number | null, field?: string | null, code?: string | null, status?: number | null, limit?: number | null}} options
   *   `retry`: whether the same request may succeed later; `passes`: if the page should repeat it by itself, the reason why it
   *   failed; `after`: the server's Retry-After, in seconds; `field`: the invalid part of the request; `code`: a stable
   *   identifier of the error; `limit`: the most that would have been accepted
   */
  constructor(message, options) {
    super(message);
    this.passes = options.passes ?? null;
    this.retry = options.retry ?? this.passes !== null;
    this.after = options.after ?? null;
    this.field = options.field ?? null;
    this.code = options.code ?? null;
    this.status = options.status ?? null;
    this.limit = options.limit ?? null;
  }
}

/** There was no answer. */
export const unreachable = () => new ApiError(UNREACHABLE, { passes: "unreachable" });

/**
 * @param {number} status
 * @param {Problem | null} error null: the answer did not come from Headlight
 * @param {number | null} after
 */
export function refusal(status, error, after) {
  if (status === 401) return new ApiError(PASSWORD, { retry: false, code: error?.code, status });
  const passes = after !== null || TEMPORARY.includes(status) || (status === 503 && error === null);
  return new ApiError(error ? String(error.localized || error.message) : unexplained(status), {
    status,
    after,
    field: error?.field,
    code: error?.code,
    limit: error?.limit,
    passes: passes ? "busy" : null,
    retry: passes || status >= 500 || error === null,
  });
}
