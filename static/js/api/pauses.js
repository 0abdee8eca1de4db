// How long to wait before asking again: exponential backoff with jitter.

const FIRST_S = 0.5;
export const LONGEST_S = 30;

/**
 * Seconds to wait after `tries` failures in a row.
 * @param {number} tries at least 1
 * @param {number | null} after what the server asked for (Retry-After)
 * @param {() => number} [random] from 0 to 1
 */
export function pauseAfter(tries, after, random = Math.random) {
  const grown = Math.min(LONGEST_S, FIRST_S * 2 ** (tries - 1));
  return Math.max(after ?? 0, grown * (0.5 + 0.5 * random())); // so that readers who were refused at the same time do not all come back at once
}

/** @param {number} seconds */
export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
