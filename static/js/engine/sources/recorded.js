// A source that runs no model: it has one recorded trace, of which everything that needs no model is derived. A trace is recorded as
// an answer of POST /api/trace with q, k, v and blocked_by (and bias and gate, if there are any), or with stored patterns.

import { outOfPlanes } from "../../files/planes.js";
import { readSafetensors } from "../../files/safetensors.js";
import { CheckpointError, UnavailableError } from "../errors.js";
import { Mask } from "../masks/mask.js";
import { maskSettings } from "../masks/rules.js";
import { answersOf } from "./answers.js";
import { withWholeBiases } from "./diagonals.js";
import { RecordedMask } from "./recorded-mask.js";

/** @import { ModelInfo, Recorded as Inputs, Site as SiteJson, Tensor as AnyTensor, TraceJson } from "../../types.d.ts" */
/** @import { Bits, Inputs as AskedInputs, Site, Tensor, Trace } from "../types.d.ts" */

/**
 * @typedef {object} Recording
 * @property {TraceJson} trace the JSON part of the answer, with every head of its sites
 * @property {Map<string, AnyTensor>} tensors by name: "layers.2.q". k and v may have `n_kv_heads` heads
 * @property {Inputs} inputs those that the trace was recorded with, and the only ones that the source answers for
 * @property {Partial<ModelInfo>} [info] what is known of the model
 * @property {import("./answers.js").Answer[]} [answers] what the model said of the run
 */

const CAUSAL = 1; // the bit of `blocked_by`
const VECTORS = ["q", "k", "v", "scores", "z", "bias", "value_weighted"]; // what sites with q, k and v can give besides the pattern
const LACKS = "this page has one recorded run of it, not the model itself";

/**
 * A recording as `headlight export` stores it: one safetensors file with the answer's JSON part, the model's description and the
 * request in its metadata. Its numbers may lie in byte planes.
 * @param {ArrayBuffer} buffer
 * @returns {Recording}
 */
export function recordedFile(buffer) {
  const { metadata, tensors } = readSafetensors(outOfPlanes(buffer));
  const { trace, model, request, answers } = metadata;
  if (!trace || !request)
    throw new CheckpointError("This file holds no recorded run: it has no trace and no request.");
  const answer = JSON.parse(trace);
  return {
    trace: answer,
    tensors: withWholeBiases(answer, tensors),
    info: JSON.parse(model ?? "{}"),
    inputs: inputsOf(JSON.parse(request)),
    answers: JSON.parse(answers ?? "[]"),
  };
}

/** What a request says of its inputs, with everything that it leaves out. @param {any} request @returns {Inputs} */
const inputsOf = ({ texts, targets, pairs, special_tokens, masks, muted }) => ({
  texts,
  targets: targets ?? [],
  pairs: pairs ?? null,
  special_tokens: special_tokens !== false,
  masks: maskSettings(masks),
  muted: muted ?? [],
});

/**
 * @param {string} name
 * @param {Recording} recording
 */
export function recordedSource(name, recording) {
  const info = infoOf(name, recording);
  const trace = { ...traceOf(name, recording), lacks: info.lacks };
  /** @param {string} field @returns {never} */
  const refuse = (field) => {
    throw new UnavailableError(`${name} cannot be run again: ${info.lacks}.`, { field });
  };
  return {
    info,
    /** Token ids to probe the model with: it cannot be run, so there are none. @type {number[]} */
    ordinary_ids: [],
    /** @param {AskedInputs} inputs @returns {Trace} */
    trace(inputs) {
      const field = differing(recording.inputs, inputs);
      return field ? refuse(field) : trace;
    },
    /** @returns {never} */
    traceIds: () => refuse("texts"),
    /** @returns {never} */
    muteEffects: () => refuse("analyse.mute_effects"),
    /** @returns {never} */
    continued: () => refuse("analyse.branches"),
  };
}

/**
 * The field of the first input that is not the recorded one; null: all are.
 * @param {Inputs} recorded
 * @param {AskedInputs} asked
 */
function differing({ texts, targets, pairs, special_tokens, masks, muted }, asked) {
  if (asked.ids) return "ids";
  if (!equal(texts, asked.texts)) return "texts";
  if ((asked.special_tokens === false) !== (special_tokens === false)) return "special_tokens";
  if (!equal(writtenTargets(targets), writtenTargets(asked.targets ?? []))) return "targets";
  if (!equal(pairs, asked.pairs)) return "pairs";
  if (asked.generate) return "generate";
  // which side is padded was decided when it was recorded
  if (!equal({ ...masks, padding_side: "" }, { ...asked.masks, padding_side: "" })) return "masks";
  return equal(muted.map(mute), asked.muted.map(mute)) ? null : "muted";
}

/** Without the last ones that are empty: leaving them out says the same. @param {readonly string[]} targets */
const writtenTargets = (targets) => targets.slice(0, targets.findLastIndex(Boolean) + 1);

/** @param {readonly (string | number | null)[]} muted */
const mute = ([layer, head, kind = null]) => [layer, head, kind];

/** Whether two JSON values are equal; null equals what is left out. @param {any} one @param {any} other @returns {boolean} */
function equal(one, other) {
  if (one === null || typeof one !== "object") return (one ?? null) === (other ?? null);
  if (other === null || typeof other !== "object") return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => equal(one[key] ?? null, other[key] ?? null));
}

/** @param {string} name @param {Recording} recording @returns {Trace} */
function traceOf(name, { trace, tensors, info, answers }) {
  const rows = [...trace.tokens, ...(trace.target_tokens ?? [])];
  const special = rows.flat().flatMap((token) => (token.special ? token.id : []));
  return {
    model: name,
    tokens: trace.tokens,
    target_tokens: trace.target_tokens ?? null,
    sites: trace.sites.map((site) => siteOf(site, trace, tensors)),
    stages: null,
    unembed: null,
    token_text: null,
    special_ids: new Set(special),
    predicts: info?.predicts ?? null,
    read_at: trace.predicted_at ?? null,
    settings: null,
    predicted: trace.predictions && ((asked) => predicted(name, trace, asked)),
    answered: answersOf(answers ?? [], trace),
  };
}

/**
 * The recorded predictions, if they are what is asked for.
 * @param {string} name
 * @param {TraceJson} trace
 * @param {import("../types.d.ts").Predicting} asked
 * @returns {import("../../types.d.ts").Listed[][]}
 */
function predicted(name, { predictions, predicted_at }, asked) {
  const rows = predictions ?? [];
  const { position, temperature, top_p, top_k, tokens, unedited } = asked;
  const isThere = position === null || predicted_at?.every((at) => at === position);
  const isAsRecorded = temperature === 1 && top_p === null && unedited === null;
  if (!isThere || !isAsRecorded) {
    throw new UnavailableError(
      `${name} predicts only at the position at which it was recorded, at temperature 1: ${LACKS}.`,
      { field: "predict" },
    );
  }
  if (!rows.every((row) => tokens.every((id) => row.some((one) => one.id === id)))) {
    throw new UnavailableError(`${name} has no recorded probability of this token.`, {
      field: "predict.tokens",
    });
  }
  return rows.map((row) => row.filter(({ id }, index) => index < top_k || tokens.includes(id)));
}

/**
 * @param {SiteJson} site
 * @param {TraceJson} trace
 * @param {Map<string, AnyTensor>} tensors
 * @returns {Site}
 */
function siteOf(site, trace, tensors) {
  const { name, heads, query_tokens, key_tokens } = site;
  const tensor = (/** @type {string} */ part) =>
    /** @type {Tensor | null} */ (tensors.get(`${name}.${part}`) ?? null);
  const [q, stored_pattern] = [tensor("q"), tensor("pattern")];
  const n_heads = heads.length;
  const sizes = {
    n_heads,
    batch: trace.tokens.length,
    n_query: trace[query_tokens]?.[0]?.length ?? 0,
    n_key: trace[key_tokens]?.[0]?.length ?? 0,
  };
  if (!q && !stored_pattern)
    throw new CheckpointError(`${name} has neither q, k and v nor a pattern.`);
  const { sink } = site;
  const bits = /** @type {Bits | null} */ (tensors.get(`${name}.blocked_by`) ?? null);
  return {
    name,
    kind: site.kind,
    layer: site.layer,
    n_heads,
    n_kv_heads: site.n_kv_heads,
    mask: bits ? new RecordedMask(bits, sizes) : new Mask(sizes),
    q,
    k: spread(tensor("k"), n_heads),
    v: spread(tensor("v"), n_heads),
    stored_pattern,
    scale: site.scale,
    bias: tensor("bias"),
    gate: tensor("gate"),
    minus: site.minus ?? null,
    soft_cap: site.soft_cap,
    w_o: null,
    sink: sink && { shape: [n_heads], data: Float32Array.from(sink) },
    softmax_over: site.softmax_over,
    mask_applied: site.mask_applied ?? "before",
    kernel: site.kernel ?? "exp",
    muted: site.muted,
    query_tokens,
    key_tokens,
  };
}

/**
 * Grouped heads, one for each query head: each is repeated for the queries of its group.
 * @param {Tensor | null} tensor (batch, kv_head, key, d_head)
 * @param {number} n_heads
 * @returns {Tensor | null} (batch, head, key, d_head)
 */
function spread(tensor, n_heads) {
  if (!tensor || tensor.shape[1] === n_heads) return tensor;
  const [batch, groups, n_key, d_head] = tensor.shape;
  const size = n_key * d_head;
  const data = new Float32Array(batch * n_heads * size);
  for (let text = 0; text < batch; text++) {
    for (let head = 0; head < n_heads; head++) {
      const from = (text * groups + Math.floor((head * groups) / n_heads)) * size;
      data.set(tensor.data.subarray(from, from + size), (text * n_heads + head) * size);
    }
  }
  return { shape: [batch, n_heads, n_key, d_head], data };
}

/**
 * The recorded model as GET /api/models describes models.
 * @param {string} name
 * @param {Recording} recording
 * @returns {ModelInfo}
 */
export function infoOf(name, { trace, tensors, inputs, info = {} }) {
  const { sites } = trace;
  const every = (/** @type {string} */ part) =>
    sites.every((site) => tensors.has(`${site.name}.${part}`));
  const some = (/** @type {string} */ part) =>
    sites.some((site) => tensors.has(`${site.name}.${part}`));
  const isWhole = every("q") && every("k") && every("v");
  const n_tokens = Math.max(
    ...[...trace.tokens, ...(trace.target_tokens ?? [])].map((row) => row.length),
  );
  const causal = sites.some(({ name }) =>
    tensors.get(`${name}.blocked_by`)?.data.some((bits) => (bits & CAUSAL) !== 0),
  );
  const d_head = tensors.get(`${sites[0].name}.q`)?.shape[3] ?? 0;
  return {
    description: "",
    library_class: null,
    vocab_size: 0,
    n_parameters: 0,
    d_model: 0,
    d_head,
    max_tokens: n_tokens,
    trained_tokens: n_tokens,
    trained_on: null,
    unknown_id: null,
    causal,
    d_ff: null,
    norm: null,
    residual: true,
    mechanisms: null,
    settings: null,
    film: null,
    step: null,
    sister: null,
    takes_targets: trace.target_tokens !== null,
    takes_pairs: inputs.pairs !== null,
    classes: [],
    ...info,
    name,
    takes_messages: false, // its text is fixed
    n_layers: Math.max(...sites.map(({ layer }) => layer)) + 1,
    n_heads: Math.max(...sites.map(({ heads }) => heads.length)),
    sites: sites.map(({ name, kind, layer, heads }) => ({
      name,
      kind,
      layer,
      n_heads: heads.length,
    })),
    tensors: [
      "pattern",
      "blocked_by",
      ...(isWhole ? VECTORS.filter((name) => name !== "bias" || some("bias")) : []),
    ],
    predicts: trace.predictions ? (info.predicts ?? null) : null,
    lacks: info.lacks || LACKS,
    stream_lacks: info.lacks || LACKS,
    recorded: inputs,
  };
}
