/** A whole number as messages write it, in groups of three digits: "1,024". @param {number} n */
export const grouped = (n) => n.toLocaleString("en-US");
