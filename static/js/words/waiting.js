// How the page describes a pause and a long computation. Pure.

import { gettext } from "../language/gettext.js";

/** @param {number} ms until the next try */
export const pausedInWords = (ms) =>
  gettext("Trying again in {seconds} s.", { seconds: Math.max(1, Math.ceil(ms / 1000)) });

/**
 * @param {import("../api/api.js").Progress | null} progress null: unknown
 * @returns {{words: string, share: number | null}}
 */
export function progressInWords(progress) {
  if (progress?.state === "waiting")
    return { words: gettext("Waiting for its turn …"), share: null };
  if (!progress || progress.total <= 0) return { words: gettext("Computing …"), share: null };
  const { done, total } = progress;
  return { words: gettext("Computing: {done} of {total} …", { done, total }), share: done / total };
}
