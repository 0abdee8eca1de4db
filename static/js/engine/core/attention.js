// Attention in the engine, as in model/core/attention.py: `attend` is its only implementation, a pure function of tensors, and
// `MultiHeadAttention` only adds parameters. A mechanism is an AttentionConfig, never a subclass.

import { InputError } from "../errors.js";
import { dots, transposed } from "../tensor/products.js";
import { add, affine, mergeHeads, reshape, splitHeads, through, zeros } from "../tensor/tensor.js";
import { rotate } from "./embedding.js";

/** @import { AttentionConfig, AttentionPass, AttentionSettings, Bits, Rotary, Tensor } from "../types.d.ts" */

const LEAST = 1e-30; // a product of positive vectors, whose logarithm is finite

/**
 * The intermediate results of attention.
 * @typedef {object} Attention
 * @property {Tensor} scores (batch, head, query, key): before the mask, always finite
 * @property {Tensor} pattern (batch, head, query, key): blocked cells are exactly 0
 * @property {Tensor} weights (batch, head, query, key): what v is multiplied by; the pattern itself, unless the kernel is "product"
 * @property {Tensor} z (batch, head, query, d_head): weights · v
 */

/**
 * Attention (Vaswani et al. 2017, equation 1): z = softmax(soft_cap(scale · q kᵀ) + bias) v.
 *
 * With the kernel "product" there is no softmax: z = (scale · q kᵀ · exp(bias)) v, and the pattern is the share that each of these weights has of its
 * row, by size (retention, Sun et al. 2023; selective state spaces, Dao & Gu 2024). A slice of the softmax axis with no allowed cell has no distribution, so its pattern and its z are 0. `need` is "z" for z alone,
 * as a forward pass needs it, or "all" for the scores and the pattern too.
 * @overload
 * @param {Tensor} q (batch, head, query, d_head)
 * @param {Tensor} k (batch, head, key, d_head)
 * @param {Tensor} v (batch, head, key, d_head_v)
 * @param {AttentionSettings & {need: "all"}} settings
 * @returns {Attention}
 */
/**
 * @overload
 * @param {Tensor} q
 * @param {Tensor} k
 * @param {Tensor} v
 * @param {AttentionSettings & {need?: "z"}} [settings]
 * @returns {Tensor} z
 */
/**
 * @param {Tensor} q
 * @param {Tensor} k
 * @param {Tensor} v
 * @param {AttentionSettings & {need?: "z" | "all"}} [settings]
 * @returns {Attention | Tensor}
 */
export function attend(q, k, v, settings = {}) {
  const { mask = null, bias = null, soft_cap = null, sink = null } = settings;
  const { softmax_over = "key", mask_applied = "before", kernel = "exp" } = settings;
  const [batch, n_heads, n_query, d_head] = q.shape;
  const [n_key, d_v] = v.shape.slice(-2);
  const scale = settings.scale ?? d_head ** -0.5;
  const cells = n_query * n_key;
  const all = settings.need === "all"; // otherwise one matrix serves all heads, one after the other
  const shape = [batch, n_heads, n_query, n_key];
  const scores = all ? zeros(shape) : zeros([1, 1, n_query, n_key]);
  const pattern = all ? zeros(shape) : zeros([1, 1, n_query, n_key]);
  const signed = kernel === "product";
  const weights = signed && all ? zeros(shape) : signed ? zeros([1, 1, n_query, n_key]) : pattern;
  const z = zeros([batch, n_heads, n_query, d_v]);
  // the cells of each slice of the softmax axis: where the slice starts, and the step to its next cell
  const [slices, length] = softmax_over === "key" ? [n_query, n_key] : [n_key, n_query];
  const [toNext, step] = softmax_over === "key" ? [n_key, 1] : [1, n_key];
  for (let text = 0; text < batch; text++)
    for (let head = 0; head < n_heads; head++) {
      const each = text * n_heads + head;
      const from = all ? each * cells : 0;
      const here = scores.data.subarray(from, from + cells);
      const shares = pattern.data.subarray(from, from + cells);
      dots(matrixOf(q, each), matrixOf(k, each), here, n_query, n_key, d_head);
      if (kernel === "linear")
        for (let cell = 0; cell < cells; cell++) here[cell] = log(here[cell]);
      const [added, allowed] = [broadcast(bias, text, head), broadcast(mask, text, head)];
      const columns = transposed(matrixOf(v, each), n_key, d_v);
      if (signed) {
        const factors = weights.data.subarray(from, from + cells);
        withoutSoftmax(here, factors, all ? shares : null, { scale, added, allowed, n_key });
        dots(factors, columns, matrixOf(z, each), n_query, d_v, n_key);
        continue;
      }
      finishScores(here, kernel === "exp" ? scale : 1, soft_cap, added);
      const before = mask_applied === "before" ? allowed : null;
      const logit = sink === null ? null : sink.data[head];
      for (let slice = 0; slice < slices; slice++)
        softmaxSlice(here, shares, before, logit, slice * toNext, step, length);
      if (allowed && before === null)
        for (let cell = 0; cell < cells; cell++) shares[cell] *= allowed[cell];
      dots(shares, columns, matrixOf(z, each), n_query, d_v, n_key);
    }
  return all ? { scores, pattern, weights, z } : z;
}

/**
 * Attention of one text and head with the kernel "product".
 * @param {Float32Array} scores q·k, to become the scores
 * @param {Float32Array} weights to be filled
 * @param {Float32Array | null} shares to be filled with the size of each weight as a share of its row
 * @param {{scale: number, added: Float32Array | null, allowed: Uint8Array | null, n_key: number}} settings
 */
function withoutSoftmax(scores, weights, shares, { scale, added, allowed, n_key }) {
  for (let cell = 0; cell < scores.length; cell++) {
    scores[cell] *= scale;
    if (added) scores[cell] *= Math.exp(added[cell]);
    weights[cell] = allowed && allowed[cell] === 0 ? 0 : scores[cell];
  }
  for (let start = 0; shares && start < scores.length; start += n_key) {
    let total = 0;
    for (let cell = start; cell < start + n_key; cell++) total += Math.abs(weights[cell]);
    for (let cell = start; cell < start + n_key; cell++)
      shares[cell] = total === 0 ? 0 : Math.abs(weights[cell]) / total;
  }
}

/**
 * The bias of a decay: the logarithm of what is left of each key when it comes to a query.
 * @param {Tensor} step (batch, pos, head): how much each token erases
 * @param {Float32Array} rates one for each head
 * @returns {Tensor} (batch, head, query, key)
 */
function fading({ shape: [batch, n, n_heads], data }, rates) {
  const bias = zeros([batch, n_heads, n, n]);
  const gone = new Float64Array(n); // of what was there at the start, as a logarithm
  let at = 0;
  for (let text = 0; text < batch; text++)
    for (let head = 0; head < n_heads; head++) {
      for (let pos = 0; pos < n; pos++) {
        const before = pos === 0 ? 0 : gone[pos - 1];
        gone[pos] = before - data[(text * n + pos) * n_heads + head] * rates[head];
      }
      for (let query = 0; query < n; query++)
        for (let key = 0; key < n; key++) bias.data[at++] = -Math.abs(gone[query] - gone[key]);
    }
  return bias;
}

/** @param {number} x */
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** Of a product of positive vectors; finite also at 0. @param {number} dot */
const log = (dot) => Math.log(Math.max(dot, LEAST));

/** elu(x) + 1, which is positive. @param {Tensor} x @returns {Tensor} */
const positive = ({ shape, data }) => ({
  shape,
  data: data.map((value) => (value > 0 ? value + 1 : Math.exp(value))),
});

/** @param {number} x */
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** Each number, heads first. @param {Tensor} x (batch, pos, head) @returns {Tensor} (batch, head, pos) */
function byHead({ shape: [batch, n, n_heads], data }) {
  const found = zeros([batch, n_heads, n]);
  for (let each = 0, at = 0; each < batch * n_heads; each++) {
    const from = Math.floor(each / n_heads) * n * n_heads + (each % n_heads);
    for (let pos = 0; pos < n; pos++) found.data[at++] = data[from + pos * n_heads];
  }
  return found;
}

/** @param {Tensor} x @param {(value: number) => number} change @returns {Tensor} */
const mapped = ({ shape, data }, change) => ({ shape, data: data.map(change) });

/** Each vector, or row of a matrix, times the factor of its head and query. @param {Tensor} x (batch, head, query, …) @param {Tensor} factors (batch, head, query) @returns {Tensor} */
export function scaledBy({ shape, data }, factors) {
  const length = shape[3];
  return { shape, data: data.map((value, at) => value * factors.data[Math.floor(at / length)]) };
}

/** The last two axes of one text and head. @param {Tensor} x @param {number} each */
function matrixOf(x, each) {
  const size = x.shape[2] * x.shape[3];
  return x.data.subarray(each * size, (each + 1) * size);
}

/**
 * The (query, key) part of a mask or bias whose first two axes may have size 1.
 * @template {Tensor | Bits} T
 * @param {T | null} x
 * @param {number} text
 * @param {number} head
 * @returns {T["data"] | null}
 */
function broadcast(x, text, head) {
  if (x === null) return null;
  const [batch, n_heads, n_query, n_key] = x.shape;
  const each = (batch === 1 ? 0 : text) * n_heads + (n_heads === 1 ? 0 : head);
  return x.data.subarray(each * n_query * n_key, (each + 1) * n_query * n_key);
}

/** q·k becomes soft_cap(scale · q·k) + bias. @type {(scores: Float32Array, scale: number, soft_cap: number | null, bias: Float32Array | null) => void} */
function finishScores(scores, scale, soft_cap, bias) {
  for (let cell = 0; cell < scores.length; cell++) scores[cell] *= scale;
  if (soft_cap !== null)
    for (let cell = 0; cell < scores.length; cell++)
      scores[cell] = soft_cap * Math.tanh(scores[cell] / soft_cap);
  if (bias) for (let cell = 0; cell < scores.length; cell++) scores[cell] += bias[cell];
}

/**
 * Softmax over the allowed cells of one slice and the sink; exactly 0 on every other cell.
 * @param {Float32Array} scores
 * @param {Float32Array} shares to be filled
 * @param {Uint8Array | null} allowed
 * @param {number | null} sink
 * @param {number} start the slice's first cell
 * @param {number} step to the next
 * @param {number} length
 */
function softmaxSlice(scores, shares, allowed, sink, start, step, length) {
  const end = start + length * step;
  let [any, largest] = [false, sink ?? -Infinity];
  for (let cell = start; cell < end; cell += step) {
    if (allowed !== null && allowed[cell] === 0) continue;
    any = true;
    if (scores[cell] > largest) largest = scores[cell];
  }
  if (!any) {
    for (let cell = start; cell < end; cell += step) shares[cell] = 0;
    return;
  }
  let sum = sink === null ? 0 : Math.exp(sink - largest);
  for (let cell = start; cell < end; cell += step) {
    const share = allowed !== null && allowed[cell] === 0 ? 0 : Math.exp(scores[cell] - largest);
    shares[cell] = share;
    sum += share;
  }
  for (let cell = start; cell < end; cell += step) shares[cell] /= sum;
}

/** Everything but the sizes has a default. @type {Omit<AttentionConfig, "d_model" | "n_heads" | "d_head">} */
const DEFAULTS = {
  projections: "separate",
  packing: "qkv head d_head",
  read_as: null,
  qkv_bias: false,
  output: true,
  output_bias: false,
  scale: "1/sqrt(d_head)",
  softmax_over: "key",
  mask_applied: "before",
  kernel: "exp",
  soft_cap: null,
  sink: false,
  n_kv_heads: null,
  d_latent: null,
  gate: false,
  selective: false,
  minus: null,
};

/**
 * The settings of one attention mechanism, checked.
 * @param {Partial<AttentionConfig> & Pick<AttentionConfig, "d_model" | "n_heads" | "d_head">} given
 * @returns {AttentionConfig}
 */
export function attentionConfig(given) {
  const config = { ...DEFAULTS, ...given };
  const { d_model, n_heads, d_head, soft_cap } = config;
  for (const [field, value] of Object.entries({ d_model, n_heads, d_head }))
    if (value < 1) throw new InputError(`${field} must be at least 1; got ${value}.`, { field });
  if (config.projections === "none" && n_heads * d_head !== d_model)
    throw new InputError(
      "Without projections the heads divide x, so n_heads · d_head must be d_model; " +
        `got ${n_heads} · ${d_head} and ${d_model}.`,
      { field: "d_head" },
    );
  const shared = kvHeads(config);
  if (shared < 1 || n_heads % shared)
    throw new InputError(
      `The ${n_heads} heads of queries share the heads of keys and values evenly; n_kv_heads = ${shared} does not divide ` +
        `${n_heads}.`,
      { field: "n_kv_heads" },
    );
  if (shared !== n_heads && config.projections !== "separate")
    throw new InputError(
      "Heads share keys and values only where q, k and v have matrices of their own.",
      { field: "n_kv_heads" },
    );
  if (config.d_latent !== null && config.projections !== "separate")
    throw new InputError(
      "Keys and values are read off a latent only where q, k and v have matrices of their own.",
      { field: "d_latent" },
    );
  if (config.minus !== null) checkPairs(config);
  if (config.kernel === "product") checkNoSoftmax(config);
  if (soft_cap !== null && !(soft_cap > 0))
    throw new InputError(`A soft cap must be positive; got ${soft_cap}.`, { field: "soft_cap" });
  return config;
}

/** @param {AttentionConfig} config */
function checkNoSoftmax(config) {
  const usual = { softmax_over: "key", mask_applied: "before", sink: false, soft_cap: null };
  for (const [field, expected] of Object.entries(usual))
    if (config[/** @type {keyof typeof usual} */ (field)] !== expected)
      throw new InputError(
        `Where weights are q·k itself, there is no softmax, which ${field} is about. Leave it as it is.`,
        { field },
      );
}

/** @param {AttentionConfig} config */
function checkPairs({ n_heads, n_kv_heads, projections }) {
  if (n_heads % 2)
    throw new InputError(
      "Heads come in pairs, the second of which is subtracted from the first, so their number is even; " +
        `n_heads is ${n_heads}.`,
      { field: "n_heads" },
    );
  if (projections !== "separate" || (n_kv_heads ?? n_heads) !== n_heads)
    throw new InputError(
      "A head is subtracted only where q, k and v have matrices of their own, and every head has a key of its own.",
      { field: "minus" },
    );
}

/** The number of heads of keys and values. @param {Pick<AttentionConfig, "n_heads" | "n_kv_heads">} config */
export const kvHeads = ({ n_heads, n_kv_heads }) => n_kv_heads ?? n_heads;

/** The number of heads of values; both heads of a pair have the same. @param {AttentionConfig} config */
export const valueHeads = (config) =>
  config.minus === null ? kvHeads(config) : config.n_heads / 2;

/** The number of channels that W_O reads: of each head, or of each pair. @param {AttentionConfig} config */
export const readWidth = ({ n_heads, d_head, minus }) =>
  (minus === null ? n_heads : n_heads / 2) * d_head;

/** The number of channels of the output. @param {AttentionConfig} config */
export const outputWidth = (config) => (config.output ? config.d_model : readWidth(config));

/** The scale as a number. @param {AttentionConfig} config */
export function scaleFactor({ scale, d_head, d_model }) {
  if (scale === "1/sqrt(d_head)") return d_head ** -0.5;
  return scale === "1/sqrt(d_model)" ? d_model ** -0.5 : scale;
}

/** The values of the second head of each pair times −λ. @param {Tensor} v (batch, head, key, d_head) @param {number} minus @returns {Tensor} */
function subtracted({ shape, data }, minus) {
  const size = shape[2] * shape[3];
  const isSecond = (/** @type {number} */ at) => Math.floor(at / size) % 2 === 1;
  return { shape, data: data.map((value, at) => (isSecond(at) ? -minus * value : value)) };
}

/** What both heads of each pair gather, together. @param {Tensor} z (batch, head, query, d_head) @returns {Tensor} */
function pairSums({ shape: [batch, n_heads, n_query, d_head], data }) {
  const sums = zeros([batch, n_heads / 2, n_query, d_head]);
  const size = n_query * d_head;
  for (let at = 0; at < sums.data.length; at++) {
    const first = 2 * Math.floor(at / size) * size + (at % size);
    sums.data[at] = data[first] + data[first + size];
  }
  return sums;
}

/** What heads share, once for each of them. @param {Tensor} x (batch, head, …, …) @param {number} n_heads @returns {Tensor} */
function repeated(x, n_heads) {
  const [batch, shared, pos, d_head] = x.shape;
  if (shared === n_heads) return x;
  const made = zeros([batch, n_heads, pos, d_head]);
  const size = pos * d_head;
  for (let each = 0; each < batch * n_heads; each++) {
    const from = Math.floor((each * shared) / n_heads);
    made.data.set(x.data.subarray(from * size, (from + 1) * size), each * size);
  }
  return made;
}

/** The parameters of multi-head attention (Vaswani et al. 2017, section 3.2.2), under the names of the Python module. */
export class MultiHeadAttention {
  /**
   * @param {AttentionConfig} config
   * @param {ReadonlyMap<string, Tensor>} weights
   * @param {string} prefix of their names, such as "blocks.0.attention."
   */
  constructor(config, weights, prefix) {
    this.config = config;
    const names = { none: [], separate: ["w_q", "w_k", "w_v"], fused: ["w_qkv"] };
    this.projections = names[config.projections].map((name) => affine(weights, prefix + name));
    this.w_latent = config.d_latent === null ? null : affine(weights, `${prefix}w_latent`);
    this.w_o = config.output ? affine(weights, `${prefix}w_o`) : null;
    this.sink = config.sink ? (weights.get(`${prefix}sink`) ?? null) : null;
    this.w_gate = config.gate ? affine(weights, `${prefix}w_gate`) : null;
    this.w_step = config.selective ? affine(weights, `${prefix}w_step`) : null;
    this.rates = config.selective ? weights.get(`${prefix}log_rate`)?.data.map(Math.exp) : null;
  }

  /**
   * Attend from x to itself, or to `context` (cross-attention). Where `muted` is 1, a head's z is set to 0 *before* W_O, which
   * is what ablating a head means. `rotary` rotates q and k by their positions, and `bias` is added to the scores; both are for self-attention.
   * @param {Tensor} x (batch, query, d_model)
   * @param {object} [options]
   * @param {Tensor | null} [options.context] (batch, key, d_model)
   * @param {Bits | null} [options.mask] (1 or batch, 1 or head, query, key)
   * @param {Rotary | null} [options.rotary]
   * @param {Tensor | null} [options.bias] (1 or batch, 1 or head, query, key)
   * @param {Bits | null} [options.muted] (1 or batch, head)
   * @returns {AttentionPass}
   */
  forward(x, { context = null, mask = null, rotary = null, bias = null, muted = null } = {}) {
    let [q, k, v] = this.project(x, context ?? x);
    if (rotary !== null) [q, k] = [rotate(q, rotary), rotate(k, rotary)];
    if (this.config.kernel === "linear") [q, k] = [positive(q), positive(k)];
    if (this.w_step && this.rates) {
      const step = mapped(through(x, this.w_step), softplus);
      k = scaledBy(k, byHead(step));
      const faded = fading(step, this.rates);
      bias = bias === null ? faded : add(bias, faded);
    }
    let z = attend(q, k, v, { mask, bias, ...this.settings() });
    const gate = this.w_gate === null ? null : mapped(byHead(through(x, this.w_gate)), sigmoid);
    if (gate !== null) z = scaledBy(z, gate);
    if (muted !== null) mute(z, muted);
    const merged = mergeHeads(this.config.minus === null ? z : pairSums(z)); // batch query (head d_head)
    return { output: this.w_o === null ? merged : through(merged, this.w_o), q, k, v, bias, gate };
  }

  /** The arguments of `attend` besides q, k, v and the mask. */
  settings() {
    const { soft_cap, softmax_over, mask_applied, kernel } = this.config;
    const { sink } = this;
    return { scale: scaleFactor(this.config), soft_cap, sink, softmax_over, mask_applied, kernel };
  }

  /**
   * q from x, k and v from the context.
   * @param {Tensor} x (batch, query, d_model)
   * @param {Tensor} context (batch, key, d_model)
   * @returns {Tensor[]} each (batch, head, position, d_head)
   */
  project(x, context) {
    const { n_heads, projections } = this.config;
    if (projections === "none") {
      const other = splitHeads(context, n_heads);
      return [context === x ? other : splitHeads(x, n_heads), other, other];
    }
    if (projections === "separate") {
      const read = this.w_latent === null ? context : through(context, this.w_latent);
      const heads = [n_heads, kvHeads(this.config), valueHeads(this.config)];
      const [q, k, v] = this.projections.map((each, index) =>
        repeated(splitHeads(through(index === 0 ? x : read, each), heads[index]), n_heads),
      );
      return [q, k, this.config.minus === null ? v : subtracted(v, this.config.minus)];
    }
    const qkv = this.unpack(through(x, this.projections[0]));
    if (context === x) return qkv;
    const [, k, v] = this.unpack(through(context, this.projections[0]));
    return [qkv[0], k, v];
  }

  /**
   * q, k and v out of the output of a fused projection, whose last axis holds them in one of three orders.
   * @param {Tensor} packed (batch, pos, 3 · head · d_head)
   * @returns {Tensor[]} each (batch, head, pos, d_head)
   */
  unpack(packed) {
    const { n_heads, d_head } = this.config;
    const [batch, pos, width] = packed.shape;
    const strides = packedStrides(this.config.read_as ?? this.config.packing, n_heads, d_head);
    return [0, 1, 2].map((which) => {
      const part = zeros([batch, n_heads, pos, d_head]);
      let to = 0;
      for (let text = 0; text < batch; text++)
        for (let head = 0; head < n_heads; head++)
          for (let at = 0; at < pos; at++) {
            let from = (text * pos + at) * width + which * strides.qkv + head * strides.head;
            for (let channel = 0; channel < d_head; channel++, from += strides.d_head)
              part.data[to++] = packed.data[from];
          }
      return part;
    });
  }

  /** (head, d_head, d_model): W_O with one block per head, the same for both of a pair, so that result = z · W_O[head]. @returns {Tensor | null} */
  get w_o_by_head() {
    if (this.w_o === null) return null;
    const { n_heads, d_head, d_model } = this.config;
    const { data } = this.w_o.weight;
    const width = readWidth(this.config);
    const blocks = zeros([width, d_model]);
    for (let row = 0; row < d_model; row++)
      for (let column = 0; column < width; column++)
        blocks.data[column * d_model + row] = data[row * width + column];
    const each = repeated(reshape(blocks, [1, width / d_head, d_head, d_model]), n_heads);
    return reshape(each, [n_heads, d_head, d_model]);
  }
}

/**
 * The steps from one entry to the next along each axis of a packed projection.
 * @param {AttentionConfig["packing"]} packing
 * @param {number} n_heads
 * @param {number} d_head
 */
export function packedStrides(packing, n_heads, d_head) {
  const sizes = { qkv: 3, head: n_heads, d_head };
  const strides = { qkv: 0, head: 0, d_head: 0 };
  let step = 1;
  for (const axis of /** @type {(keyof typeof sizes)[]} */ (packing.split(" ").reverse())) {
    strides[axis] = step;
    step *= sizes[axis];
  }
  return strides;
}

/** Set the z of muted heads to 0. @param {Tensor} z (batch, head, query, d_head) @param {Bits} muted (1 or batch, head) */
function mute(z, muted) {
  const [batch, n_heads, n_query, d_head] = z.shape;
  const size = n_query * d_head;
  for (let each = 0; each < batch * n_heads; each++)
    if (muted.data[muted.shape[0] === 1 ? each % n_heads : each])
      z.data.fill(0, each * size, (each + 1) * size);
}
