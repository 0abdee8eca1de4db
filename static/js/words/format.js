// How tokens and numbers are written for readers.

import { graphemes } from "../engine/subwords/unicode.js";
import { gettext } from "../language/gettext.js";
import {
  fixed,
  grouped,
  isolated,
  LANGUAGE,
  LESS,
  MINUS,
  PLUS,
  percentage,
  pointed,
} from "../language/language.js";

export { grouped, isolated };

/** @import { Token } from "../types.d.ts" */

/** Control characters, spaces other than the usual one, and other marks that would draw nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

export const LINE_BREAK = "↵";
/** What stands for those that everybody types. @type {Record<string, string>} */
const SIGNS = { "\n": LINE_BREAK, "\t": "⇥" };

const MAX_SPACES = 4; // each as a sign of its own

/** Joiners within a visible character, such as a family of emoji, or between letters of one word, as in Persian and Hindi. */
const JOINERS = /[\u200c\u200d]/u;
const JOINED = /^[\p{L}\p{M}\p{S}]$/u;

/** The same, in quotation marks. @param {string} text */
export const quote = (text) => gettext("“{text}”", { text: isolated(text) });

/**
 * The label of a token on a chip or an axis, without surrounding spaces. Line breaks are ↵, tabs ⇥, and spaces alone ␣; a token
 * that only completes a character of several bytes is ⋯.
 * @param {Pick<Token, "text">} token
 */
export function label({ text }) {
  if (text === "") return "⋯";
  let [start, end] = [0, text.length];
  while (text[start] === " ") start += 1;
  while (end > start && text[end - 1] === " ") end -= 1;
  if (start === end) return end > MAX_SPACES ? `␣×${end}` : "␣".repeat(end);
  const shown = text.slice(start, end);
  return shown.replace(INVISIBLE, (mark, at) => {
    if (JOINERS.test(mark) && joins(shown, at)) return mark;
    return SIGNS[mark] ?? `U+${mark.codePointAt(0)?.toString(16).padStart(4, "0")}`;
  });
}

/** Whether what is at this place stands between two visible characters. @param {string} text @param {number} at */
function joins(text, at) {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x20);
  return JOINED.test(before) && JOINED.test(after);
}

/** A sentence, or a name, that begins with a capital. @param {string} text */
export const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** At most so many characters, as readers see them. @param {string} text @param {number} most */
export function shorten(text, most) {
  if (text.length <= most) return text;
  const characters = [];
  for (const character of graphemes(text)) {
    if (characters.push(character) > most) return `${characters.slice(0, most - 1).join("")}…`;
  }
  return text;
}

/** Whether other tokens have the same label. @param {string[]} labels @param {number} place */
export const isRepeated = (labels, place) =>
  labels.indexOf(labels[place]) !== labels.lastIndexOf(labels[place]);

/**
 * A token in a sentence; where others have the same label, with its position: “the” (token 3).
 * @param {string[]} labels
 * @param {number} place
 * @param {number} [most] characters
 */
export function quoteAt(labels, place, most = 16) {
  const name = quote(shorten(labels[place], most));
  return isRepeated(labels, place) ? gettext("{name} (token {place})", { name, place }) : name;
}

/** A weight with four decimals; a tiny weight never reads as 0. @param {number} value */
export function weight(value) {
  return value !== 0 && Math.abs(value) < 0.00005
    ? pointed(value.toExponential(1))
    : fixed(value, 4);
}

/** A number in text that JavaScript wrote, with a real minus sign. @param {string} text */
export const minus = (text) => text.replace(/-/g, MINUS);

/** A number with four decimals and a real minus sign. @param {number} value */
export const decimal = (value) => minus(weight(value));

/** A difference with its sign. @param {number} value */
export const signed = (value) =>
  `${value < 0 ? MINUS : value > 0 ? PLUS : ""}${weight(Math.abs(value))}`;

/** With a sign (a real minus) and two decimals; a tiny value never reads as 0. @param {number} value */
export function signedBriefly(value) {
  const size = Math.abs(value);
  const digits = size >= 0.00995 ? fixed(size, 2) : pointed(String(Number(size.toPrecision(1))));
  return (value < 0 ? MINUS : value > 0 ? PLUS : "") + digits;
}

/** Two decimals with a real minus sign; what would read as 0.00 or −0.00 is "0" or "≈0". @param {number} value */
export function nearly(value) {
  if (Math.abs(value) < 0.005) return value === 0 ? "0" : "≈0";
  return minus(fixed(value, 2));
}

/** As `signedBriefly`, in little room: "≈0" for what rounds to 0.000, such as a remainder of rounding alone. @param {number} value */
export const signedOrNear = (value) =>
  value !== 0 && Math.abs(value) < 0.0005 ? "≈0" : signedBriefly(value);

/** A number as short as float32 allows, for formulas: a factor such as 0.125. @param {number} value */
export const plainly = (value) => pointed(String(Number(value.toPrecision(9))));

/** All digits that float32 holds. @param {number} value */
export const exactly = (value) => minus(plainly(value));

const LIST = new Intl.ListFormat(LANGUAGE);

/** "a, b and c". @param {string[]} items */
export const enumerated = (items) => LIST.format(items);

/** Three significant digits; a tiny number never reads as 0. @param {number} value */
export function threeDigits(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return minus(
    size < 0.0005 ? value.toExponential(0) : pointed(String(Number(value.toPrecision(3)))),
  );
}

/** The range of some numbers: "least to most", or one number if they are equal. @param {number[]} numbers */
export function spread(numbers) {
  if (numbers.length === 0) return gettext("none");
  const least = threeDigits(numbers.reduce((a, b) => Math.min(a, b)));
  const most = threeDigits(numbers.reduce((a, b) => Math.max(a, b)));
  return least === most ? least : gettext("{least} to {most}", { least, most });
}

/** "before → now", or just "now" if nothing changed. @param {string | null | undefined} before @param {string} now */
export const changeInWords = (before, now) =>
  before && before !== now ? `${before} → ${now}` : now;

/** @param {number} value 0 to 1 */
export const percent = (value) =>
  value < 0.0005 ? `${LESS} ${percentage(fixed(0.1, 1))}` : percentage(fixed(100 * value, 1));

/** A description of a token, for its tooltip. @param {Token} token @param {number} place */
export function describe(token, place) {
  const text = isolated(JSON.stringify(token.text));
  const [id, origin] = [String(token.id), originOf(token)];
  if (!token.piece)
    return gettext("token {place}: {text}, id {id}, {origin}", { place, text, id, origin });
  return gettext("token {place}: {text}, {piece} in the vocabulary, id {id}, {origin}", {
    place,
    text,
    piece: quote(token.piece),
    id,
    origin,
  });
}

/** Where a token comes from. @param {Token} token */
function originOf({ padding, special, segment, start, end }) {
  if (padding) return gettext("padding");
  if (special) return gettext("special token");
  return segment
    ? gettext("characters {start} to {end} of the second segment", { start, end })
    : gettext("characters {start} to {end}", { start, end });
}

/** Escape text for plotly, which reads tick labels as markup. @param {string} text */
export const plain = (text) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/**
 * A table as CSV. Numbers keep all their digits; null is an empty field.
 * @param {string[]} head
 * @param {(string | number | null)[][]} rows
 */
export function csvTable(head, rows) {
  // a spreadsheet would read a field that begins with = + - @ as a formula
  const field = (/** @type {string | number | null} */ value) =>
    typeof value === "string"
      ? `"${value.replace(/^(?=[=+\-@\t\r])/, "'").replace(/"/g, '""')}"`
      : (value ?? "");
  return [head, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

/** A token in a table: its position, its id, its label, and how the vocabulary writes it. @typedef {[number, number, string, string]} Tabled */

/** The columns of a token. @param {string} name what it is: "query" */
export const tokenColumns = (name) => [name, `${name} id`, `${name} token`, `${name} piece`];

/** What stands in them. @param {number} place @param {Pick<Token, "id" | "text" | "piece">} token @param {string} [label] @returns {Tabled} */
export function tokenFields(place, { id, text, piece }, label = text) {
  return [place, id, label, piece ?? text];
}

/** @param {Token[]} tokens @param {string[]} labels */
export const tabled = (tokens, labels) =>
  labels.map((label, index) => tokenFields(index, tokens[index], label));

/**
 * A matrix as CSV, with queries down and keys along the top. A blocked cell is an empty field, so that it does not look like a
 * weight of 0.
 * @param {Tabled[]} queries
 * @param {Tabled[]} keys
 * @param {{cols: number, data: ArrayLike<number>}} matrix
 * @param {{data: ArrayLike<number>} | null} [blocked]
 */
export function csv(queries, keys, { cols, data }, blocked = null) {
  const rows = queries.map((query, row) => [
    ...query,
    ...Array.from({ length: cols }, (_, col) =>
      blocked?.data[row * cols + col] ? null : data[row * cols + col],
    ),
  ]);
  const columns = keys.map(([place, id, label]) => `${place} ${label} #${id}`);
  return csvTable([...tokenColumns("query"), ...columns], rows);
}
