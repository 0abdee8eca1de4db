// Whether two plain values, such as parts of the state, are equal. Pure.

/** @param {unknown} a @param {unknown} b */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
