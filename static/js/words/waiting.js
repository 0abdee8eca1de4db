// How the page describes a pause and a long computation. Pure.

/** @param {number} ms until the next try */
export const pausedInWords = (ms) => `Trying again in ${Math.max(1, Math.ceil(ms / 1000))} s.`;

/**
 * @param {import("../api/api.js").Progress | null} progress null: unknown
 * @returns {{words: string, share: number | null}}
 */
export function progressInWords(progress) {
  if (progress?.state === "waiting") return { words: "Waiting for its turn …", share: null };
  if (!progress || progress.total <= 0) return { words: "Computing …", share: null };
  const { done, total } = progress;
  return { words: `Computing: ${done} of ${total} …`, share: done / total };
}
