// random.sample of Python, so that a probe in the page draws the same tokens as the server's.

/** @import { Generator } from "../tensor/random.js" */

/**
 * `n` different items in random order, as `random.Random(seed).sample(items, n)` draws them.
 * @template T
 * @param {Generator} generator seeded as Python does: `Generator.ofKey([seed])`
 * @param {readonly T[]} items
 * @param {number} n
 * @returns {T[]}
 */
export function sample(generator, items, n) {
  // Python swaps items out of a copy of a short list, and draws again what it has drawn already from a long one.
  const small = 21 + (n > 5 ? 4 ** Math.ceil(Math.log(n * 3) / Math.log(4)) : 0);
  if (items.length <= small) {
    const pool = [...items];
    return Array.from({ length: n }, (_, drawn) => {
      const place = below(generator, items.length - drawn);
      const item = pool[place];
      pool[place] = pool[items.length - drawn - 1];
      return item;
    });
  }
  const places = new Set();
  while (places.size < n) places.add(below(generator, items.length));
  return [...places].map((place) => items[place]);
}

/** A whole number from 0 to `limit` − 1. @param {Generator} generator @param {number} limit at least 1 */
function below(generator, limit) {
  const shift = Math.clz32(limit); // as many bits as `limit` has
  for (;;) {
    const number = generator.bits() >>> shift;
    if (number < limit) return number;
  }
}
