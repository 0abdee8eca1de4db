// What the view draws, read from the state. Pure.

import { detailOf } from "../../numbers/detail.js";
import { sameTokens } from "../../numbers/heads.js";
import { modelIn, traceIn } from "../../state/choice.js";
import { quoteAt, tabled } from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { lacks } from "./request.js";
import { meeting } from "./sentences.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/**
 * @typedef {object} Breakdown
 * @property {import("../../types.d.ts").CellTable} table
 * @property {{query: string, key: string}} tokens
 * @property {string[]} queries the labels of all queries
 * @property {string[]} keys
 * @property {import("../../words/format.js").Tabled[]} row the keys, for a table
 * @property {Uint8Array} blocked the bits of the row
 * @property {string} mask what blocks the cell; "": nothing
 */

/** Why there is nothing to see; "" if there is something. @param {Readonly<State>} state */
export const refusal = (state) => lacks(modelIn(state)) || (state.why?.problem?.message ?? "");

/** @param {Readonly<State>} state @returns {Breakdown | null} null until the answer is there and belongs to the page */
export function seenIn(state) {
  const answer = state.why?.answer;
  const detail = detailOf(state);
  const table = traceIn(state.why, state)?.cell?.[0];
  if (!table || !detail || !sameTokens(answer, state.detail)) return null;
  const { queryLabels: queries, keyLabels: keys, blocked, blockedWhole } = detail;
  const bits = blockedWhole ?? blocked;
  const isWhole = bits.cols === keys.length && bits.rows === queries.length;
  const row = isWhole
    ? bits.data.subarray(table.query * bits.cols, (table.query + 1) * bits.cols)
    : new Uint8Array(keys.length);
  return {
    table,
    queries,
    keys,
    blocked: row,
    row: tabled(detail.keys, keys),
    tokens: {
      query: quoteAt(queries, table.query, words.MAX),
      key: quoteAt(keys, table.key, words.MAX),
    },
    mask: explain(row[table.key]),
  };
}

/**
 * One number of the grid in words: −1 is a head, and the sums stand at the end.
 * @param {Breakdown} seen
 * @param {import("./fold.js").Folded} shown
 * @param {import("../../dom/grid.js").At} at
 */
export function entryInWords({ table, tokens }, { rows, columns, values }, [row, column]) {
  const { ENTRY } = words;
  const [down, along] = [rows[row], columns[column]];
  if (down && along) {
    const value = values[row][column];
    if (down.folded || along.folded) {
      return ENTRY.folded({ value, query: down.places.length, key: along.places.length });
    }
    const named = meeting(table, tokens, { row: down.places[0], column: along.places[0] });
    return ENTRY.pair({ value, ...named, share: value / table.score });
  }
  const group = down ?? along;
  if (!group) return ENTRY.all(rows.reduce((sum, one) => sum + one.sum, 0));
  const side = down ? "query" : "key";
  if (group.folded) return ENTRY.sumOfFolded({ value: group.sum, n: group.places.length, side });
  const part = table[down ? "query_parts" : "key_parts"][group.places[0]];
  const name = words.partInText(part, table.site, side, tokens[side]);
  return ENTRY.sum({ value: group.sum, part: name, side });
}
