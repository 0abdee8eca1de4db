// What heads are found by: a row for each metric, in the order of the page. The server's rows are in model/analysis/metrics.py. Pure.

/**
 * @typedef {object} FindRow
 * @property {string} metric as the API has it; "between" is read off the pattern
 * @property {string} name of its button
 * @property {string} brief fits a thumbnail
 * @property {"share" | "entropy" | "tokens" | "weight"} unit
 * @property {boolean} [telling] whether, as a label, it says as much as a relation in sentences does
 * @property {string} [was] its earlier name, in links
 * @property {string} [away] where it counts tokens: in which direction
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

/** What a link names; null: no metric. @param {string | null} text @returns {FindName | null} */
export const findNamed = (text) =>
  FINDS.find((row) => row.metric === text || ("was" in row && row.was === text))?.metric ?? null;
