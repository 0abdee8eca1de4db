// The reader's choice as a URL and back. The keys are the request's; what is at its default is left out.

import { heldOf, read, written } from "./against.js";
import { aligned, fit, kindsOf, modelIn } from "./choice.js";
import { decode, encode } from "./render/cells.js";
import { METRICS } from "./render/labels.js";
import { read as readScratch, write as writeScratch } from "./render/scratch/settings.js";

/** @typedef {import("./types.d.ts").Choice} Choice */
/** @typedef {import("./types.d.ts").Model} Model */

const MATRICES = /** @type {const} */ (["pattern", "scores", "norms", "rollout"]);
const KINDS = /** @type {const} */ (["self", "encoder", "decoder", "cross"]);
const SEGMENTS = /** @type {const} */ (["all", "AA", "AB", "BA", "BB"]);
const VIEWS = /** @type {const} */ (["heatmap", "lines", "inside", "compare"]);
const SPECIALS = /** @type {const} */ (["shown", "hidden", "renormalised"]);
const SCALES = /** @type {const} */ (["ink", "sea"]);
const LEFT = /** @type {const} */ (["row", "find"]);
const RIGHT = /** @type {const} */ (["next", "lens", "effects"]);
const TOP_K = 10; // predictions listed, unless the reader says otherwise
const [COOLEST, HOTTEST] = [0.05, 100]; // temperatures that the API takes
const LARGEST = 1_000_000; // what the API takes as an index
const BY = /** @type {const} */ (["probe", "sentence"]);

/**
 * @param {Choice} choice
 * @param {Model[]} models
 * @returns {string} a query string, with its "?" unless it is empty
 */
export function toQuery(choice, models) {
  const query = new URLSearchParams();
  if (choice.model !== models[0]?.name) query.set("model", choice.model);
  const known = models.some(({ name }) => name === choice.model);
  const model = known ? modelIn({ ...choice, models }) : undefined;
  if (model?.mechanisms) writeScratch(query, choice.scratch);
  for (const text of choice.texts) query.append("text", text);
  // what the model does not take is kept while the page is open, but is no part of what is seen
  const n = choice.texts.length;
  const targets = aligned(model?.takes_targets === false ? [] : choice.targets, n);
  if (targets.some(Boolean)) for (const text of targets) query.append("target", text);
  const pairs = model?.takes_pairs === false ? null : choice.pairs;
  if (pairs) for (const text of aligned(pairs, n)) query.append("pair", text);
  const { causal, padding, padding_side, window } = choice.masks;
  if (causal !== null) query.set("causal", String(causal));
  if (!padding) query.set("padding", "false");
  if (padding_side !== "right") query.set("padding_side", padding_side);
  if (window !== null) query.set("window", String(window));
  for (const cells of encode(choice.masks.blocked)) query.append("block", cells);
  for (const cells of encode(choice.masks.allowed)) query.append("free", cells);
  for (const head of choice.muted) query.append("muted", head.join("."));
  const [usual = "self"] = model ? kindsOf(model) : [];
  if (choice.kind !== usual) query.set("kind", choice.kind);
  query.set("layer", String(choice.layer));
  query.set("head", String(choice.head));
  if (choice.shown !== 0) query.set("shown", String(choice.shown));
  if (choice.query !== null) query.set("query", String(choice.query));
  if (choice.matrix !== MATRICES[0]) query.set("matrix", choice.matrix);
  if (choice.view !== VIEWS[0]) query.set("view", choice.view);
  if (choice.pinned.length > 0) query.set("pinned", choice.pinned.join(","));
  for (const head of choice.overlay) query.append("overlay", head.join("."));
  if (choice.mass !== 1) query.set("mass", String(choice.mass));
  if (choice.specials !== SPECIALS[0]) query.set("specials", choice.specials);
  if (choice.key !== null) query.set("key", String(choice.key));
  if (choice.step !== null) query.set("step", String(choice.step));
  if (choice.token !== null) query.set("token", String(choice.token));
  if (choice.temperature !== 1) query.set("temperature", String(choice.temperature));
  if (choice.top_k !== TOP_K) query.set("top_k", String(choice.top_k));
  if (choice.top_p !== 1) query.set("top_p", String(choice.top_p));
  if (choice.scale !== SCALES[0]) query.set("scale", choice.scale);
  if (choice.log) query.set("log", "true");
  if (choice.zoom) query.set("zoom", choice.zoom.join(","));
  if (choice.segments !== SEGMENTS[0]) query.set("segments", choice.segments);
  if (choice.find !== null) query.set("find", choice.find);
  if (choice.by !== BY[0]) query.set("by", choice.by);
  if (choice.least > 0) query.set("least", String(choice.least));
  if (choice.left !== LEFT[0]) query.set("left", choice.left);
  if (choice.right !== RIGHT[0]) query.set("right", choice.right);
  if (choice.against) {
    const held = toQuery({ ...choice, ...choice.against, against: null }, models);
    const said = written(held, query.toString());
    const turned = choice.against.transposed ? [said, "transposed=true"] : [said];
    query.set("against", turned.filter(Boolean).join("&"));
  }
  return `?${query}`;
}

/**
 * Whatever a link says that makes no sense falls back to the default; a head that the model does not have, to its nearest.
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
  /** @type {Choice} */
  const choice = {
    model: model.name,
    scratch: readScratch(query, models),
    texts,
    targets: query.getAll("target").slice(0, texts.length),
    pairs: query.has("pair") ? aligned(query.getAll("pair"), texts.length) : null,
    masks: {
      causal: causal === "true" ? true : causal === "false" ? false : null,
      padding: query.get("padding") !== "false",
      padding_side: query.get("padding_side") === "left" ? "left" : "right",
      window: whole(query.get("window"), 1, LARGEST),
      blocked: decode(query.getAll("block")),
      allowed: decode(query.getAll("free")),
    },
    muted: [...new Set(query.getAll("muted"))].flatMap(muteOf),
    kind: oneOf(KINDS, query.get("kind")),
    layer: whole(query.get("layer"), 0, LARGEST) ?? (fresh ? example.layer : 0),
    head: whole(query.get("head"), 0, LARGEST) ?? (fresh ? example.head : 0),
    shown: whole(query.get("shown"), 0, texts.length - 1) ?? 0,
    query: whole(query.get("query"), 0, LARGEST) ?? (fresh ? example.query : null),
    matrix: oneOf(MATRICES, query.get("matrix")),
    view: oneOf(VIEWS, query.get("view")),
    pinned: [...new Set(wholes(query.get("pinned")))],
    overlay: [...new Set(query.getAll("overlay"))].flatMap(muteOf).map(([l, h]) => [l, h]),
    mass: share(query.get("mass")) || 1,
    specials: oneOf(SPECIALS, query.get("specials")),
    key: whole(query.get("key"), 0, LARGEST),
    step: whole(query.get("step"), 0, LARGEST),
    token: whole(query.get("token"), 0, LARGEST),
    temperature: between(query.get("temperature"), COOLEST, HOTTEST) ?? 1,
    top_k: whole(query.get("top_k"), 1, 100) ?? TOP_K,
    top_p: share(query.get("top_p")) || 1,
    scale: oneOf(SCALES, query.get("scale")),
    log: query.get("log") === "true",
    zoom: zoomOf(wholes(query.get("zoom"))),
    against: query.has("against")
      ? {
          ...heldOf(fromQuery(read(search, query.get("against") ?? ""), models, example, maxTexts)),
          transposed: /(^|&)transposed=true(&|$)/.test(query.get("against") ?? ""),
        }
      : null,
    segments: oneOf(SEGMENTS, query.get("segments")),
    find: METRICS.find((name) => name === query.get("find")) ?? null,
    by: oneOf(BY, query.get("by")),
    least: share(query.get("least")),
    left: oneOf(LEFT, query.get("left")),
    right: oneOf(RIGHT, query.get("right")),
  };
  return { ...choice, ...fit(choice, modelIn({ ...choice, models })) };
}

/**
 * "1.3" is the head 3 of layer 1, "1.3.cross" that of its cross-attention alone.
 * @param {string} text
 * @returns {import("./types.d.ts").Mute[]} none where it is no head
 */
function muteOf(text) {
  const [layer, head, named, ...rest] = text.split(".");
  const [l, h] = [whole(layer, 0, LARGEST), whole(head, 0, LARGEST)];
  const kind = KINDS.find((name) => name === named);
  if (l === null || h === null || rest.length > 0 || kind !== named) return [];
  return [kind ? [l, h, kind] : [l, h]];
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

/** Numbers with commas between them; none where one of them is no number. @param {string | null} text */
function wholes(text) {
  const numbers = (text ?? "").split(",").map((part) => whole(part, 0, LARGEST));
  return numbers.every((number) => number !== null) ? numbers : [];
}

/** @param {number[]} numbers @returns {Choice["zoom"]} */
function zoomOf([top, bottom, left, right, ...rest]) {
  if (right === undefined || rest.length > 0 || top >= bottom || left >= right) return null;
  return [top, bottom, left, right];
}

/** @param {string | null} text @param {number} least @param {number} most */
function between(text, least, most) {
  if (text === null || !/^\d{1,3}(\.\d{1,3})?$/.test(text)) return null;
  const number = Number(text);
  return number >= least && number <= most ? number : null;
}
