// One link as changes of another: how a link stores side A of a comparison, and what a lesson's switch sets. Pure.

import { same } from "../store.js";

const WITHOUT = "without"; // lists the parameters that the changes take away

/**
 * The changes that make one link of another.
 * @param {string} link a query string
 * @param {string} base a query string
 */
export function changesOf(link, base) {
  const [next, before] = [new URLSearchParams(link), new URLSearchParams(base)];
  const changes = new URLSearchParams();
  for (const key of new Set(next.keys())) {
    if (same(next.getAll(key), before.getAll(key))) continue;
    for (const value of next.getAll(key)) changes.append(key, value);
  }
  const without = [...new Set(before.keys())].filter((key) => !next.has(key));
  if (without.length > 0) changes.set(WITHOUT, without.join(","));
  return changes.toString();
}

/**
 * A link with some parameters replaced, and those that `without` lists removed.
 * @param {string} link a query string
 * @param {string} changes a query string
 */
export function patched(link, changes) {
  const [query, changed] = [new URLSearchParams(link), new URLSearchParams(changes)];
  for (const key of (changed.get(WITHOUT) ?? "").split(",")) query.delete(key);
  changed.delete(WITHOUT);
  for (const key of new Set(changed.keys())) {
    query.delete(key);
    for (const value of changed.getAll(key)) query.append(key, value);
  }
  return `?${query}`;
}
