// What went wrong with a request, in words for the reader, and whether it may pass by itself.

import { gettext, ngettext } from "../language/gettext.js";
import { PASSWORD, UNREACHABLE, unexplained } from "../words/problem.js";

/** @import { Problem } from "../wire.d.ts" */
/** @typedef {{template: string, many: string | null, values: Record<string, any>}} Said a sentence of the page's engine */

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
 * @param {Problem & {said?: Said | null} | null} error null: the answer did not come from Headlight
 * @param {number | null} after
 */
export function refusal(status, error, after) {
  if (status === 401) return new ApiError(PASSWORD, { retry: false, code: error?.code, status });
  const passes = after !== null || TEMPORARY.includes(status) || (status === 503 && error === null);
  return new ApiError(error ? inWords(error) : unexplained(status), {
    status,
    after,
    field: error?.field,
    code: error?.code,
    limit: error?.limit,
    passes: passes ? "busy" : null,
    retry: passes || status >= 500 || error === null,
  });
}

/** In the reader's language, if it is there. @param {Problem & {said?: Said | null}} error */
const inWords = ({ localized, said, message }) => localized || (said ? spoken(said) : message);

/** @param {Said} said @returns {string} */
function spoken({ template, many, values }) {
  const written = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value?.template ? spoken(value) : value]),
  );
  return many === null ? gettext(template, written) : ngettext(template, many, values.n, written);
}
