// The map of a model as geometry: the residual stream runs down, the heads of each layer are on its left, its feed-forward network is on
// its right, and each part reads from the stream and adds to it. Pure.

import { widthOf } from "../textwidth.js";
import { drawTokens, PAD, ROW, SIZE } from "./tokens.js";

/** @import { Kind, TokenAxis } from "../../types.d.ts" */
/** @import { Attention, Stack } from "./plan.js" */
/** @typedef {"sentence" | "token" | "embedding" | "head" | "heads" | "feed" | "memory" | "output" | "unembedding" | "prediction"} PlaceKind */

/**
 * @typedef {object} Place something to go to
 * @property {string} id
 * @property {PlaceKind} kind "heads": all of a layer that is folded
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {string} label
 * @property {TokenAxis} axis of the tokens that run past it
 * @property {Kind} site the kind of attention of a head; elsewhere that of the stack
 * @property {number} at the layer; of a token, its position
 * @property {number} head -1 if it is not a head
 */
/** @typedef {{id: string, role: "stream" | "branch" | "memory", d: string}} Line */
/** @typedef {{role: "layer" | "node" | "more", x: number, y: number, text: string, anchor: "start" | "middle"}} Label */
/** @typedef {{x: number, y: number, width: number, height: number}} Norm */

/**
 * @typedef {object} Stage one step of the path of a token
 * @property {string} id
 * @property {"token" | "embedding" | "attention" | "feed" | "memory" | "output" | "unembedding" | "prediction"} kind
 * @property {Kind} site
 * @property {number} layer
 * @property {number} x where the token is then
 * @property {number} y
 * @property {string[]} places the ids of what works on it
 */

/** @typedef {{axis: TokenAxis, stages: Stage[]}} Path */
/** @typedef {{width: number, height: number, places: Place[], lines: Line[], labels: Label[], norms: Norm[], paths: Path[]}} Layout */

/**
 * @typedef {object} Given
 * @property {Stack[]} plan
 * @property {number} width in pixels, at most
 * @property {string | null} feed the name of the feed-forward networks; null: there are none
 * @property {"none" | "pre" | "post" | null} norm
 * @property {boolean} residual
 * @property {Partial<Record<TokenAxis, string[]>>} tokens
 * @property {Partial<Record<TokenAxis, number>>} at the token whose path is drawn
 * @property {(kind: Kind, layer: number) => boolean} open whether a layer shows its heads one by one
 * @property {string} result the label of the prediction
 * @property {number} [apart] more pixels between heads and the next ones, where arcs are drawn
 * @property {Record<"sentence" | "target" | "embedding" | "memory" | "output" | "unembedding", string>} names
 * @property {{layer: (layer: number) => string, part: (kind: Kind) => string, heads: (n: number) => string}} wording
 */

const BRANCH = 34; // from the stream to what it feeds
const NODE = 7; // the radius of a sum
const [MIN_PITCH, MAX_PITCH] = [28, 44]; // of heads
const WIDE = 520; // the name of a layer stands beside its heads
const NAME = { short: 64, long: 96 }; // "layer 2", "layer 2, self"
const GUTTER = 14; // left of the heads, for the lines of what a head looks at
const RAIL = 14; // at the left, what the encoder made

/** @param {Given} given @returns {Layout} */
export function layoutOf(given) {
  const { plan, feed } = given;
  const crosses = plan.some(({ end }) => end === "memory");
  const name = given.width < WIDE ? 0 : crosses ? NAME.long : NAME.short;
  const left = PAD + name + (crosses ? RAIL : 0) + GUTTER;
  const feedWidth = feed === null ? NODE + 30 : Math.max(100, widthOf(feed, SIZE) + 20);
  const most = Math.max(...plan.flatMap(({ layers }) => layers.map(widest)), 1);
  const room = given.width - left - 2 * BRANCH - feedWidth - PAD;
  const rows = Math.ceil(most / Math.max(1, Math.floor(room / MIN_PITCH)));
  const inRow = Math.ceil(most / rows); // as many in each row
  const pitch = Math.max(MIN_PITCH, Math.min(MAX_PITCH, Math.floor(room / inRow)));
  const stream = left + inRow * pitch + BRANCH;
  const width = Math.max(260, stream + BRANCH + feedWidth + PAD);
  const frame = { given, left, name, pitch, inRow, stream, width, feedWidth };
  /** @type {Layout} */
  const layout = { width, height: 0, places: [], lines: [], labels: [], norms: [], paths: [] };
  let y = PAD;
  let memory = { x: 0, y: 0 };
  for (const stack of plan) {
    y = drawStack(layout, frame, stack, y, memory);
    memory = { x: layout.places[layout.places.length - 1].x, y: y - ROW / 2 };
    y += 2 * PAD;
  }
  layout.height = Math.ceil(y - PAD);
  return layout;
}

/** @param {import("./plan.js").Layer} layer */
const widest = ({ attention }) => Math.max(...attention.map(({ n_heads }) => n_heads));

/** @typedef {{given: Given, left: number, name: number, pitch: number, inRow: number, stream: number, width: number, feedWidth: number}} Frame */

/**
 * @param {Layout} layout @param {Frame} frame @param {Stack} stack @param {number} top
 * @param {{x: number, y: number}} memory where what was read leaves its stack
 * @returns {number} the bottom
 */
function drawStack(layout, frame, stack, top, memory) {
  const { given, stream } = frame;
  const { axis, kind, layers, end } = stack;
  const { names, apart = 0 } = given;
  /** @type {Stage[]} */
  const stages = [];
  const here = { axis, site: kind, at: 0, head: -1 };
  /** @param {PlaceKind & Stage["kind"]} one @param {number} y @param {string} label */
  const box = (one, y, label) => {
    const width = Math.max(120, widthOf(label, SIZE) + 24);
    const x = Math.min(Math.max(PAD, stream - width / 2), frame.width - PAD - width);
    const id = `${one}:${kind}`;
    layout.places.push({ ...here, id, kind: one, x, y, width, height: ROW, label });
    stages.push({ id, kind: one, site: kind, layer: 0, x: stream, y: y + ROW / 2, places: [id] });
    return y + ROW;
  };
  const tokens = drawTokens(layout, frame, stack, top);
  stages.push(...tokens.stages);
  let y = box("embedding", tokens.bottom + 16, names.embedding);
  const from = y;
  y += PAD;
  for (const layer of layers) {
    for (const [place, attention] of layer.attention.entries()) {
      if (place > 0) y += apart;
      y = drawAttention(layout, frame, stack, attention, y, memory, stages);
    }
    if (given.feed !== null) y = drawFeed(layout, frame, stack, layer.layer, y, stages);
    y += PAD + 4 + apart;
  }
  y += PAD;
  layout.lines.push({ id: `stream:${kind}`, role: "stream", d: `M${stream} ${from}V${y}` });
  if (end === "prediction") {
    const next = box("unembedding", y, names.unembedding);
    layout.lines.push({
      id: `after:${kind}`,
      role: "stream",
      d: `M${stream} ${next}V${next + 14}`,
    });
    y = box("prediction", next + 14, given.result);
  } else y = box(end, y, names[end]);
  layout.paths.push({ axis, stages });
  return y;
}

/**
 * @param {Layout} layout @param {Frame} frame @param {Stack} stack @param {Attention} attention @param {number} top
 * @param {{x: number, y: number}} memory @param {Stage[]} stages
 * @returns {number} the bottom
 */
function drawAttention(layout, frame, stack, attention, top, memory, stages) {
  const { given, stream, pitch, inRow, name } = frame;
  const { kind, layer, n_heads } = attention;
  const open = given.open(kind, layer);
  const id = `${kind}:${layer}`;
  const part = given.wording.part(kind);
  const title = given.wording.layer(layer);
  const isFirst = stack.layers.some(({ attention: [first] }) => first === attention);
  const y = top + (name ? 4 : 20);
  const right = stream - BRANCH;
  const own = { axis: stack.axis, site: kind, at: layer };
  /** @type {Place[]} */
  const places = [];
  const columns = Math.min(n_heads, inRow);
  const begin = right - columns * pitch + 4;
  if (open) {
    for (let head = 0; head < n_heads; head += 1) {
      const x = begin + (head % inRow) * pitch;
      const size = {
        x,
        y: y + Math.floor(head / inRow) * (ROW + 4),
        width: pitch - 4,
        height: ROW,
      };
      places.push({
        ...own,
        ...size,
        id: `head:${id}:${head}`,
        kind: "head",
        label: `${head}`,
        head,
      });
    }
  } else {
    const size = { x: begin, y, width: right - begin, height: ROW };
    const label = given.wording.heads(n_heads);
    places.push({ ...own, ...size, id: `heads:${id}`, kind: "heads", label, head: -1 });
  }
  layout.places.push(...places);
  const rows = open ? Math.ceil(n_heads / inRow) : 1;
  const bottom = y + rows * (ROW + 4) - 4;
  const [out, back] = [y + 8, bottom - 8];
  branch(layout, frame, id, right, out, back);
  if (kind === "cross") {
    const d = `M${memory.x} ${memory.y}H${PAD + 4}V${bottom - 3}H${begin}`;
    layout.lines.push({ id: `memory:${id}`, role: "memory", d });
  }
  const text = [...(isFirst ? [title] : []), ...(part ? [part] : [])].join(", ");
  const middle = kind === "cross" ? y + 7 : y + ROW / 2; // the line to the heads is below
  layout.labels.push({
    role: "layer",
    text,
    anchor: "start",
    ...(name ? { x: PAD + (name === NAME.long ? RAIL : 0), y: middle } : { x: begin, y: top + 9 }),
  });
  stages.push({
    id: `attention:${id}`,
    kind: "attention",
    site: kind,
    layer,
    x: stream,
    y: back,
    places: places.map((place) => place.id),
  });
  return bottom;
}

/**
 * @param {Layout} layout @param {Frame} frame @param {Stack} stack @param {number} layer @param {number} above the bottom of the heads
 * @param {Stage[]} stages
 */
function drawFeed(layout, frame, { axis, kind }, layer, above, stages) {
  const { given, stream, feedWidth } = frame;
  const y = above - 4; // beside the heads, below their sum
  const id = `feed:${kind}:${layer}`;
  const x = stream + BRANCH;
  const size = { x, y, width: feedWidth, height: ROW };
  const own = { axis, site: kind, at: layer, head: -1 };
  layout.places.push({ ...own, ...size, id, kind: "feed", label: given.feed ?? "" });
  branch(layout, frame, id, x, y + 8, y + ROW - 8);
  stages.push({ id, kind: "feed", site: kind, layer, x: stream, y: y + ROW - 8, places: [id] });
  return y + ROW;
}

/** From the stream to a part and back. @param {Layout} layout @param {Frame} frame @param {string} id @param {number} x @param {number} out @param {number} back */
function branch(layout, { given, stream }, id, x, out, back) {
  const side = Math.sign(x - stream);
  const d = `M${stream} ${out}H${x}M${x} ${back}H${stream + side * NODE}`;
  layout.lines.push({ id: `branch:${id}`, role: "branch", d });
  const text = given.residual ? "+" : "=";
  layout.labels.push({ role: "node", x: stream, y: back, text, anchor: "middle" });
  if (given.norm === "pre") {
    layout.norms.push({ x: stream + side * 14 - 3, y: out - 6, width: 6, height: 12 });
  } else if (given.norm === "post") {
    layout.norms.push({ x: stream - 7, y: back + NODE + 1, width: 14, height: 5 });
  }
}
