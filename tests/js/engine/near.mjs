// Compares what the engine finds with what Python found: numbers within 2e-5, everything else exactly.

import assert from "node:assert/strict";

const LARGEST = 2e-5;

/**
 * @param {any} found a tensor may stand for nested lists
 * @param {any} expected
 * @param {string} [where]
 */
export function isNear(found, expected, where = "it") {
  if (typeof expected === "number" && typeof found === "number") {
    const apart = Math.abs(found - expected);
    assert.ok(apart <= LARGEST, `${where}: expected ${expected}, found ${found}`);
  } else if (Array.isArray(expected)) {
    const list = Array.isArray(found) ? found : nested(found);
    assert.equal(list.length, expected.length, `${where}: its length`);
    expected.forEach((each, index) => {
      isNear(list[index], each, `${where}[${index}]`);
    });
  } else if (expected && typeof expected === "object") {
    assert.deepEqual(Object.keys(found), Object.keys(expected), `${where}: its fields`);
    for (const name of Object.keys(expected))
      isNear(found[name], expected[name], `${where}.${name}`);
  } else {
    assert.equal(found, expected, where);
  }
}

/** The nested lists of a tensor. @param {{shape: number[], data: ArrayLike<number>}} tensor @returns {any[]} */
export function nested({ shape: [n, ...rest], data }) {
  const size = rest.reduce((all, axis) => all * axis, 1);
  return Array.from({ length: n }, (_, at) => {
    const part = Array.prototype.slice.call(data, at * size, (at + 1) * size);
    return rest.length ? nested({ shape: rest, data: part }) : part[0];
  });
}

/** The scores of a head as data/analyses.json has them: values, or the first words of the reason, and counts. @param {any} head */
export function scored({ scores }) {
  const all = Object.values(scores);
  const values = all.map(({ value, reason }) => value ?? reason.split(" ").slice(0, 3).join(" "));
  return [values, all.map(({ over }) => over)];
}
