// Attribution graphs, as circuit-tracer and Neuronpedia write them.

import assert from "node:assert/strict";
import test from "node:test";
import { graphOf, isGraph, placesOf, strongest } from "../../../static/js/own/graph.js";
import { openFile } from "../../../static/js/own/open.js";
import * as words from "../../../static/js/panels/own/words.js";

const node = (
  /** @type {string} */ id,
  /** @type {string} */ layer,
  /** @type {number} */ at,
  more = {},
) => ({
  node_id: id,
  layer,
  ctx_idx: at,
  feature_type: "cross layer transcoder",
  clerp: "",
  activation: null,
  ...more,
});
const THEIRS = {
  metadata: { scan: "gemma-2-2b", prompt_tokens: ["<bos>", "Dallas", " is"], prompt: "Dallas is" },
  qParams: { pinnedIds: [] },
  nodes: [
    node("E_77_1", "E", 1, { feature_type: "embedding" }),
    node("3_41_2", "3", 2, { clerp: "Texas", activation: 12.5 }),
    node("3_42_2", "3", 2),
    node("27_9_2", "27", 2, { feature_type: "logit", clerp: 'Output " Austin"' }),
  ],
  links: [
    { source: "E_77_1", target: "3_41_2", weight: 0.7 },
    { source: "3_41_2", target: "27_9_2", weight: -1.5 },
    { source: "3_42_2", target: "27_9_2", weight: 0.1 },
  ],
};

test("a graph is read from a file, and is no array", async () => {
  const { opened } = await openFile(new Blob([JSON.stringify(THEIRS)]));
  const { graph } = /** @type {any} */ (opened);
  assert.deepEqual(graph.tokens, ["<bos>", "Dallas", " is"]);
  assert.equal(graph.nodes[1].label, "Texas");
  assert.equal(graph.nodes[0].layer, -1);
  assert.equal(graph.nodes[0].label, "E_77_1"); // it has no other
  assert.match(words.GRAPH.about(graph), /^“Dallas is”, in gemma-2-2b: 4 nodes and 3 links/);
});

test("the strongest links come first, of either sign, or those of one node", () => {
  const graph = graphOf(THEIRS);
  assert.deepEqual(
    strongest(graph, 2).map(({ weight }) => weight),
    [-1.5, 0.7],
  );
  assert.deepEqual(
    strongest(graph, 9, "3_42_2").map(({ source }) => source),
    ["3_42_2"],
  );
});

test("nodes of a token and layer stand beside each other, and empty layers take no room", () => {
  const { places, layers, positions, widest } = placesOf(graphOf(THEIRS).nodes);
  assert.deepEqual(layers, [-1, 3, 27]);
  assert.deepEqual(positions, [1, 2]); // nothing is at 0
  assert.deepEqual(widest, [1, 2]);
  assert.deepEqual(places.get("27_9_2"), { x: 1, y: 2 });
  const [one, other] = ["3_41_2", "3_42_2"].map((name) => places.get(name)?.x ?? 0);
  assert.ok(one < 1 && other > 1 && other - one < 1);
});

test("what is wrong is said", () => {
  const wrong = (/** @type {object} */ more, /** @type {RegExp} */ said) =>
    assert.throws(() => graphOf({ ...THEIRS, ...more }), said);
  wrong({ metadata: {} }, /names no tokens/);
  wrong({ nodes: [], links: [] }, /has no nodes/);
  wrong({ nodes: [node("a", "x", 0)] }, /Node 0 .* has no name, layer or position/);
  wrong({ nodes: [node("a", "1", 9)] }, /Node 0/);
  wrong({ links: [{ source: "E_77_1", target: "nobody", weight: 1 }] }, /Link 0 .* no node/);
  wrong({ links: [{ source: "E_77_1", target: "3_41_2", weight: null }] }, /has no weight/);
  assert.equal(isGraph({ nodes: [1] }), false);
  assert.equal(isGraph(null), false);
});
