// The metrics that rank and label heads: one row each, in the order of the page. The server's rows are in model/analysis/metrics.py. Pure.

/**
 * @typedef {object} FindRow
 * @property {string} metric its name in the API; "between" is not there: the page reads it off the pattern
 * @property {string} name the text of its button
 * @property {string} brief short enough for a thumbnail
 * @property {"share" | "entropy" | "tokens" | "weight"} unit
 * @property {boolean} [telling] whether it says as much about a head as a relation between words does
 * @property {string} [was] its former name, which old links use
 * @property {string} [away] for a number of tokens: the direction
 */

export const FINDS = /** @type {const} */ ([
  { metric: "previous_token", name: "previous token", brief: "prev", unit: "share", telling: true },
  { metric: "next_token", name: "next token", brief: "next", unit: "share", telling: true },
  { metric: "same_token", name: "same token", brief: "same", unit: "share", telling: true },
  { metric: "induction", name: "induction", brief: "induc", unit: "share", telling: true },
  { metric: "first_token", name: "first token", brief: "first", unit: "share" },
  { metric: "normalised_entropy", name: "broad", brief: "broad", unit: "entropy" },
  { metric: "distance", name: "far", brief: "far", unit: "tokens", away: "away" },
  {
    metric: "mean_offset",
    name: "far back",
    brief: "back",
    unit: "tokens",
    away: "back",
    was: "mean_distance",
  },
  { metric: "special_mass", name: "special", brief: "special", unit: "share" },
  { metric: "punctuation_mass", name: "punctuation", brief: "punct", unit: "share" },
  { metric: "between", name: "from … to …", brief: "", unit: "weight" },
]);

/** @typedef {typeof FINDS[number]["metric"]} FindName */

/** The rows by metric. @type {Record<FindName, FindRow & {metric: FindName}>} */
export const BY_METRIC = /** @type {any} */ (
  Object.fromEntries(FINDS.map((row) => [row.metric, row]))
);

/** The metric that a link names, if any. @param {string | null} text @returns {FindName | null} */
export const findNamed = (text) =>
  FINDS.find((row) => row.metric === text || ("was" in row && row.was === text))?.metric ?? null;
