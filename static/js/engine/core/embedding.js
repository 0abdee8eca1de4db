// Positions: learned, sinusoidal, rotary or none, as in model/core/embedding.py. Attention itself has no notion of position.

import { InputError } from "../errors.js";
import { add, affine, zeros } from "../tensor/tensor.js";

/** @import { Positions, Rotary, Tensor } from "../types.d.ts" */

/**
 * Check that rotary or sinusoidal positions have an even number of channels to pair.
 * @param {Positions | "alibi"} positions
 * @param {number} d_model
 * @param {number} d_head
 */
export function checkPositions(positions, d_model, d_head) {
  if (positions === "rotary" && d_head % 2)
    throw new InputError(
      `Rotary positions rotate pairs of channels, so d_head must be even; got ${d_head}.`,
      { field: "d_head" },
    );
  if (positions === "sinusoidal" && d_model % 2)
    throw new InputError(
      `Sinusoidal positions use pairs of channels, so d_model must be even; got ${d_model}.`,
      { field: "d_model" },
    );
}

/**
 * Rotary angles (Su et al. 2021, equation 15): θ_i = position · base^(−2i / d_head), one for each position and pair of channels.
 * @param {readonly (readonly number[])[]} positions (batch, pos)
 * @param {number} d_head
 * @param {number} [base]
 * @returns {Rotary}
 */
export function rotary(positions, d_head, base = 10_000) {
  checkPositions("rotary", 0, d_head);
  const shape = [positions.length, 1, positions[0].length, d_head / 2];
  const [cos, sin] = [zeros(shape), zeros(shape)];
  anglesOf(positions, d_head, base).forEach((angle, at) => {
    cos.data[at] = Math.cos(angle);
    sin.data[at] = Math.sin(angle);
  });
  return { cos, sin };
}

/**
 * Rotary angles for texts `factor` times as long as those of training: "linear" divides all angles by it (position interpolation, Chen et al.
 * 2023, equation 2); "ntk" leaves the fastest as they are, and divides the slowest by it, by a larger base (Peng et al. 2024, definition 1).
 * @param {readonly (readonly number[])[]} positions (batch, pos)
 * @param {number} d_head
 * @param {string} scaling
 * @param {number} factor
 * @returns {Rotary}
 */
export function stretched(positions, d_head, scaling, factor) {
  if (scaling === "linear")
    return rotary(
      positions.map((row) => row.map((at) => at / factor)),
      d_head,
    );
  if (scaling === "ntk" && d_head > 2)
    // the one pair of channels there would be the fastest
    return rotary(positions, d_head, 10_000 * factor ** (d_head / (d_head - 2)));
  return rotary(positions, d_head);
}

/**
 * Rotate each pair of channels (i, i + d_head/2) by the angle of its position. This preserves lengths, and q·k depends only on the
 * distance between the two positions.
 * @param {Tensor} x (batch, head, pos, d_head)
 * @param {Rotary} rotary
 * @returns {Tensor}
 */
export function rotate(x, { cos, sin }) {
  const [batch, n_heads, n, d_head] = x.shape;
  const half = d_head / 2;
  const turned = zeros(x.shape);
  const texts = cos.shape[0];
  for (let each = 0, from = 0; each < batch * n_heads; each++) {
    let angle = (texts === 1 ? 0 : Math.floor(each / n_heads)) * n * half;
    for (let at = 0; at < n; at++, from += d_head)
      for (let pair = from; pair < from + half; pair++, angle++) {
        const first = x.data[pair];
        const second = x.data[pair + half];
        turned.data[pair] = first * cos.data[angle] - second * sin.data[angle];
        turned.data[pair + half] = second * cos.data[angle] + first * sin.data[angle];
      }
  }
  return turned;
}

/**
 * A bias of the scores: −slope · distance, with a slope for each head (ALiBi, Press et al. 2022). With n heads, a power of two, the slopes
 * are 2^(−8/n), 2^(−16/n), …, 2^−8. For other numbers the heads beyond the power of two below take every second slope of the one above.
 * @param {readonly (readonly number[])[]} positions (batch, pos)
 * @param {number} n_heads
 * @returns {Tensor} (batch, head, query, key)
 */
export function alibi(positions, n_heads) {
  const n = positions[0].length;
  const bias = zeros([positions.length, n_heads, n, n]);
  const all = slopes(n_heads);
  let at = 0;
  for (const row of positions)
    for (const slope of all)
      for (const query of row)
        for (const key of row) bias.data[at++] = -slope * Math.abs(query - key);
  return bias;
}

/** The slopes of ALiBi, in float32. @param {number} n_heads */
function slopes(n_heads) {
  const below = 2 ** Math.floor(Math.log2(n_heads));
  return Array.from({ length: n_heads }, (_, head) =>
    Math.fround(
      head < below
        ? 2 ** ((-8 * (head + 1)) / below)
        : 2 ** ((-4 * (2 * (head - below) + 1)) / below),
    ),
  );
}

/**
 * Sines in even channels, cosines in odd ones (Vaswani et al. 2017, section 3.5).
 * @param {readonly (readonly number[])[]} positions (batch, pos)
 * @param {number} d_model
 * @returns {Tensor} (batch, pos, d_model)
 */
export function sinusoidal(positions, d_model) {
  checkPositions("sinusoidal", d_model, 0);
  const x = zeros([positions.length, positions[0].length, d_model]);
  anglesOf(positions, d_model, 10_000).forEach((angle, at) => {
    x.data[2 * at] = Math.sin(angle);
    x.data[2 * at + 1] = Math.cos(angle);
  });
  return x;
}

/**
 * position · base^(−2i / d), each step in float32: at position 1,000 an angle in double would differ by more than our tolerance.
 * @param {readonly (readonly number[])[]} positions
 * @param {number} d
 * @param {number} base
 */
function anglesOf(positions, d, base) {
  const frequencies = Float32Array.from(
    { length: d / 2 },
    (_, pair) => base ** Math.fround((-2 * pair) / d),
  );
  return Float32Array.from(
    positions.flatMap((row) => row.flatMap((at) => Array.from(frequencies, (each) => at * each))),
  );
}

/** Token embedding, plus the positions added to it (rotary ones enter later, in attention). */
export class Embedding {
  /**
   * @param {Positions} positions
   * @param {ReadonlyMap<string, Tensor>} weights
   * @param {string} prefix
   */
  constructor(positions, weights, prefix) {
    this.positions = positions;
    this.token = affine(weights, `${prefix}token`).weight;
    this.learned = positions === "learned" ? affine(weights, `${prefix}learned`).weight : null;
  }

  /**
   * @param {readonly (readonly number[])[]} ids (batch, pos)
   * @param {readonly (readonly number[])[]} positions (batch, pos)
   * @returns {Tensor} (batch, pos, d_model)
   */
  forward(ids, positions) {
    const x = rowsOf(this.token, ids);
    if (this.learned !== null) return add(x, rowsOf(this.learned, positions));
    return this.positions === "sinusoidal" ? add(x, sinusoidal(positions, x.shape[2])) : x;
  }
}

/**
 * The rows of a table, as torch's nn.Embedding gives them.
 * @param {Tensor} table (row, d)
 * @param {readonly (readonly number[])[]} indices (batch, pos)
 * @returns {Tensor} (batch, pos, d)
 */
export function rowsOf(table, indices) {
  const d = table.shape[1];
  const found = zeros([indices.length, indices[0]?.length ?? 0, d]);
  indices.flat().forEach((index, at) => {
    found.data.set(table.data.subarray(index * d, (index + 1) * d), at * d);
  });
  return found;
}
