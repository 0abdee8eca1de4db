// The arithmetic of one cell as one line that a person can check on paper: every number is computed from the numbers that
// stand before it, as they are shown, and has as many digits as it takes for the result to be the model's.

import { weight } from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { isAfter, largest, plainly } from "./row.js";

/** @typedef {import("./row.js").Parts} Parts */
/** @typedef {import("./row.js").Line} Line */
/** @typedef {{text: string, value: number}} Shown a number as it is shown, and what that is worth */

const FEWEST = 4; // decimals
const MAX_DIGITS = 8; // float32 has no more
const USUAL = 6; // where float32 rounded to another digit, and no number of decimals gives the model's own
const PRODUCTS = 2; // in the line itself, the largest
const [SMALLEST, LARGEST] = [-80, 80]; // beyond these e^s is 0 or too large in float32

/**
 * @typedef {object} Arithmetic
 * @property {string} line
 * @property {{channel: number, q: Shown, k: Shown, product: Shown}[]} products all of them
 * @property {Shown} sum of the products
 * @property {{place: number | null, score: Shown, mass: Shown}[]} masses e^s of all that share; place null is the sink
 * @property {Shown | null} total of the masses; null where the cell is blocked
 * @property {string} note how the softmax was computed
 */

/**
 * @param {Parts} parts
 * @param {number} key
 * @returns {Arithmetic}
 */
export function arithmetic(parts, key) {
  const line = parts.lines[key];
  for (let decimals = FEWEST; decimals <= MAX_DIGITS; decimals += 1) {
    const { found, right } = attempt(parts, line, decimals);
    if (right) return found;
  }
  const { found } = attempt(parts, line, USUAL);
  const own = `The model’s own float32 has the score ${minus(weight(line.score))} and the weight ${weight(line.weight)}.`;
  return { ...found, note: `${own} ${found.note}`.trim() };
}

/** @param {Parts} parts @param {Line} line @param {number} decimals */
function attempt({ q, site, row }, line, decimals) {
  const products = Array.from(q, (number, channel) => {
    const [a, b] = [fixed(number, decimals + 2), fixed(line.k[channel], decimals + 2)];
    return { channel, q: a, k: b, product: fixed(a.value * b.value, decimals + 2) };
  });
  const sum = fixed(total(products.map(({ product }) => product)), decimals);
  const scale = plainly(site.scale);
  const cap = site.soft_cap;
  const scaled = sum.value * Number(scale);
  const bias = line.bias === 0 ? { text: "0", value: 0 } : fixed(line.bias, decimals);
  const capped = cap === null ? scaled : Number(plainly(cap)) * Math.tanh(scaled / cap);
  const score = fixed(capped + bias.value, decimals);
  const inner = `${sum.text} × ${scale}`;
  const scoring = cap === null ? inner : `${plainly(cap)} · tanh(${inner} / ${plainly(cap)})`;
  const head = `q·k = ${some(products)} (${products.length} products, sum ${sum.text}) → ${scoring} + ${bracketed(bias)} = ${score.text}`;
  const near =
    same(sum.value, line.dot) && same(score.value, line.score) && same(scaled, line.scaled);
  const after = isAfter(site);
  if ((line.bits && !after) || !line.against) {
    const text = `${head} → blocked (${explain(line.bits)}), so its weight is 0`;
    const found = { line: text, products, sum, masses: [], total: null, note: "" };
    return { found, right: near };
  }
  const soft = softmax(line, site.softmax_over === "key" ? line.key : row, score, decimals);
  const struck = line.bits ? `× 0, blocked (${explain(line.bits)}) = 0` : "× 1, allowed";
  const end = after ? ` → ${struck}` : "";
  const found = { line: `${head} → ${soft.text}${end}`, products, sum, ...soft.found };
  return { found, right: near && weight(soft.share) === weight(line.share) };
}

/** @param {Line} line @param {number} own its place in the sum @param {Shown} score @param {number} decimals */
function softmax({ against }, own, score, decimals) {
  if (!against) throw new Error("A blocked cell has no softmax.");
  const most = largest(against);
  const plain = most >= SMALLEST && most <= LARGEST;
  const shift = plain ? { text: "0", value: 0 } : fixed(most, decimals);
  const scores = against.scores.map((value, at) => ({ place: at, value }));
  const logits = [
    ...scores.map(({ place, value }) => ({ place: against.places[place], value })),
    ...(against.sink === null ? [] : [{ place: null, value: against.sink }]),
  ];
  /** @param {Shown} shown */
  const mass = ({ value }) => significant(Math.exp(value - shift.value), decimals + 2);
  const masses = logits.map(({ place, value }) => {
    const shown = place === own ? score : fixed(value, decimals);
    return { place, score: shown, mass: mass(shown) };
  });
  const sum = significant(total(masses.map((one) => one.mass)), decimals + 2);
  const mine = mass(score);
  const share = mine.value / sum.value;
  const by = shift.value < 0 ? `+ ${shift.text.slice(1)}` : `− ${shift.text}`;
  const form = plain ? `e^${bracketed(score)} / Σ e^s` : `e^(${score.text} ${by}) / Σ e^(s ${by})`;
  const also = against.sink === null ? "" : ", the sink’s among them";
  const note = plain
    ? `Σ runs over ${masses.length} numbers${also}. Programs subtract the largest score from each first, so that e^s cannot overflow; the quotient is the same.`
    : `Shifted by the largest score, ${shift.text}, as programs do: e^s itself is beyond what float32 holds. The quotient is the same. Σ runs over ${masses.length} numbers${also}.`;
  return {
    text: `${form} = ${mine.text} / ${sum.text} = ${minus(weight(share))}`,
    share,
    found: { masses, total: sum, note },
  };
}

/** The largest products, in the order of the channels. @param {Arithmetic["products"]} products */
function some(products) {
  const ranked = [...products].sort(
    (a, b) => Math.abs(b.product.value) - Math.abs(a.product.value),
  );
  const told = ranked.slice(0, PRODUCTS).sort((a, b) => a.channel - b.channel);
  const rest = products.length > told.length ? " + …" : "";
  return told.map(({ q, k }) => `${bracketed(q)}·${bracketed(k)}`).join(" + ") + rest;
}

/** A number behind an operator. @param {Shown} shown */
const bracketed = ({ text, value }) => (value < 0 ? `(${text})` : text);

/** @param {Shown[]} numbers */
const total = (numbers) => numbers.reduce((sum, { value }) => sum + value, 0);

/** Whether two numbers are the same to whoever reads the table. @param {number} a @param {number} b */
const same = (a, b) => weight(a) === weight(b);

/** @param {number} value @param {number} decimals @returns {Shown} */
function fixed(value, decimals) {
  const text = value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1"); // no −0
  return { text: minus(text), value: Number(text) };
}

/** @param {number} value @param {number} digits @returns {Shown} */
function significant(value, digits) {
  if (value === 0) return { text: "0", value: 0 };
  const power = Math.floor(Math.log10(value));
  const far = power < -digits || power > 2 * digits;
  const text = far
    ? value.toExponential(digits - 1).replace("e+", "e")
    : value.toFixed(Math.max(0, digits - 1 - power));
  return { text: minus(text), value: Number(text) };
}

/** @param {string} text */
export const minus = (text) => text.replace(/-/g, "−");
