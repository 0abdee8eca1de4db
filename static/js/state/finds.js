// What ranks and labels the heads: the metrics, one row each, in the order of the page, and the relations between words that a model's
// heads draw, which come with the model's examples. The server's rows are in model/analysis/metrics.py. Pure.

/**
 * @typedef {object} FindRow
 * @property {string} metric its name in the API; "between" is not there: the page reads it off the pattern; "picture" is an analysis of its own
 * @property {string} name the text of its button
 * @property {string} brief short enough for a small thumbnail
 * @property {string} does a few words that complete "this head …"
 * @property {"share" | "entropy" | "part" | "tokens" | "weight"} unit
 * @property {boolean} [telling] whether it says as much about a head as a relation between words does
 * @property {string} [was] its former name, which old links use
 * @property {string} [away] for a number of tokens: the direction
 * @property {(at: At) => boolean} [cells] which cells it sums; only if it labels heads. As on the server, so that the page can
 *   tell whether a head does here what it does by habit
 * @property {boolean} [oneText] whether it compares tokens of one text
 * @property {{metric: "copying", least: number}} [also] what a head must do as well, to be named after it, where that is known of it:
 *   as on the server
 * @property {{fails: string, unknown: string}} [asked] where another metric asks for it: words for a head that does not, after "but",
 *   and for one of which it is not known
 */

/** @typedef {import("../types.d.ts").Token} Token */
/** @typedef {{i: number, j: number, queries: Token[], keys: Token[], first: number, oneText: boolean}} At a cell; `first`: the first real key */

/** Whether a token counts as a query, and as a key that is chosen by its place. @param {Token} token */
export const counts = ({ padding, special }) => !padding && !special;
/** @param {Token} token */
const isPunctuation = ({ padding, special, text }) =>
  !padding &&
  !special &&
  /[\p{P}\p{S}]/u.test(text.replaceAll("␣", "")) &&
  !/[\p{L}\p{N}]/u.test(text);

export const FINDS = /** @type {const} */ ([
  {
    ...{ metric: "previous_token", name: "previous token", brief: "prev", unit: "share" },
    ...{ does: "looks at the token before", telling: true, oneText: true },
    cells: (/** @type {At} */ { i, j, keys }) => j === i - 1 && counts(keys[j]),
  },
  {
    ...{ metric: "next_token", name: "next token", brief: "next", unit: "share" },
    ...{ does: "looks at the token after", telling: true, oneText: true },
    cells: (/** @type {At} */ { i, j, keys }) => j === i + 1 && counts(keys[j]),
  },
  {
    ...{ metric: "same_token", name: "same token", brief: "same", unit: "share" },
    ...{ does: "looks at earlier copies of the token", telling: true, oneText: true },
    cells: (/** @type {At} */ { i, j, queries, keys }) =>
      j < i && keys[j].id === queries[i].id && counts(keys[j]),
  },
  {
    ...{ metric: "induction", name: "induction", brief: "induc", unit: "share" },
    ...{
      does: "looks at what followed an earlier copy of the token",
      telling: true,
      oneText: true,
      also: { metric: "copying", least: 0.75 },
    },
    cells: (/** @type {At} */ { i, j, queries, keys }) =>
      j > 0 && j < i && keys[j - 1].id === queries[i].id && counts(keys[j]),
  },
  {
    ...{ metric: "copying", name: "copying", brief: "copies", unit: "part" },
    does: "raises the logit of the tokens that it looks at",
    asked: { fails: "does not copy", unknown: "whether it copies is not known" },
  },
  {
    ...{ metric: "first_token", name: "first token", brief: "first", unit: "share" },
    does: "rests on the first token",
    cells: (/** @type {At} */ { i, j, first, oneText }) => j === first && !(oneText && i === j),
  },
  {
    ...{ metric: "normalised_entropy", name: "broad", brief: "broad", unit: "entropy" },
    does: "spreads its attention almost evenly",
  },
  {
    ...{ metric: "distance", name: "far", brief: "far", unit: "tokens", away: "away" },
    does: "looks at tokens far away",
  },
  {
    ...{ metric: "mean_offset", name: "far back", brief: "back", unit: "tokens", away: "back" },
    ...{ does: "looks far back", was: "mean_distance" },
  },
  {
    ...{ metric: "special_mass", name: "special", brief: "special", unit: "share" },
    does: "looks at special tokens",
    cells: (/** @type {At} */ { j, keys }) => !keys[j].padding && keys[j].special,
  },
  {
    ...{ metric: "punctuation_mass", name: "punctuation", brief: "punct", unit: "share" },
    does: "looks at punctuation",
    cells: (/** @type {At} */ { j, keys }) => isPunctuation(keys[j]),
  },
  { metric: "between", name: "from … to …", brief: "", unit: "weight", does: "" },
  {
    ...{ metric: "picture", name: "like my picture", brief: "", unit: "weight" },
    does: "looks where you have painted",
  },
]);

/** @typedef {typeof FINDS[number]["metric"]} MetricFind */
/** @typedef {`relation.${string}`} RelationFind by the relation's label */
/** @typedef {MetricFind | RelationFind} FindName */

/** The rows by metric. @type {Record<MetricFind, FindRow & {metric: MetricFind}>} */
export const BY_METRIC = /** @type {any} */ (
  Object.fromEntries(FINDS.map((row) => [row.metric, row]))
);

/** The smallest share of attention that gives a head a label. */
export const STRONG = 0.3;

/** @param {string} label @returns {RelationFind} */
export const byRelation = (label) => `relation.${label}`;

/** The relation that ranks the heads; null if a metric does. @param {FindName | null} find */
export const relationOf = (find) => find?.match(/^relation\.(.*)$/)?.[1] ?? null;

/** The row of the metric that ranks the heads; null if a relation does, or nothing. @param {FindName | null} find */
export const rowOf = (find) => FINDS.find(({ metric }) => metric === find) ?? null;

/**
 * What a link names, if it names a metric or a relation. Only a model's examples know which relations there are.
 * @param {string | null} text
 * @returns {FindName | null}
 */
export function findNamed(text) {
  if (text && /^relation\.[\p{L}\p{N} _-]{1,40}$/u.test(text))
    return /** @type {RelationFind} */ (text);
  const row = FINDS.find((row) => row.metric === text || ("was" in row && row.was === text));
  return row?.metric ?? null;
}
