// The reader's language, which the server has chosen: that of the page. Where there is no page, English.

const root = globalThis.document?.documentElement;

/** As BCP 47 has it. English numbers and lists are written as in Britain. */
export const LANGUAGE = root?.lang && root.lang !== "en" ? root.lang : "en-GB";

const IS_RIGHT_TO_LEFT = root?.dir === "rtl";

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Marks that change the direction of what follows them. */
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A token, a word or a sentence as a part of another sentence. One that is written from right to left, and each on a page that is, is
 * isolated (FSI and PDI, UAX #9), so that it does not move the signs and numbers around it.
 * @param {string} text
 */
export const isolated = (text) =>
  IS_RIGHT_TO_LEFT || RIGHT_TO_LEFT.test(text)
    ? `\u2068${text.replace(DIRECTIONS, "")}\u2069`
    : text;

const NUMBER = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 20 });

/** "1,024". @param {number} n */
export const grouped = (n) => NUMBER.format(n);

const POINT = NUMBER.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";

/** A number that JavaScript wrote, with the language's decimal point: "0,5". @param {string} text */
export const pointed = (text) => (POINT === "." ? text : text.replace(".", POINT));

/** With so many decimals. @param {number} value @param {number} digits */
export const fixed = (value, digits) => pointed(value.toFixed(digits));

const HALF = new Intl.NumberFormat(LANGUAGE, { style: "percent" }).format(0.5);

/** "97%", as the language writes it. @param {string} number a hundred times the share */
export const percentage = (number) => HALF.replace("50", number);

/** Before a number that begins with a sign: it stays there among words that run from right to left. */
export const LTR = IS_RIGHT_TO_LEFT ? "\u200e" : "";
export const MINUS = `${LTR}−`;
export const PLUS = `${LTR}+`;
export const LESS = `${LTR}<`;
