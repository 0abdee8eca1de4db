// The arithmetic of one cell as one line that a reader can check on paper: every number is computed from those before it as they
// are shown, with as many digits as it takes to arrive at the model's result. Pure.

import { pointed } from "../../../language/language.js";
import { decimal, minus, plainly, weight } from "../../../words/format.js";
import { explain } from "../../../words/hatch.js";
import { isSigned } from "../request.js";
import { biased, largest, scoredBy } from "../row.js";
import { isAfter } from "../steps.js";
import { LINE, NOTES } from "./words.js";

/** @import { Line, Parts } from "../row.js" */
/** @typedef {{text: string, value: number}} Shown a number as it is shown, and its value when read back */

const MIN_DECIMALS = 4;
const MAX_DECIMALS = 8; // float32 has no more
const FALLBACK_DECIMALS = 6; // if float32 rounding makes it impossible to arrive at the model's digits
const MAX_PRODUCTS = 2; // in the line itself: the largest
const [MIN_SCORE, MAX_SCORE] = [-80, 80]; // beyond these, e^s is 0 or infinite in float32

/**
 * @typedef {object} Arithmetic
 * @property {string} line
 * @property {{channel: number, q: Shown, k: Shown, product: Shown}[]} products for every channel
 * @property {Shown} sum of the products
 * @property {{place: number | null, score: Shown, exp: Shown}[]} terms e^s for every cell of the softmax; place null: the sink
 * @property {Shown | null} total of the terms; null if the cell is blocked
 * @property {string} note how the softmax was computed
 */

/**
 * @param {Parts} parts
 * @param {number} key
 * @returns {Arithmetic}
 */
export function arithmetic(parts, key) {
  const line = parts.lines[key];
  for (let decimals = MIN_DECIMALS; decimals <= MAX_DECIMALS; decimals += 1) {
    const { result, agrees } = attempt(parts, line, decimals);
    if (agrees) return result;
  }
  const { result } = attempt(parts, line, FALLBACK_DECIMALS);
  const own = NOTES.model(decimal(line.score), weight(line.weight));
  return { ...result, note: [own, result.note].filter(Boolean).join(" ") };
}

/** @param {Parts} parts @param {Line} line @param {number} decimals */
function attempt({ q, site, row }, line, decimals) {
  const products = Array.from(q, (number, channel) => {
    const [a, b] = [fixed(number, decimals + 2), fixed(line.k[channel], decimals + 2)];
    return { channel, q: a, k: b, product: fixed(a.value * b.value, decimals + 2) };
  });
  const sum = fixed(total(products.map(({ product }) => product)), decimals);
  const scale = plainly(site.scale);
  const isLinear = site.kernel === "linear";
  const cap = site.soft_cap;
  const scaled = scoredBy({ ...site, scale: Number(site.scale.toPrecision(9)) }, sum.value);
  const bias = line.bias === 0 ? { text: "0", value: 0 } : fixed(line.bias, decimals);
  const capped = cap === null ? scaled : Number(cap.toPrecision(9)) * Math.tanh(scaled / cap);
  const score = fixed(biased(site, capped, bias.value), decimals);
  const inner = isLinear ? LINE.logarithm(sum.text) : `${sum.text} × ${scale}`;
  const scaling = cap === null ? inner : `${plainly(cap)} · tanh(${inner} / ${plainly(cap)})`;
  const text = LINE.score({
    products: largestProducts(products),
    n: products.length,
    sum: sum.text,
    scored: LINE[isSigned(site) ? "faded" : "biased"](scaling, bracketed(bias)),
    score: score.text,
  });
  const agrees =
    same(sum.value, line.dot) && same(score.value, line.score) && same(scaled, line.scaled);
  const after = isAfter(site);
  if ((line.bits && !after) || !line.against) {
    const last = line.bits ? LINE.blocked(text, explain(line.bits)) : LINE.unshared(text);
    return { result: { line: last, products, sum, terms: [], total: null, note: "" }, agrees };
  }
  const soft = softmax(line, site.softmax_over === "key" ? line.key : row, score, decimals);
  const shared = LINE.softmax(text, soft.text);
  const masked = line.bits
    ? LINE.blockedAfter(shared, explain(line.bits))
    : LINE.allowedAfter(shared);
  return {
    result: { line: after ? masked : shared, products, sum, ...soft.result },
    agrees: agrees && weight(soft.share) === weight(line.share),
  };
}

/** @param {Line} line @param {number} own the place of the cell in the sum @param {Shown} score @param {number} decimals */
function softmax({ against }, own, score, decimals) {
  if (!against) throw new Error("A blocked cell has no softmax.");
  const most = largest(against);
  const plain = most >= MIN_SCORE && most <= MAX_SCORE;
  const shift = plain ? { text: "0", value: 0 } : fixed(most, decimals);
  const scores = against.scores.map((value, at) => ({ place: at, value }));
  const logits = [
    ...scores.map(({ place, value }) => ({ place: against.places[place], value })),
    ...(against.sink === null ? [] : [{ place: null, value: against.sink }]),
  ];
  /** @param {Shown} shown */
  const exp = ({ value }) => significant(Math.exp(value - shift.value), decimals + 2);
  const terms = logits.map(({ place, value }) => {
    const shown = place === own ? score : fixed(value, decimals);
    return { place, score: shown, exp: exp(shown) };
  });
  const sum = significant(total(terms.map((term) => term.exp)), decimals + 2);
  const numerator = exp(score);
  const share = numerator.value / sum.value;
  const by = shift.value < 0 ? `+ ${shift.text.slice(1)}` : `− ${shift.text}`;
  const form = plain ? `e^${bracketed(score)} / Σ e^s` : `e^(${score.text} ${by}) / Σ e^(s ${by})`;
  const count = NOTES.terms(terms.length, against.sink !== null);
  const notes = plain ? [count, NOTES.subtracted] : [NOTES.shifted(shift.text), count];
  return {
    text: `${form} = ${numerator.text} / ${sum.text} = ${decimal(share)}`,
    share,
    result: { terms, total: sum, note: notes.join(" ") },
  };
}

/** The largest products, in the order of the channels. @param {Arithmetic["products"]} products */
function largestProducts(products) {
  const ranked = [...products].sort(
    (a, b) => Math.abs(b.product.value) - Math.abs(a.product.value),
  );
  const shown = ranked.slice(0, MAX_PRODUCTS).sort((a, b) => a.channel - b.channel);
  const terms = shown.map(({ q, k }) => `${bracketed(q)}·${bracketed(k)}`);
  return (products.length > shown.length ? [...terms, "…"] : terms).join(" + ");
}

/** A number after an operator: a negative one has brackets. @param {Shown} shown */
const bracketed = ({ text, value }) => (value < 0 ? `(${text})` : text);

/** @param {Shown[]} numbers */
const total = (numbers) => numbers.reduce((sum, { value }) => sum + value, 0);

/** Whether two numbers look the same in the table. @param {number} a @param {number} b */
const same = (a, b) => weight(a) === weight(b);

/** @param {number} value @param {number} decimals @returns {Shown} */
function fixed(value, decimals) {
  const text = value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1"); // no −0
  return { text: pointed(minus(text)), value: Number(text) };
}

/** @param {number} value @param {number} digits @returns {Shown} */
function significant(value, digits) {
  if (value === 0) return { text: "0", value: 0 };
  const power = Math.floor(Math.log10(value));
  const far = power < -digits || power > 2 * digits;
  const text = far
    ? value.toExponential(digits - 1).replace("e+", "e")
    : value.toFixed(Math.max(0, digits - 1 - power));
  return { text: pointed(minus(text)), value: Number(text) };
}
