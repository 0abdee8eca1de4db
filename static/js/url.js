// The reader's choice as a URL and back. The keys are the request's; what is at its default is left out.

import { METRICS } from "./render/labels.js";

/** @typedef {import("./types.d.ts").Choice} Choice */
/** @typedef {import("./types.d.ts").Model} Model */

const MATRICES = /** @type {const} */ (["pattern", "scores", "norms", "rollout"]);
const LEFT = /** @type {const} */ (["row", "find"]);
const RIGHT = /** @type {const} */ (["next", "lens", "effects"]);
const BY = /** @type {const} */ (["probe", "sentence"]);

/**
 * @param {Choice} choice
 * @param {Model[]} models
 * @returns {string} a query string, with its "?" unless it is empty
 */
export function toQuery(choice, models) {
  const query = new URLSearchParams();
  if (choice.model !== models[0]?.name) query.set("model", choice.model);
  for (const text of choice.texts) query.append("text", text);
  const { causal, padding, padding_side, window } = choice.masks;
  if (causal !== null) query.set("causal", String(causal));
  if (!padding) query.set("padding", "false");
  if (padding_side !== "right") query.set("padding_side", padding_side);
  if (window !== null) query.set("window", String(window));
  for (const head of choice.muted) query.append("muted", head.join("."));
  query.set("layer", String(choice.layer));
  query.set("head", String(choice.head));
  if (choice.shown !== 0) query.set("shown", String(choice.shown));
  if (choice.query !== null) query.set("query", String(choice.query));
  if (choice.matrix !== MATRICES[0]) query.set("matrix", choice.matrix);
  if (choice.find !== null) query.set("find", choice.find);
  if (choice.by !== BY[0]) query.set("by", choice.by);
  if (choice.least > 0) query.set("least", String(choice.least));
  if (choice.left !== LEFT[0]) query.set("left", choice.left);
  if (choice.right !== RIGHT[0]) query.set("right", choice.right);
  return `?${query}`;
}

/**
 * Whatever a link says that does not fit (an unknown model, a head that is not there) falls back to the default.
 * @param {string} search
 * @param {Model[]} models
 * @param {{texts: string[], layer: number, head: number, query: number | null}} example what a fresh page shows
 * @param {number} maxTexts
 * @returns {Choice}
 */
export function fromQuery(search, models, example, maxTexts) {
  const query = new URLSearchParams(search);
  const model = models.find(({ name }) => name === query.get("model")) ?? models[0];
  if (!model) throw new Error("The server has no models.");
  const texts = query.has("text")
    ? query.getAll("text").slice(0, maxTexts)
    : example.texts.slice(0, maxTexts);
  const causal = query.get("causal");
  const fresh = !query.has("text") && !query.has("layer");
  // a model that is still being loaded has no sizes yet: what a link says of it stands
  const lastLayer = (model.n_layers ?? Number.MAX_SAFE_INTEGER) - 1;
  const lastHead = (model.n_heads ?? Number.MAX_SAFE_INTEGER) - 1;
  return {
    model: model.name,
    texts,
    masks: {
      causal: causal === "true" ? true : causal === "false" ? false : null,
      padding: query.get("padding") !== "false",
      padding_side: query.get("padding_side") === "left" ? "left" : "right",
      window: whole(query.get("window"), 1, 1_000_000),
    },
    muted: [...new Set(query.getAll("muted"))]
      .map((pair) => pair.split("."))
      .map(([layer, head]) => [whole(layer, 0, lastLayer) ?? -1, whole(head, 0, lastHead) ?? -1])
      .filter(([layer, head]) => layer >= 0 && head >= 0)
      .map(([layer, head]) => [layer, head]),
    layer:
      whole(query.get("layer"), 0, lastLayer) ?? (fresh ? Math.min(example.layer, lastLayer) : 0),
    head: whole(query.get("head"), 0, lastHead) ?? (fresh ? Math.min(example.head, lastHead) : 0),
    shown: whole(query.get("shown"), 0, texts.length - 1) ?? 0,
    query: whole(query.get("query"), 0, Number.MAX_SAFE_INTEGER) ?? (fresh ? example.query : null),
    matrix: oneOf(MATRICES, query.get("matrix")),
    find: METRICS.find((name) => name === query.get("find")) ?? null,
    by: oneOf(BY, query.get("by")),
    least: share(query.get("least")),
    left: oneOf(LEFT, query.get("left")),
    right: oneOf(RIGHT, query.get("right")),
  };
}

/**
 * @template {string} T
 * @param {readonly T[]} known the default first
 * @param {string | null} text
 */
const oneOf = (known, text) => known.find((name) => name === text) ?? known[0];

/** A share with two decimals; 0 for what is none. @param {string | null} text */
function share(text) {
  const number = text !== null && /^(0(\.\d+)?|1)$/.test(text) ? Number(text) : 0;
  return Math.round(100 * number) / 100;
}

/**
 * @param {string | null | undefined} text
 * @param {number} least
 * @param {number} most
 */
function whole(text, least, most) {
  if (text == null || !/^\d+$/.test(text)) return null;
  const number = Number(text);
  return number >= least && number <= most ? number : null;
}
