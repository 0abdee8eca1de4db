// The tensors that can be derived at a site: one row each in static/js/facts/tensors.json, with its axes, what a site must have recorded and what
// its numbers mean; here is how it is derived from a `Part`. As model/trace/tensors.py.

import FACTS from "../../facts/tensors.json" with { type: "json" };
import { attend, scaledBy } from "../core/attention.js";
import { dots, transposed } from "../tensor/products.js";
import { concat, gather, narrow, sizeOf, zeros } from "../tensor/tensor.js";

/** @import { Attention } from "../core/attention.js" */
/** @import { AnyTensor, Bits, Site, Tensor, TensorName } from "../types.d.ts" */

/** Some heads and query rows of a site, for some texts. */
export class Part {
  /** @type {Attention | null} */
  #attention = null;

  /**
   * @param {Site} site
   * @param {object} chosen
   * @param {readonly number[] | null} chosen.heads null: all
   * @param {[start: number, stop: number]} chosen.rows
   * @param {[start: number, stop: number]} chosen.texts
   * @param {ReadonlySet<TensorName>} chosen.requested including the tensors that they are derived from
   */
  constructor(site, { heads, rows, texts, requested }) {
    this.site = site;
    this.heads = heads ?? Array.from({ length: site.n_heads }, (_, head) => head);
    this.allHeads = heads === null;
    this.rows = rows;
    this.texts = texts;
    this.requested = requested;
  }

  /** Derived from q, k and v; z only if it is requested. @returns {Attention} */
  get attention() {
    this.#attention ??= this.#attend();
    return this.#attention;
  }

  /** @returns {Attention} */
  #attend() {
    const { site, rows } = this;
    // columns are normalised over all rows, so all rows are derived, and cut afterwards
    const cut = site.softmax_over === "query";
    const [start, stop] = cut ? [0, site.mask.n_query] : rows;
    const v = this.v;
    const attention = attend(
      narrow(this.of(site.q), 2, start, stop),
      this.of(site.k),
      this.requested.has("z") ? v : narrow(v, 3, 0, 0),
      {
        mask: site.mask.isOpen ? null : this.ofShared(site.mask.allows(start, stop)),
        scale: site.scale,
        bias: site.bias === null ? null : narrow(this.ofShared(site.bias), 2, start, stop),
        soft_cap: site.soft_cap,
        sink: site.sink === null ? null : gather(site.sink, 0, this.heads),
        softmax_over: site.softmax_over,
        mask_applied: site.mask_applied,
        kernel: site.kernel,
        need: "all",
      },
    );
    if (!cut) return attention;
    const { scores, pattern, weights, z } = attention;
    const [a, b, c, d] = [scores, pattern, weights, z].map((one) => narrow(one, 2, ...rows));
    return { scores: a, pattern: b, weights: c, z: d };
  }

  /**
   * The chosen texts and heads of a recorded tensor.
   * @param {Tensor | null} x (batch, head, …)
   * @returns {Tensor}
   */
  of(x) {
    if (x === null) throw new Error("The site has not recorded what this tensor's row needs.");
    const texts = narrow(x, 0, ...this.texts);
    return this.allHeads ? texts : gather(texts, 1, this.heads);
  }

  /**
   * The same for a mask or a bias, whose axis of size 1 stays so.
   * @template {AnyTensor} T
   * @param {T} x (1 or batch, 1 or head, row, key)
   * @returns {T}
   */
  ofShared(x) {
    const texts = x.shape[0] === 1 ? x : narrow(x, 0, ...this.texts);
    return this.allHeads || x.shape[1] === 1 ? texts : gather(texts, 1, this.heads);
  }

  /** (batch, head, row, key) @returns {Tensor} */
  get pattern() {
    const stored = this.site.stored_pattern;
    if (stored === null || this.requested.has("scores") || this.requested.has("z"))
      return this.attention.pattern;
    return narrow(this.of(stored), 2, ...this.rows);
  }

  /** What v is multiplied by: (batch, head, row, key). @returns {Tensor} */
  get weights() {
    return this.site.kernel === "product" ? this.attention.weights : this.pattern;
  }

  /** (batch, head, row, d_head) @returns {Tensor} */
  get z() {
    return this.withoutMuted(this.gated(this.attention.z));
  }

  /** (batch, head, row) @returns {Tensor | null} */
  get gate() {
    return this.site.gate && narrow(this.of(this.site.gate), 2, ...this.rows);
  }

  /** Each row of each head times its gate, where there is one. @param {Tensor} x (batch, head, row, …) @returns {Tensor} */
  gated(x) {
    const { gate } = this;
    return gate === null ? x : scaledBy(x, gate);
  }

  /** (batch, head, key, d_head) @returns {Tensor} */
  get v() {
    return this.of(this.site.v);
  }

  /** The tensor with 0 in every cell of a muted head. @param {Tensor} x (batch, head, …) @returns {Tensor} */
  withoutMuted(x) {
    if (!this.heads.some((head) => this.site.muted.includes(head))) return x;
    const data = x.data.slice();
    const size = sizeOf(x.shape.slice(2));
    for (let each = 0, at = 0; at < data.length; each++, at += size)
      if (this.site.muted.includes(this.heads[each % this.heads.length]))
        data.fill(0, at, at + size);
    return { shape: x.shape, data };
  }
}

/** The bias of every text and head, also where it is the same for all. @param {Part} part @returns {Tensor} */
function biasOf(part) {
  const shared = part.ofShared(/** @type {Tensor} */ (part.site.bias));
  const bias = narrow(shared, 2, ...part.rows);
  const n = part.texts[1] - part.texts[0];
  const texts = bias.shape[0] === n ? bias : concat(Array(n).fill(bias), 0);
  return texts.shape[1] === part.heads.length
    ? texts
    : concat(Array(part.heads.length).fill(texts), 1);
}

/**
 * x[text, head] · W_O[head].
 * @param {Part} part
 * @param {Tensor} x (batch, head, pos, d_head)
 * @returns {Tensor} (batch, head, pos, d_model)
 */
function throughOutput({ site, heads }, x) {
  const [batch, n_heads, n, d_head] = x.shape;
  const w_o = /** @type {Tensor} */ (site.w_o); // throughOutput is only for rows that need it
  const d_model = w_o.shape[2];
  const moved = zeros([batch, n_heads, n, d_model]);
  for (let each = 0; each < batch * n_heads; each++) {
    const head = heads[each % n_heads];
    const size = d_head * d_model;
    const columns = transposed(w_o.data.subarray(head * size, (head + 1) * size), d_head, d_model);
    const from = x.data.subarray(each * n * d_head, (each + 1) * n * d_head);
    const to = moved.data.subarray(each * n * d_model, (each + 1) * n * d_model);
    dots(from, columns, to, n, d_model, d_head);
  }
  return moved;
}

/** The length of each vector along the last axis. @param {Tensor} x @returns {Float32Array} */
function lengths({ shape, data }) {
  const d = shape[shape.length - 1];
  return Float32Array.from({ length: sizeOf(shape.slice(0, -1)) }, (_, row) => {
    let squares = 0;
    for (let at = row * d; at < (row + 1) * d; at++) squares += data[at] ** 2;
    return Math.sqrt(squares);
  });
}

/**
 * |weight[query, key]| · size[key].
 * @param {Tensor} weights (batch, head, row, key)
 * @param {Float32Array} sizes (batch · head · key)
 * @returns {Tensor}
 */
function weighted({ shape, data }, sizes) {
  const [, , n_rows, n_key] = shape;
  const product = data.map((share, cell) => {
    const matrix = Math.floor(cell / (n_rows * n_key));
    return Math.abs(share) * sizes[matrix * n_key + (cell % n_key)];
  });
  return { shape, data: product };
}

/** ‖v[key] · W_O[head]‖₂ · pattern, 0 for a muted head. @param {Part} part */
const norms = (part) =>
  part.withoutMuted(part.gated(weighted(part.weights, lengths(throughOutput(part, part.v)))));

/** The pattern of each head's pair: of its first head, less λ times that of its second. @param {Part} part @returns {Tensor} */
function net({ site, heads, rows, texts, requested }) {
  const [first, second] = [0, 1].map((at) => {
    const of = heads.map((head) => head - (head % 2) + at);
    return new Part(site, { heads: of, rows, texts, requested }).pattern;
  });
  const minus = /** @type {number} */ (site.minus); // its row needs it
  return { shape: first.shape, data: first.data.map((one, at) => one - minus * second.data[at]) };
}

/** pattern · ‖v[key]‖₂, each row divided by its sum. @param {Part} part @returns {Tensor} */
function valueWeighted(part) {
  const found = weighted(part.pattern, lengths(part.v));
  const n_key = found.shape[3];
  for (let start = 0; start < found.data.length; start += n_key) {
    let total = 0;
    for (let cell = start; cell < start + n_key; cell++) total += found.data[cell];
    if (total === 0) continue; // a row of zeros stays 0
    for (let cell = start; cell < start + n_key; cell++) found.data[cell] /= total;
  }
  return found;
}

/**
 * Everything about one tensor. All have the axes batch and head before `axes`.
 * @typedef {object} Row
 * @property {("row" | "key" | "d_head" | "d_model")[]} axes
 * @property {(part: Part) => AnyTensor} derive
 * @property {("q" | "k" | "v" | "bias" | "gate" | "minus" | "w_o" | "product")[]} needs fields that a site must have recorded
 * @property {TensorName[]} reads tensors that it is derived from
 * @property {boolean} is_bits reasons as uint8; otherwise it is float32
 * @property {boolean} is_share from 0 to 1, or bits: uint8 can hold it, and it can be max-pooled
 */

/** How each is derived. Muting comes after the values, so it leaves `value_weighted` as it is. @type {Readonly<Record<keyof typeof FACTS, Row["derive"]>>} */
const DERIVE = {
  q: (part) => narrow(part.of(part.site.q), 2, ...part.rows),
  k: (part) => part.of(part.site.k),
  v: (part) => part.v,
  scores: (part) => part.attention.scores,
  pattern: (part) => part.pattern,
  z: (part) => part.z,
  blocked_by: (part) => part.ofShared(part.site.mask.blockedBy(...part.rows)),
  bias: biasOf,
  gate: (part) => /** @type {Tensor} */ (part.gate), // its row needs it
  result: (part) => throughOutput(part, part.z),
  net,
  hidden: (part) => part.weights,
  norms,
  value_weighted: valueWeighted,
};

const NAMES = /** @type {(keyof typeof FACTS)[]} */ (Object.keys(FACTS));
const USUAL = { needs: [], reads: [], is_bits: false, is_share: false };

/** @type {Readonly<Record<TensorName, Row>>} */
export const TENSORS = Object.fromEntries(
  NAMES.map((name) => [name, { ...USUAL, ...FACTS[name], derive: DERIVE[name] }]),
);

/** The tensors that can be derived at a site with these fields recorded. @param {readonly string[]} fields @returns {TensorName[]} */
export const givenBy = (fields) =>
  Object.keys(TENSORS).filter((name) => TENSORS[name].needs.every((need) => fields.includes(need)));

/** The fields of a site of our own attention. @param {import("../types.d.ts").AttentionConfig} attention */
export const recordedBy = ({ output, gate, minus, kernel, selective }) => [
  ...["q", "k", "v", kernel],
  ...(selective ? ["bias"] : []),
  ...(output ? ["w_o"] : []),
  ...(gate ? ["gate"] : []),
  ...(minus === null ? [] : ["minus"]),
];

/** The tensors, and those that they are derived from. @param {readonly TensorName[]} names @returns {Set<TensorName>} */
export const withReads = (names) =>
  new Set(names.flatMap((name) => [name, ...TENSORS[name].reads]));
