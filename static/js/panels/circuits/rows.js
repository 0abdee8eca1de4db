// The lists of the panel as rows with bars, and the sentences above them. Pure.

import { sentences } from "../../language/gettext.js";
import { label, shorten } from "../../words/format.js";
import * as words from "./words.js";

/** @import { Circuits, OVPair, QKPair, VocabularyToken as Token } from "../../types.d.ts" */
/** @typedef {"qk" | "ov" | "as_query" | "as_key" | "raises" | "lowers"} ListName */
/** @typedef {{one: string, other: string, to: Token, value: number, share: number}} Row `to`: the token that the row leads to; `share`: of the largest in its list */
/** @typedef {{name: ListName, title: string, rows: Row[]}} List */

/** @param {Token} token */
export const nameOf = (token) => shorten(label(token), 16);

/** The two tokens of a pair. @param {QKPair | OVPair} pair @returns {[Token, Token]} */
export const tokensOf = (pair) =>
  "query" in pair ? [pair.query, pair.key] : [pair.source, pair.output];

/**
 * @param {ListName} name
 * @param {string} title
 * @param {(QKPair | OVPair)[]} pairs
 * @param {(pair: [Token, Token]) => Token} to
 * @returns {List}
 */
function listOf(name, title, pairs, to) {
  const largest = Math.max(1e-9, ...pairs.map(({ value }) => Math.abs(value)));
  const rows = pairs.map((pair) => {
    const tokens = tokensOf(pair);
    const [one, other] = tokens.map(nameOf);
    return { one, other, to: to(tokens), value: pair.value, share: Math.abs(pair.value) / largest };
  });
  return { name, title, rows };
}

/** The strongest pairs of the whole vocabulary. @param {Circuits} found @returns {List[]} */
export function pairLists({ qk, ov }) {
  const lists = [
    listOf("qk", words.LISTS.qk, qk, ([query]) => query),
    listOf("ov", words.LISTS.ov, ov, ([source]) => source),
  ];
  return lists.filter(({ rows }) => rows.length > 0);
}

/** What goes with the chosen token. @param {Circuits} found @returns {List[]} */
export function partnerLists({ partners }) {
  if (!partners) return [];
  const { token, as_query, as_key, raises, lowers } = partners;
  const name = nameOf(token);
  const lists = [
    listOf("as_query", words.LISTS.as_query(name), as_query, ([, key]) => key),
    listOf("as_key", words.LISTS.as_key(name), as_key, ([query]) => query),
    listOf("raises", words.LISTS.raises(name), raises, ([, output]) => output),
    listOf("lowers", words.LISTS.lowers(name), lowers, ([, output]) => output),
  ];
  return lists.filter(({ rows }) => rows.length > 0);
}

/** What is said of the chosen token. @param {Circuits} found */
export function partnersInWords({ partners }) {
  if (!partners) return "";
  const { as_query, raises } = partners;
  const token = nameOf(partners.token);
  const own = raises.findIndex(({ output }) => output.id === partners.token.id);
  const said = [
    as_query[0] ? words.looksFor({ token, key: nameOf(as_query[0].key) }) : "",
    raises[0] ? raisedInWords(token, raises[0], own) : "",
  ];
  return sentences(said);
}

/** @param {string} token @param {OVPair} first what it raises most @param {number} own where it is itself among them; -1: nowhere */
function raisedInWords(token, first, own) {
  if (own === 0) return words.raisesItself(token);
  const output = nameOf(first.output);
  return own > 0
    ? words.raisesBoth({ token, output, place: own + 1 })
    : words.raisesOther({ token, output });
}

const COPIES = 0.5; // of a copying score, from which on we say so

/** Whether the head copies. @param {Circuits} found */
export function copyingInWords({ copying, copied, no_outputs }) {
  if (copying === null || copied === null) return words.noOutputs(no_outputs ?? "");
  const numbers = { score: copying, share: copied };
  if (copying >= COPIES) return words.copies(numbers);
  return copying <= -COPIES ? words.suppresses(numbers) : words.neither(numbers);
}
