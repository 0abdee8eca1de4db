// Long work is cut into slices; between two slices the caller can stop it or report progress. The engine calls `endSlice` in
// everything that may take long: after each layer, each generated token, each pass of the mute effects. As model/slices.py.

/** @typedef {(done: number, total: number) => void} EndSlice in whole steps; (0, 0) if progress is unknown */

/** @type {EndSlice | null} */
let callback = null;

/** Mark the end of a slice of work. May throw, to stop the work. @param {number} [done] @param {number} [total] */
export function endSlice(done = 0, total = 0) {
  callback?.(done, total);
}

/**
 * Call `each` after every slice of `work`.
 * @template T
 * @param {EndSlice} each
 * @param {() => T} work
 */
export function sliced(each, work) {
  const outer = callback;
  callback = each;
  try {
    return work();
  } finally {
    callback = outer;
  }
}
