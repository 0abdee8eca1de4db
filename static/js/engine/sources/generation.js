// Generation: append tokens to texts one by one, with a full run of the model for each (model/sources/generation.py).

import { token } from "../core/tokenizer.js";
import { InputError, NumericsError } from "../errors.js";
import { endSlice } from "../slices.js";
import { Generator } from "../tensor/random.js";
import { logSoftmax, nucleus, topIds } from "../trace/predictions.js";

/** @import { Generate, Generated, Tensor, Token } from "../types.d.ts" */

/**
 * How many tokens to append and how each is chosen, with the defaults for what is not given.
 * @param {Pick<Generate, "n_tokens"> & Partial<Generate>} given
 * @returns {Generate}
 * @throws {InputError} a number is out of its range
 */
export function generateSettings(given) {
  const settings = {
    sampled: false,
    temperature: 1,
    seed: 0,
    top_k: null,
    top_p: null,
    known: null,
    start: null,
    ...given,
  };
  const { n_tokens, temperature, top_k, top_p } = settings;
  const check = (
    /** @type {boolean} */ holds,
    /** @type {string} */ message,
    field = "generate",
  ) => {
    if (!holds) throw new InputError(message, { field });
  };
  check(n_tokens >= 1, `Expected at least 1 token to append; got ${n_tokens}.`);
  check(
    temperature > 0 && temperature < Infinity,
    `Expected a temperature above 0; got ${temperature}.`,
    "generate.temperature",
  );
  check(
    top_k === null || top_k >= 1,
    `Expected at least 1 token to draw from; got ${top_k}.`,
    "generate.top_k",
  );
  check(
    top_p === null || (top_p > 0 && top_p <= 1),
    `Expected top_p to be above 0 and at most 1; got ${top_p}.`,
    "generate.top_p",
  );
  return settings;
}

/** How many tokens longer a row may become. @param {Generate | null} settings @param {number} length */
export const more = (settings, length) =>
  settings ? settings.n_tokens - (settings.start ? length - 1 - settings.start.after : 0) : 0;

/**
 * The rows with the tokens that the model appends; a row is finished after one of `ends`.
 * @param {readonly Token[][]} rows
 * @param {Generate} settings
 * @param {(rows: Token[][]) => Tensor} logitsAfter (row, vocab_size): runs the model on all rows, even finished ones: masks may
 *   refer to a row by its index
 * @param {{spell: (id: number) => string, ends?: Set<number>}} vocabulary
 * @returns {Generated}
 * @throws {NumericsError} a logit that is not finite
 */
export function generate(rows, settings, logitsAfter, { spell, ends = new Set() }) {
  const { start, known } = settings;
  const extended = rows.map((row) => row.slice(0, start ? start.after + 1 : row.length));
  /** @type {number[][]} */
  const log_p = rows.map(() => []);
  const append = (/** @type {number} */ row, /** @type {number} */ id) => {
    const offset = extended[row][extended[row].length - 1].end;
    extended[row].push(token(id, spell(id), offset, offset, ends.has(id), { generated: true }));
  };
  const given = start ? start.ids.map((id) => [id]) : (known ?? []);
  given.forEach((ids, row) => {
    for (const id of ids) append(row, id);
  });
  if (known) return { rows: extended, log_p };
  const generators = rows.map(() => new Generator(seedOf(settings)));
  let unfinished = [...extended.keys()].filter((row) => !isOver(extended[row], ends));
  for (let step = start ? 1 : 0; step < settings.n_tokens && unfinished.length; step++) {
    endSlice(step, settings.n_tokens);
    const { shape, data } = logitsAfter(extended);
    if (!data.every(Number.isFinite)) {
      throw new NumericsError("A logit is not finite; expected all finite.");
    }
    const n_vocab = shape[1];
    unfinished = unfinished.filter((row) => {
      const logits = data.subarray(row * n_vocab, (row + 1) * n_vocab);
      const id = choose(logits, settings, generators[row]);
      append(row, id);
      log_p[row].push(logSoftmax(logits, { model: "The model" })[id]);
      return !ends.has(id);
    });
  }
  return { rows: extended, log_p };
}

/** @param {Token[]} row @param {Set<number>} ends */
function isOver(row, ends) {
  const last = row[row.length - 1];
  return last.generated && ends.has(last.id);
}

/** The seed as its request spells it: a large number has other digits there than its value in binary. @param {Generate} settings */
function seedOf({ seed }) {
  return BigInt(JSON.stringify(seed));
}

/**
 * @param {Float32Array} logits
 * @param {Generate} settings
 * @param {Generator} generator
 */
function choose(logits, { sampled, temperature, top_k, top_p }, generator) {
  if (!sampled) return indexOfLargest(logits);
  const p = softmax(logits, temperature);
  let n = Math.min(top_k ?? p.length, p.length);
  if (top_p !== null) n = Math.min(n, nucleus(p.map(Math.log), top_p).tokens);
  return drawn(n < p.length ? only(topIds(p, n), p) : p, generator);
}

/** @param {Float32Array} logits @param {number} temperature */
function softmax(logits, temperature) {
  const most = logits[indexOfLargest(logits)];
  const p = Float64Array.from(logits, (logit) => Math.exp((logit - most) / temperature));
  const total = p.reduce((sum, one) => sum + one, 0);
  return p.map((one) => one / total);
}

/** The probabilities of these ids, and 0 elsewhere. @param {number[]} ids @param {Float64Array} p */
function only(ids, p) {
  const kept = new Float64Array(p.length);
  for (const id of ids) kept[id] = p[id];
  return kept;
}

/**
 * torch.multinomial(p, 1): the largest p / e, where each e is drawn from an exponential distribution. So the same seed draws the
 * same token as on the server (torch 2.6 and later), unless two such quotients differ by less than float32 noise in the logits.
 * @param {Float64Array} p
 * @param {Generator} generator
 */
function drawn(p, generator) {
  return indexOfLargest(p.map((one) => one / generator.exponential()));
}

/** The first, if several are largest. @param {Float32Array | Float64Array} values */
function indexOfLargest(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}
