// How many digits the numbers of an explanation have. Rounding never makes a share 0% or 100% that is not. Pure.

import { fixed, percentage } from "../../language/language.js";
import { grouped, minus } from "../../words/format.js";
import { lessThan, MILLION, moreThan } from "./words.js";

/** A share of attention: "99%", "4.2%". @param {number} value 0 to 1 */
export function share(value) {
  const percent = 100 * value;
  if (percent > 0 && percent < 0.05) return lessThan(percentage(fixed(0.1, 1)));
  if (percent < 100 && percent >= 99.95) return moreThan(percentage(fixed(99.9, 1)));
  const digits = percent === 0 || percent >= 100 || (percent >= 9.95 && percent < 99) ? 0 : 1;
  return percentage(fixed(Math.min(percent, 100), digits));
}

/** A probability, as in the list of predictions. @param {number} value 0 to 1 */
export function probability(value) {
  const percent = 100 * value;
  return percent < 0.05 ? lessThan(percentage(fixed(0.1, 1))) : percentage(fixed(percent, 1));
}

/** A score and how far it is above another, with the digits that the difference needs. @param {number} score @param {number} gap */
export function scores(score, gap) {
  const digits = gap >= 0.95 ? 1 : gap >= 0.095 ? 2 : 3;
  return { score: minus(fixed(score, digits)), gap: fixed(gap, digits) };
}

/** How many times as much: "1.3", "146", "12,000". @param {number} value */
export function factor(value) {
  if (value >= 999_500) return MILLION;
  if (value >= 1000) return grouped(Number(value.toPrecision(2)));
  return value >= 9.95 ? fixed(value, 0) : fixed(value, 1);
}
