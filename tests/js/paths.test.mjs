// The path map: which edges are drawn, where they lie, and what is said of them.

import assert from "node:assert/strict";
import test from "node:test";
import { layoutOf } from "../../static/js/draw/paths/layout.js";
import { composedIn, strongestOf } from "../../static/js/numbers/composition/composed.js";
import { composedSentence } from "../../static/js/numbers/composition/words.js";
import { drawnIn, idOf, nodesOf } from "../../static/js/views/paths/graph.js";
import { pathsRequest, secondIn } from "../../static/js/views/paths/request.js";
import { edgesCsv } from "../../static/js/views/paths/save.js";
import { pathsScene } from "../../static/js/views/paths/scene.js";
import {
  edgeSentence,
  logits,
  nodeInBrief,
  nodeInText,
  title,
} from "../../static/js/views/paths/words.js";
import { shipped } from "./models.mjs";

const head = (layer, head, position) => ({
  part: { kind: "head", layer, site: `layers.${layer}`, head },
  position,
});
const mlp = (layer, position) => ({
  part: { kind: "mlp", layer, site: null, head: null },
  position,
});
const token = (position) => ({
  part: { kind: "embedding", layer: null, site: null, head: null },
  position,
});
const answer = (position) => ({ part: null, position });
const edge = (sender, through, receiver, moved, verdict = "confirmed", promised = moved) => ({
  sender,
  receiver,
  through,
  promised,
  moved,
  verdict,
});
const EDGES = [
  edge(mlp(2, 3), "logit", answer(3), 8),
  edge(head(1, 4, 3), "mlp", mlp(2, 3), 4),
  edge(mlp(0, 1), "k", head(1, 4, 3), 2),
  edge(token(1), "v", head(1, 4, 3), -1),
  edge(head(0, 2, 1), "mlp", mlp(0, 1), 0.1, "denied", 6),
  edge(token(0), "v", head(0, 2, 1), 7), // behind an edge that is denied
  edge(token(3), "q", head(1, 4, 3), 0.4),
];
const TOKENS = ["[BOS]", " king", " saw", " it"].map((text, id) => ({ id, text }));
const of = (edges) => edges.map(({ sender, receiver }) => `${idOf(sender)} → ${idOf(receiver)}`);

test("weak edges are left out, and what no route leads to", () => {
  const drawn = drawnIn({ edges: EDGES }, 0);
  assert.equal(drawn.length, EDGES.length - 1);
  assert.ok(!drawn.includes(EDGES[5]));
  assert.deepEqual(
    drawn.map(({ moved }) => Math.abs(moved)),
    [8, 4, 2, 1, 0.4, 0.1],
  );
  // a promise that a cut denies counts by what was promised
  assert.deepEqual(of(drawnIn({ edges: EDGES }, 0.2)), of([0, 1, 2, 4].map((at) => EDGES[at])));
  // without the edge to the answer nothing leads there
  assert.deepEqual(drawnIn({ edges: EDGES.slice(1) }, 0), []);
});

test("nodes stand by their token and their layer", () => {
  const { nodes, names } = nodesOf(drawnIn({ edges: EDGES }, 0), 3);
  const rows = Object.fromEntries(nodes.map(({ id, row, column }) => [id, [row, column]]));
  assert.deepEqual(names, [
    "tokens",
    "layer 0 heads",
    "layer 0 feed-forward",
    "layer 1 heads",
    "layer 2 feed-forward",
    "logit",
  ]);
  assert.deepEqual(rows[idOf(token(1))], [0, 1]);
  assert.deepEqual(rows[idOf(head(0, 2, 1))], [1, 1]);
  assert.deepEqual(rows[idOf(head(1, 4, 3))], [3, 3]);
  assert.deepEqual(rows.answer, [5, 3]);
});

test("lines start at their sender and end at the entrance of their receiver", () => {
  const edges = drawnIn({ edges: EDGES }, 0);
  const { nodes } = nodesOf(edges, 3);
  for (const room of [300, 900]) {
    const layout = layoutOf({
      nodes,
      columns: [0, 1, 2, 3],
      labels: TOKENS.map(({ text }) => text.trim()),
      room,
      edges: edges.map(({ sender, receiver, through }) => ({
        from: idOf(sender),
        to: idOf(receiver),
        through,
      })),
    });
    const boxes = [...layout.boxes.values()];
    for (const [place, one] of boxes.entries()) {
      assert.ok(one.x >= 0 && one.x + one.width <= layout.width);
      assert.ok(one.y >= 0 && one.y + one.height <= layout.height);
      for (const other of boxes.slice(place + 1)) {
        const apart = Math.abs(one.x - other.x) >= one.width || Math.abs(one.y - other.y) >= 24;
        assert.ok(apart, `${one.id} covers ${other.id}`);
      }
    }
    edges.forEach((edge, index) => {
      const [from, to] = [edge.sender, edge.receiver].map((node) => layout.boxes.get(idOf(node)));
      const numbers = layout.lines[index].d.match(/-?[\d.]+/g).map(Number);
      assert.deepEqual(numbers.slice(0, 2), [from.x + from.width / 2, from.y]);
      const [x, y] = numbers.slice(-2);
      const at = { q: -14, k: 0, v: 14, mlp: 0, logit: 0 }[edge.through];
      assert.ok(Math.abs(x - (to.x + to.width / 2 + at)) < 1e-6);
      assert.ok(y >= to.y + to.height && y < from.y);
    });
  }
});

test("in little room the boxes of a cell stand one above the other, and nothing is cut", () => {
  const label = (/** @type {number} */ n) => `H${n}`;
  const heads = [0, 1].flatMap((column) =>
    Array.from({ length: 8 }, (_, n) => ({
      id: `${column}.${n}`,
      column,
      row: 1,
      label: label(n),
    })),
  );
  const top = { id: "answer", column: 1, row: 2, label: "logit" };
  const edges = heads.map(({ id }) => ({ from: id, to: "answer", through: "logit" }));
  const given = { nodes: [...heads, top], edges, columns: [0, 1], labels: ["a", "b"] };
  const lines = (/** @type {ReturnType<typeof layoutOf>} */ { boxes }) =>
    new Set([...boxes.values()].filter(({ row }) => row === 1).map(({ y }) => y)).size;
  const roomy = layoutOf({ ...given, room: 1200 });
  assert.equal(lines(roomy), 1);
  for (const [room, expected] of [
    [800, 2],
    [400, 3],
    [200, 8],
  ]) {
    const narrow = layoutOf({ ...given, room });
    assert.ok(narrow.width <= room, `${narrow.width} > ${room}`);
    assert.equal(lines(narrow), expected);
    const boxes = [...narrow.boxes.values()];
    for (const [place, one] of boxes.entries()) {
      assert.ok(one.y >= 0 && one.y + one.height <= narrow.height && Number.isFinite(one.x));
      for (const other of boxes.slice(place + 1))
        assert.ok(Math.abs(one.x - other.x) >= one.width || Math.abs(one.y - other.y) >= 24);
    }
  }
});

test("the picture for a file has every box, edge and mark", () => {
  const edges = drawnIn({ edges: EDGES }, 0);
  const { nodes, names } = nodesOf(edges, 3);
  const layout = layoutOf({
    nodes,
    columns: [0, 1, 2, 3],
    labels: TOKENS.map(({ text }) => text.trim()),
    room: 900,
    edges: edges.map(({ sender, receiver, through }) => ({
      from: idOf(sender),
      to: idOf(receiver),
      through,
    })),
  });
  const paper = { ink: "#111", faint: "#444", line: "#999", panel: "#fff", font: "serif" };
  const colours = { categories: ["#00a", "#0a0", "#a00", "#aa0"], falls: "#f0f", paper };
  const given = { most: 4, rows: names, title: "Routes", about: ["Width"] };
  const scene = pathsScene(layout, edges, given, colours);
  const { marks } = scene.marks.find(({ mark }) => mark === "group");
  const written = marks.flatMap((mark) => (mark.mark === "text" ? mark.text : []));
  const boxes = [...layout.boxes.values()].filter(({ row }) => row > 0);
  for (const text of [...boxes.map(({ label }) => label), ...names.slice(1), "Q", "K", "V"])
    assert.ok(written.includes(text), text);
  for (const { label } of layout.tokens) assert.ok(written.includes(label), label);
  const rects = marks.filter(({ mark }) => mark === "rect").length;
  assert.equal(rects, boxes.length + layout.tokens.length + names.length - 1);
  const last = Math.max(...layout.lines.map(({ d }) => marks.findIndex((mark) => mark.d === d)));
  const first = marks.findIndex(({ text }) => names.slice(1).includes(text));
  assert.ok(last < first, "an edge strikes a name through");
  const lines = new Map(marks.flatMap((mark) => (mark.mark === "path" ? [[mark.d, mark]] : [])));
  const strokes = { q: "#0a0", k: "#00a", v: "#aa0", mlp: "#444", logit: "#444" };
  edges.forEach(({ through, moved }, index) => {
    const line = lines.get(layout.lines[index].d);
    assert.equal(line.stroke, strokes[through]);
    assert.equal(line.line, Math.max(1.25, (11 * Math.abs(moved)) / 4));
  });
  const crosses = marks.filter(({ stroke }) => stroke === "#f0f").length;
  const denied = edges.filter(({ verdict }) => verdict === "denied").length;
  assert.ok(denied > 0);
  assert.equal(crosses, denied + 1); // and one in the legend
  for (const { x = 0, width = 0, mark } of marks)
    if (mark === "rect") assert.ok(x + width <= scene.width);
});

test("an edge is told in sentences", () => {
  const told = (edge) => edgeSentence(edge, TOKENS, "the logit of “x”");
  assert.equal(
    told(EDGES[2]),
    "Layer 1 head 4 at “it” finds what the feed-forward network of layer 0 at “king” wrote by its key. " +
      "Attribution promised 2.00; cutting just this edge lowers the logit of “x” by 2.00.",
  );
  assert.match(
    told(EDGES[3]),
    /^Layer 1 head 4 at “it” moves the embedding of “king”\..* raises .* by 1\.00\.$/,
  );
  assert.match(told(EDGES[4]), /promised 6\.00; .* by 0\.10\. The cut denies the promise\.$/);
  const of = { token: "is", against: "are", read: "“it” (token 3)", fills: false, logit: -1.5 };
  assert.equal(
    title(of),
    "Where the lead of “is” over “are” after “it” (token 3) comes from: −1.50 logits",
  );
});

test("what rounds to nothing is written as nearly 0", () => {
  assert.deepEqual([-0.004, 0.0049, 0, -0, -0.005, 1.5].map(logits), [
    "≈0",
    "≈0",
    "0",
    "0",
    "−0.01",
    "1.50",
  ]);
});

test("the request is of the watched token and its rival", () => {
  const lists = [[5, 8, 9].map((id) => ({ id, text: "a", probability: 0.1 }))];
  const state = {
    view: "paths",
    model: "m",
    texts: ["a"],
    targets: [],
    pairs: null,
    masks: {},
    muted: [],
    interventions: [],
    kind: "self",
    query: 2,
    shown: 0,
    token: null,
    versus: null,
    rival: "second",
    next: { answer: { trace: { predictions: lists } } },
  };
  const model = { state: "ready", predicts: "next", takes_targets: false };
  const asked = (more, traits = {}) => pathsRequest({ ...state, ...more }, { ...model, ...traits });
  assert.equal(secondIn(state), 8);
  assert.equal(secondIn({ ...state, token: 8 }), 5);
  const { paths } = asked({}).analyse;
  assert.deepEqual([paths.position, paths.token, paths.against], [2, null, 8]);
  assert.equal(asked({ versus: 9 }).analyse.paths.against, 9);
  assert.equal(asked({ rival: "none" }).analyse.paths.against, null);
  assert.equal(asked({ next: null }), null); // its rival is not known yet
  const long = { detail: { trace: { tokens: [Array(400).fill(0), Array(600).fill(0)] } } };
  assert.equal(asked(long).analyse.paths.limit, 60); // the server has not refused it yet
  assert.equal(asked({ ...long, most_runs: 33_000 }).analyse.paths.limit, 33);
  assert.equal(asked({ ...long, most_runs: 10 }).analyse.paths.limit, 1);
  assert.equal(asked({ ...long, most_runs: 90_000 }).analyse.paths.limit, 60);
  assert.equal(asked({ view: "map" }), null);
  assert.equal(asked({}, { predicts: null }), null);
  assert.equal(asked({}, { lacks: "it gives patterns only" }), null);
});

test("a file has every edge that was cut", () => {
  const lines = edgesCsv({ edges: EDGES }, TOKENS).trim().split(/\r?\n/);
  assert.equal(lines.length, EDGES.length + 1);
  assert.match(
    lines[1],
    /^"mlp",2,,3,3," it"," it","logit",,,3,3," it"," it","logit",8,8,"confirmed"$/,
  );
});

test("composition is a cell for each pair of heads", () => {
  const pair = (earlier, later, k) => ({ earlier, later, q: k, k, v: null });
  const trace = {
    model: "shipped",
    composition: [
      {
        pairs: [
          pair("layers.0", "layers.1", [
            [0.5, -2],
            [0, 1],
          ]),
        ],
        wholes: [{ site: "layers.1", head: 1, lift: 4, output: 1 }],
      },
    ],
    weight_composition: { pairs: [pair("layers.0", "layers.1", [[0.125, 0.5]])], baseline: 0.25 },
  };
  const state = {
    model: "shipped",
    models: [shipped],
    shown: 0,
    layer: 0,
    composition: { answer: { trace } },
  };
  const of = (more) => composedIn({ ...state, composed: "k", measured: "text", ...more });
  const onText = of({});
  assert.deepEqual(
    onText.cells.map(({ strength }) => strength),
    [0.25, -1, 0, 0.5],
  );
  assert.deepEqual(
    [onText.rows, onText.columns].map((side) => side.map(({ label }) => label)),
    [
      ["L0·H0", "L0·H1"],
      ["L1·H0", "L1·H1"],
    ],
  );
  const [best] = strongestOf(onText.cells, 1);
  assert.equal(
    composedSentence({ ...best, through: "k", lift: onText.liftOf(best.later) }, null),
    "L1·H1 reads L0·H0 through its keys: it lifts what L1·H1 attends to by −2.00, of 4.00 in all.",
  );
  assert.match(
    composedSentence({ ...best, value: -0.001, through: "k", lift: 0 }, null),
    /attends to by ≈0, of 0 in all\.$/,
  );
  const byWeights = of({ measured: "weights" });
  assert.deepEqual(
    byWeights.cells.map(({ strength }) => strength),
    [0, 1], // what chance gives, or less, is drawn as nothing
  );
  assert.equal(of({ composed: "v" }).cells.length, 0); // of another stack
  assert.equal(composedIn({ ...state, composition: null, composed: "k", measured: "text" }), null);
});

test("of a repeated token the position is named", () => {
  const tokens = ["John", "saw", "John"].map((text) => ({ ...TOKENS[0], text }));
  assert.equal(nodeInText(head(0, 2, 2), tokens), "layer 0 head 2 at “John” (token 2)");
  assert.equal(nodeInBrief(head(0, 2, 1), tokens), "L0 · H2 at “saw”");
});

test("a cut that moves much more than was promised says so", () => {
  const one = edge(head(0, 2, 1), "v", head(1, 0, 2), 5.9, "stronger", 1.94);
  assert.match(
    edgeSentence(one, TOKENS, "the logit"),
    /promised 1\.94; .* by 5\.90\. That is much more/,
  );
});
