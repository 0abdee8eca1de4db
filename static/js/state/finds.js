// What heads are found by: a row for each metric. Pure.

/** @typedef {import("../types.d.ts").Find} Find */

/** What heads are found by, in the order of the page. `brief` fits a thumbnail. */
export const FINDS = /** @type {const} */ ([
  { metric: "previous_token", name: "previous token", brief: "prev" },
  { metric: "same_token", name: "same token", brief: "same" },
  { metric: "induction", name: "induction", brief: "induc" },
  { metric: "first_token", name: "first token", brief: "first" },
  { metric: "normalised_entropy", name: "broad", brief: "broad" },
  { metric: "mean_distance", name: "far", brief: "far" },
  { metric: "special_mass", name: "special", brief: "special" },
  { metric: "punctuation_mass", name: "punctuation", brief: "punct" },
  { metric: "between", name: "from … to …", brief: "" },
]);

/** What a link may name. @type {readonly Find[]} */
export const METRICS = FINDS.map(({ metric }) => metric);
