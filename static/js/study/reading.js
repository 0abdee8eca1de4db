// What a study found, as the page shows it; and the pairs that a reader writes. Pure.

/** @import { Model, StudyRow } from "../types.d.ts" */
/** @typedef {{name: string, cells: (StudyRow | null)[]}} Line */
/** @typedef {{columns: string[], lines: Line[]}} Grid */

/** What a row says: the mean, or else what the gradient promised. @param {StudyRow} row */
export const numberOf = ({ mean, estimate }) => mean ?? estimate ?? null;

/** Whether nothing can be said about the sign of a mean. @param {StudyRow} row */
export const isUnsure = ({ low, high }) => low !== null && high !== null && low <= 0 && high >= 0;

/**
 * The rows that belong to a layer as a map, layers down: heads, roles, and feed-forward networks across.
 * @param {readonly StudyRow[]} rows
 * @param {Pick<Model, "sites">} model
 * @param {{layer: (place: {kind: any, layer: number}) => string, head: (head: number) => string, mlp: string}} names
 * @returns {Grid}
 */
export function gridOf(rows, model, names) {
  /** @type {Map<string, Map<string, StudyRow>>} */
  const lines = new Map();
  /** @type {Set<string>} */
  const columns = new Set();
  const kinds = new Map((model.sites ?? []).map(({ name, kind }) => [name, kind]));
  const sorted = rows
    .filter(({ layer }) => layer !== undefined && layer !== null)
    .toSorted((one, other) => (one.layer ?? 0) - (other.layer ?? 0) || order(one) - order(other));
  for (const row of sorted) {
    const column = columnOf(row, names);
    if (column === null) continue;
    const kind = row.site ? kinds.get(row.site) : row.kind;
    const known = /** @type {const} */ (["self", "encoder", "decoder", "cross"]);
    const line = names.layer({
      kind: known.find((one) => one === kind) ?? "self",
      layer: Number(row.layer),
    });
    columns.add(column);
    lines.set(line, (lines.get(line) ?? new Map()).set(column, row));
  }
  const across = [...columns];
  return {
    columns: across,
    lines: [...lines].map(([name, found]) => ({
      name,
      cells: across.map((column) => found.get(column) ?? null),
    })),
  };
}

/** Heads in their order, feed-forward networks after them; roles as they come. @param {StudyRow} row */
const order = ({ head, role }) => (role !== undefined && role !== null ? 0 : (head ?? 1e6));

/** @param {StudyRow} row @param {{head: (head: number) => string, mlp: string}} names @returns {string | null} */
function columnOf({ kind, head, role }, names) {
  if (role !== undefined && role !== null) return role;
  if (head !== undefined && head !== null) return names.head(head);
  return kind === "mlp" ? names.mlp : null;
}

/** The rows that say most, largest first. @param {readonly StudyRow[]} rows @param {number} most */
export const largest = (rows, most) =>
  rows
    .filter((row) => numberOf(row) !== null)
    .toSorted((one, other) => Math.abs(numberOf(other) ?? 0) - Math.abs(numberOf(one) ?? 0))
    .slice(0, most);

/** The columns of rows, of which each has only what it needs. @param {readonly StudyRow[]} rows */
export const columnsOf = (rows) => [...new Set(rows.flatMap(Object.keys))];

/** The slots of templates, each once, as they come. @param {string[]} templates */
export const slotsOf = (templates) => {
  const plain = templates.map((text) => text.replaceAll("{{", "").replaceAll("}}", ""));
  return [
    ...new Set([...plain.join("\n").matchAll(/\{([A-Za-z_]\w*)\}/g)].map(([, name]) => name)),
  ];
};

/** The words of a slot, as they are typed: between commas. @param {string} text */
export const wordsOf = (text) =>
  text
    .split(/[,،、，\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** @typedef {{clean: string, corrupted: string, answer?: string, wrong?: string}} Pair */

/**
 * Pairs as a reader writes or opens them: a line each, clean | corrupted | answer | rival; or JSON lines, as `headlight.study.read_pairs` reads.
 * @param {string} text
 * @returns {{pairs: Pair[], wrong: number | null}} `wrong`: the number of the first line that is no pair
 */
export function pairsOf(text) {
  const pairs = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const pair = line.trimStart().startsWith("{") ? jsonPair(line) : linePair(line);
    if (pair === null) return { pairs, wrong: at + 1 };
    pairs.push(pair);
  }
  return { pairs, wrong: null };
}

/** @param {string} line @returns {Pair | null} */
function jsonPair(line) {
  try {
    const { clean, corrupted, answer, wrong } = JSON.parse(line);
    const rest = [answer, wrong].every((one) => one == null || typeof one === "string");
    if (typeof clean !== "string" || typeof corrupted !== "string" || !rest) return null;
    return { clean, corrupted, ...(answer ? { answer } : {}), ...(wrong ? { wrong } : {}) };
  } catch {
    return null;
  }
}

/** @param {string} line @returns {Pair | null} */
function linePair(line) {
  const [clean, corrupted, answer, wrong, ...more] = line.split("|");
  if (corrupted === undefined || more.length > 0) return null;
  if (!clean.trim() || !corrupted.trim()) return null;
  return {
    clean: clean.trim(),
    corrupted: corrupted.trim(),
    ...(answer?.trim() ? { answer: answer.trimEnd().replace(/^ (?= )/, "") } : {}),
    ...(wrong?.trim() ? { wrong: wrong.trimEnd().replace(/^ (?= )/, "") } : {}),
  };
}
