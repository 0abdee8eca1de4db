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
  ...{ state: "ready", predicts: "next", tensors: all, lacks: "" },
  ...{ takes_targets: false, takes_pairs: false },
};

export const shipped = { ...ready, name: "shipped", sites: sites("self", 3, 8) };
export const other = { ...ready, name: "other", sites: sites("self", 2, 5) };
/** Two layers of three heads that read, three of four that write. */
export const t5 = {
  ...{ ...ready, name: "t5", takes_targets: true },
  sites: [...sites("encoder", 2, 3), ...sites("decoder", 3, 4), ...sites("cross", 3, 4)],
};
export const bert = {
  ...{ ...ready, name: "bert", predicts: "fill", takes_pairs: true },
  sites: sites("self", 3, 2),
};
export const bloom = {
  ...{ ...ready, name: "bloom", tensors: ["pattern", "blocked_by"], lacks: "it asks for alibi" },
  sites: sites("self", 3, 2),
};
/** @param {string} name */
export const unloaded = (name) => ({
  ...{ name, state: "not_loaded", sites: null, tensors: null, predicts: null, lacks: null },
  ...{ takes_targets: null, takes_pairs: null },
});
