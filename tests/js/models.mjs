// Models as /api/models describes them: a single stack, an encoder–decoder, one that takes segments, one that does not load.

/** @param {string} kind @param {number} layers @param {number} n_heads */
const sites = (kind, layers, n_heads) =>
  Array.from({ length: layers }, (_, layer) => ({
    name: `${kind}.${layer}`,
    kind,
    layer,
    n_heads,
  }));

const all = ["q", "k", "v", "scores", "pattern", "blocked_by", "norms"];
const ready = {
  state: "ready",
  predicts: "next",
  tensors: all,
  lacks: "",
  library_class: null,
  takes_targets: false,
  takes_pairs: false,
};

export const shipped = { ...ready, name: "shipped", sites: sites("self", 3, 8) };
export const other = { ...ready, name: "other", sites: sites("self", 2, 5) };
/** Two layers of three heads that read, three of four that write. */
export const t5 = {
  ...ready,
  name: "t5",
  takes_targets: true,
  sites: [...sites("encoder", 2, 3), ...sites("decoder", 3, 4), ...sites("cross", 3, 4)],
};
export const bert = {
  ...ready,
  name: "bert",
  predicts: "fill",
  takes_pairs: true,
  sites: sites("self", 3, 2),
};
/** Attention in two of its six layers. */
export const jamba = {
  ...ready,
  name: "jamba",
  sites: [1, 4].map((layer) => ({ name: `layers.${layer}`, kind: "self", layer, n_heads: 2 })),
};
export const bloom = {
  ...ready,
  name: "bloom",
  tensors: ["pattern", "blocked_by"],
  lacks: "it asks for alibi",
  sites: sites("self", 3, 2),
};
const settings = {
  seed: 0,
  d_model: 32,
  n_heads: 4,
  d_head: null,
  packing: "qkv head d_head",
  read_as: null,
  scale: "1/sqrt(d_head)",
  softmax_over: "key",
  mask_applied: "before",
  causal_diagonal: 0,
  positions: "none",
  norm: "none",
  residual: false,
  d_ff: 0,
  n_layers: 1,
  tokens: "words",
};
/** @param {string} name @param {string} type @param {any} [more] */
const setting = (name, type, more = {}) => ({
  name,
  type,
  options: [],
  limits: null,
  nullable: false,
  ...more,
});
const packings = ["qkv head d_head", "head qkv d_head", "d_head qkv head"];
const scales = ["1/sqrt(d_head)", "1/sqrt(d_model)"];
/** What the server takes as settings of a mechanism, in the order of the API. */
const taken = [
  setting("seed", "integer", { limits: [0, 2147483647] }),
  setting("d_model", "integer", { limits: [1, 256] }),
  setting("n_heads", "integer", { limits: [1, 16] }),
  setting("d_head", "integer", { limits: [1, 256], nullable: true }),
  setting("packing", "option", { options: packings }),
  setting("read_as", "option", { options: packings, nullable: true }),
  setting("scale", "number", { options: scales, limits: [0, 100] }),
  setting("softmax_over", "option", { options: ["key", "query"] }),
  setting("mask_applied", "option", { options: ["before", "after"] }),
  setting("causal_diagonal", "integer", { limits: [-1, 1] }),
  setting("positions", "option", { options: ["none", "sinusoidal", "rotary", "learned"] }),
  setting("norm", "option", { options: ["none", "pre", "post"] }),
  setting("residual", "flag"),
  setting("d_ff", "integer", { limits: [0, 1024] }),
  setting("n_layers", "integer", { limits: [1, 6] }),
  setting("tokens", "option", { options: ["words", "characters"] }),
];
/** Some of the mechanisms that the server has. */
export const mechanisms = [
  ["average", "none", "none", true, { n_heads: 1, d_model: 8, scale: 0 }],
  ["single-head", "separate", "none", true, { n_heads: 1, d_head: 16 }],
  ["multi-head", "separate", "linear", false, {}],
  ["fused-multi-head", "fused", "linear", false, { d_head: 12, packing: "d_head qkv head" }],
  ["cross-attention", "separate", "linear", false, {}],
].map(([id, projections, output, causal, own]) => ({
  id,
  name: `The ${id}`,
  about: "It attends.",
  projections,
  output,
  causal,
  cross: id === "cross-attention",
  defaults: { ...settings, .../** @type {object} */ (own) },
}));
export const scratch = {
  ...ready,
  name: "scratch",
  predicts: null,
  sites: sites("self", 1, 4),
  causal: false,
  n_layers: 1,
  n_heads: 4,
  d_model: 32,
  d_head: 8,
  mechanisms,
  tensors: [...all, "z", "result"],
  settings: taken,
};

/** @param {string} name */
export const unloaded = (name) => ({
  name,
  state: "not_loaded",
  sites: null,
  tensors: null,
  predicts: null,
  lacks: null,
  takes_targets: null,
  takes_pairs: null,
});
