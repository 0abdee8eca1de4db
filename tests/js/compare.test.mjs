import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import {
  CELL,
  cellAt,
  compared,
  largest,
  unionOf,
} from "../../static/js/views/compare/difference.js";
import { differing } from "../../static/js/views/compare/differing.js";
import { highlightMarks, outline, triptych } from "../../static/js/views/compare/triptych.js";
import { predictionsInWords, sentence, whereInWords } from "../../static/js/views/compare/words.js";
import { axisTitles } from "../../static/js/words/axes.js";

/** @param {number[][]} rows @param {number[][]} bits @param {string[]} words */
const side = (rows, bits, words) => ({
  matrix: { rows: rows.length, cols: rows[0].length, data: new Float32Array(rows.flat()) },
  blocked: { rows: rows.length, cols: rows[0].length, data: new Uint8Array(bits.flat()) },
  queries: words,
  keys: words,
});
const same = (/** @type {number} */ n) => Array.from({ length: n }, (_, at) => ({ a: at, b: at }));
const causal = [
  [0, 1, 1],
  [0, 0, 1],
  [0, 0, 0],
];
const open = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];
const words = ["a", "b", "c"];
const a = side(
  [
    [1, 0, 0],
    [0.5, 0.5, 0],
    [0.25, 0.25, 0.5],
  ],
  causal,
  words,
);
const b = side(
  [
    [0.5, 0.25, 0.25],
    [0.5, 0.25, 0.25],
    [0.5, 0.25, 0.25],
  ],
  open,
  words,
);
const round = (/** @type {ArrayLike<number>} */ data) => [...Array.from(data)].map((v) => v + 0);

test("B − A, cell by cell; what one may not see counts as the weight that it has, 0", () => {
  const both = compared(a, b, { queries: same(3), keys: same(3) });
  assert.deepEqual(round(both.matrix.data), [-0.5, 0.25, 0.25, 0, -0.25, 0.25, 0.25, 0, -0.25]);
  assert.deepEqual(
    Array.from(both.cells),
    causal.flat().map((bits) => (bits ? CELL.one : CELL.both)),
  );
  assert.ok(both.blocked.data.every((bits) => bits === 0));
});

test("what is blocked in both has no number, and keeps its reason", () => {
  const both = compared(a, a, { queries: same(3), keys: same(3) });
  assert.deepEqual(
    Array.from(both.cells),
    causal.flat().map((bits) => (bits ? CELL.blocked : CELL.both)),
  );
  assert.deepEqual(Array.from(both.blocked.data), causal.flat());
  assert.deepEqual(largest(both, 3), []);
  const painted = side([[0]], [[8 + 1]], ["a"]);
  const shared = compared(painted, side([[0]], [[1 + 2]], ["a"]), {
    queries: same(1),
    keys: same(1),
  });
  assert.deepEqual(Array.from(shared.blocked.data), [1]);
});

test("a token of one alone has a line without numbers, and its name says whose it is", () => {
  const [short, long] = [
    side([[1]], [[0]], ["cat"]),
    side(
      [
        [0.5, 0.5],
        [0.25, 0.75],
      ],
      [
        [0, 0],
        [0, 0],
      ],
      ["old", "Cat"],
    ),
  ];
  const pairs = [
    { a: null, b: 0 },
    { a: 0, b: 1 },
  ];
  const both = compared(short, long, { queries: pairs, keys: pairs });
  assert.deepEqual(Array.from(both.cells), [CELL.alone, CELL.alone, CELL.alone, CELL.both]);
  assert.deepEqual(round(both.matrix.data), [0, 0, 0, -0.25]);
  assert.deepEqual(both.queries, ["+ old", "cat | Cat"]);
  assert.equal(cellAt(both, short, long, 0).a, null);
  assert.deepEqual(cellAt(both, short, long, 3).b, { value: 0.75, blocked: 0 });
  assert.equal(unionOf(both, 0, 0, 0), 3);
  assert.equal(unionOf(both, 1, 0, 1), 1);
  const turned = compared(long, short, {
    queries: pairs.map(({ a, b }) => ({ a: b, b: a })),
    keys: pairs.map(({ a, b }) => ({ a: b, b: a })),
  });
  assert.deepEqual(turned.keys, ["− old", "Cat | cat"]);
  assert.deepEqual(round(turned.matrix.data), [0, 0, 0, 0.25]);
});

test("the largest differences come first, whatever their sign, and no more than asked", () => {
  const data = new Float32Array([0.1, -0.4, 0, 0.3, -0.2, 0.3]);
  const both = /** @type {any} */ ({ matrix: { rows: 2, cols: 3, data } });
  assert.deepEqual(largest(both, 3), [1, 3, 5]);
  assert.deepEqual(largest(both, 12), [1, 3, 5, 4, 0]);
});

test("the border of some cells is drawn once around them", () => {
  const box = { x: 0, y: 0, width: 20, height: 20 };
  const d = outline({ rows: 2, cols: 2 }, box, (row, col) => row === 0 && (col === 0 || col === 1));
  const edges = d.split("M").filter(Boolean).sort();
  assert.deepEqual(
    edges,
    ["0 0L0 10", "0 0L10 0", "0 10L10 10", "10 0L20 0", "10 10L20 10", "20 0L20 10"].sort(),
  );
});

const table = new Uint8ClampedArray(1024).map((_, at) => (at % 4 === 3 ? 255 : Math.floor(at / 4)));
/** @param {number} width */
const picture = (width) =>
  triptych({
    a,
    b,
    compared: compared(a, b, { queries: same(3), keys: same(3) }),
    width,
    titles: ["A: causal on", "B: causal off", "B − A"],
    title: "all",
    unit: "weight",
    range: { low: 0, high: 1 },
    tables: { side: table, difference: table },
    hatch: "#888",
    axes: Array(3).fill(axisTitles("self")),
    paper: { ink: "#000", faint: "#555", line: "#ccc", panel: "#fff", font: "sans" },
  });

test("three heatmaps side by side, the third with zero in the middle of its scale", () => {
  const { scene, plots } = picture(1000);
  assert.ok(plots[0].x + plots[0].width < plots[1].x && plots[1].x + plots[1].width < plots[2].x);
  assert.ok(plots.every(({ width, height }) => Math.abs(width - height) < 1));
  const images = scene.marks.filter((mark) => mark.mark === "image");
  const cells = images.filter(({ pixels }) => pixels.width === 3);
  assert.equal(cells.length, 3);
  // the largest difference is 0.5, so that −0.5 is the foot, 0 the middle and 0.25 three quarters of the scale
  const reds = Array.from(cells[2].pixels.data).filter((_, at) => at % 4 === 0);
  assert.deepEqual(reds, [0, 191, 191, 128, 64, 191, 191, 128, 64]);
  const texts = scene.marks.flatMap((mark) => (mark.mark === "text" ? [mark.text] : []));
  for (const text of ["−0.5000", "0", "+0.5000", "B − A", "A: causal on"])
    assert.ok(texts.includes(text), text);
  assert.ok(scene.marks.every((mark) => !("x" in mark) || mark.x <= 1000));
});

/** A comparison of a sentence with itself. @param {number} n tokens @param {number} width @param {number} [size] */
const ofTokens = (n, width, size) => {
  const tokens = Array.from({ length: n }, (_, at) => (at % 3 ? `of${at}` : `cabinets${at}`));
  const zeros = Array.from({ length: n }, () => Array(n).fill(0));
  const one = side(zeros, zeros, tokens);
  const { scene, plots } = triptych({
    a: one,
    b: one,
    compared: compared(one, one, { queries: same(n), keys: same(n) }),
    width,
    titles: ["A: x", "B: y", "B − A"],
    title: "all",
    unit: "weight",
    size,
    range: { low: 0, high: 1 },
    tables: { side: table, difference: table },
    hatch: "#888",
    axes: Array(3).fill(axisTitles("self")),
    paper: { ink: "#000", faint: "#555", line: "#ccc", panel: "#fff", font: "sans" },
  });
  const texts = scene.marks.flatMap((mark) => (mark.mark === "text" ? [mark] : []));
  const times = tokens.map((token) => texts.filter(({ text }) => text === token).length);
  return { plots, scene, texts, times };
};

test("the width is used, and every token has its label: the queries once for heatmaps in line", () => {
  for (const [n, width] of [
    [11, 735],
    [14, 735],
    [15, 829],
  ]) {
    const { plots, times } = ofTokens(n, width);
    assert.deepEqual(new Set(times), new Set([4]), `${n} tokens in ${width}`); // queries once, keys three times
    const [first, second, last] = plots;
    assert.ok(first.y === last.y && Math.abs(first.width - last.width) < 1);
    assert.ok(width - (last.x + last.width) <= 40, "the right end");
    assert.ok(second.x - (first.x + first.width) <= 40, "the gap");
  }
});

test("where not every label fits, A and B stay beside each other and the difference goes below", () => {
  const { plots, times, scene } = ofTokens(20, 735);
  assert.deepEqual(new Set(times), new Set([5]));
  assert.ok(plots[0].y === plots[1].y && plots[2].y > plots[0].y + plots[0].height);
  assert.ok(scene.height > plots[2].y + plots[2].height);
  for (const n of [44, 90]) {
    const { plots } = ofTokens(n, 735); // no arrangement has room for every label: the whole in sight
    assert.equal(plots[0].y, plots[2].y);
  }
});

test("for the back of a room all of its text is larger", () => {
  const { texts } = ofTokens(7, 1800, 24);
  assert.ok(texts.every(({ size }) => size >= 24));
});

test("on a narrow page they stand below each other", () => {
  const { scene, plots } = picture(360);
  assert.ok(plots[0].y + plots[0].height < plots[1].y && plots[1].y + plots[1].height < plots[2].y);
  assert.ok(scene.height > plots[2].y + plots[2].height);
});

test("the row that is read and the cell under the pointer are lit where they are", () => {
  const plots = [{ x: 10, y: 20, width: 30, height: 30 }];
  const sizes = [{ rows: 3, cols: 3 }];
  assert.deepEqual(
    highlightMarks(plots, sizes, [{ row: 1, cell: [2, 0] }], "red").map((mark) => ({
      ...mark,
      mark: "",
    })),
    [
      { mark: "", x: 10, y: 30, width: 30, height: 10, stroke: "red", line: 1.5 },
      { mark: "", x: 10, y: 40, width: 10, height: 10, stroke: "red", line: 2 },
    ],
  );
  assert.deepEqual(highlightMarks(plots, sizes, [{ row: null, cell: null }], "red"), []);
});

/** @type {import("../../static/js/types.d.ts").Against} */
const now = {
  model: "shipped",
  texts: ["The cat sat."],
  targets: [],
  pairs: null,
  shown: 0,
  masks: OWN_MASKS,
  muted: [],
  kind: "self",
  layer: 1,
  head: 3,
};
/** @param {object} changes @param {object} [base] */
const words_ = (changes, base = now) => sentence(differing(now, { ...base, ...changes }));

test("what differs is said in words, and nothing else", () => {
  const masks = (/** @type {object} */ more) => ({ masks: { ...OWN_MASKS, ...more } });
  assert.equal(words_(masks({ causal: false })), "A: the model’s own masks; B: causal off.");
  assert.equal(words_({ layer: 2, head: 1 }), "A: layer 1 head 3; B: layer 2 head 1.");
  assert.equal(words_({ model: "minilm" }), "A: Headlight small; B: minilm.");
  assert.equal(words_({ texts: ["A dog."] }), "A: “The cat sat.”; B: “A dog.”.");
  assert.equal(words_({ muted: [[2, 5]] }), "A: no head muted; B: layer 2 head 5 muted.");
  assert.equal(
    words_({
      ...masks({ window: 3, padding: false }),
      muted: [
        [0, 1],
        [0, 2],
        [0, 3],
        [0, 4],
      ],
    }),
    "A: the model’s own masks, no head muted; B: padding not masked, a window of 3, 4 heads muted.",
  );
  assert.equal(
    words_(masks({ blocked: [{ text: 0, layer: 0, head: 0, query: 1, key: 1, kind: null }] })),
    "A: the model’s own masks; B: 1 place blocked.",
  );
  assert.match(words_({}), /^A and B are the same/);
  assert.equal(words_({ texts: ["The cat sat.", "x"] }), "A: one text; B: text 1 of 2.");
});

test("what is predicted is said of both, and what became of A's first", () => {
  const token = (
    /** @type {number} */ id,
    /** @type {string} */ text,
    /** @type {number} */ p,
  ) => ({
    id,
    text,
    probability: p,
  });
  const left = [token(1, " mat", 0.41), token(2, " floor", 0.2)];
  const right = [token(2, " floor", 0.33), token(1, " mat", 0.121)];
  const at = { a: whereInWords(false, "“the”"), b: whereInWords(false, "“the”") };
  assert.equal(
    predictionsInWords(left, right, at),
    "After “the” A predicts “mat” (41.0%), B “floor” (33.0%). “mat” has 12.1% in B.",
  );
  assert.equal(
    predictionsInWords(left, right.slice(0, 1), at),
    "After “the” A predicts “mat” (41.0%), B “floor” (33.0%). “mat” is not among the top 1 of B.",
  );
  assert.equal(
    predictionsInWords(left, left.with(0, token(1, " mat", 0.5)), {
      ...at,
      b: whereInWords(false, "“a”"),
    }),
    "Both predict “mat”: A with 41.0% after “the”, B with 50.0% after “a”.",
  );
  assert.equal(
    predictionsInWords(left, null, at),
    "A predicts “mat” (41.0%) after “the”; B predicts nothing.",
  );
  assert.equal(predictionsInWords(null, null, at), "");
});

test("two long sentences that begin alike are named by where they part", () => {
  const side = (/** @type {string} */ text) => ({ ...now, texts: [text], shown: 0 });
  const start = "When Mary and John went to the store, John gave a drink to";
  const { a, b } = differing(side(`${start} the woman who`), side(`${start} his wife`));
  assert.deepEqual([a, b], [["“… to the woman who”"], ["“… to his wife”"]]);
  const early = differing(side("A cat and a dog sat on the mat, asleep"), side("A cat and two"));
  assert.deepEqual(early.b, ["“A cat and two”"]);
});
