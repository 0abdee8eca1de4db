import assert from "node:assert/strict";
import test from "node:test";
import { layoutInText } from "../../static/js/draw/axes.js";
import { cellNumbers } from "../../static/js/draw/cellnumbers.js";
import { plotOf } from "../../static/js/draw/heatmap.js";
import { anySets, keysOf, sameWords, setsText, withSwitches } from "../../static/js/learn/links.js";
import { rowInWords } from "../../static/js/words/announce.js";

const scale = {
  name: "Scale",
  options: [
    { label: "usual", set: "" },
    { label: "none", set: "scratch.scale=1" },
    { label: "own", set: "without=scratch.scale,query" },
  ],
};
const order = {
  name: "Order",
  options: [
    { label: "as it is", set: "" },
    { label: "turned", set: "text=mat the on&text=b" },
  ],
};
const LINK = "?model=scratch&scratch.scale=0.5&text=on the mat&query=2&against=scratch.scale%3D3";
const of = (query) => [...new URLSearchParams(query)].map(([key, value]) => `${key}=${value}`);

test("a switch knows the keys that it sets, and those that it takes away", () => {
  assert.deepEqual(keysOf(scale), ["scratch.scale", "query"]);
  assert.ok(setsText(order));
  assert.ok(!setsText(scale));
  assert.ok(anySets([order, scale], "query"));
  assert.ok(!anySets([order], "query"));
});

test("an option replaces the keys of the link, all values at once", () => {
  const query = withSwitches(LINK, LINK, [scale, order], [1, 1]);
  assert.deepEqual(of(query).sort(), [
    "against=scratch.scale=3",
    "model=scratch",
    "query=2",
    "scratch.scale=1",
    "text=b",
    "text=mat the on",
  ]);
});

test("turned back, every key is the link's again; what no switch sets stays as it was chosen", () => {
  const now = "?model=scratch&scratch.scale=1&text=on the mat&head=3&query=0";
  const query = of(withSwitches(now, LINK, [scale], [0])).sort();
  const own = ["against=scratch.scale=3", "head=3", "model=scratch", "query=2"];
  assert.deepEqual(query, [...own, "scratch.scale=0.5", "text=on the mat"]);
});

test("an option can take a key away", () => {
  const keys = [...new URLSearchParams(withSwitches(LINK, LINK, [scale], [2])).keys()];
  assert.deepEqual(keys.sort(), ["against", "model", "text"]);
});

test("what was typed stays while another switch is turned", () => {
  const now = "?model=scratch&text=typed&query=2";
  const typed = new URLSearchParams(withSwitches(now, LINK, [scale, order], [1, -1]));
  assert.deepEqual(typed.getAll("text"), ["typed"]);
  const back = new URLSearchParams(withSwitches(now, LINK, [scale, order], [1, 0]));
  assert.deepEqual(back.getAll("text"), ["on the mat"]);
});

test("the same words are the same in any order and case, each as often", () => {
  const of = (...texts) => ({ texts, targets: [] });
  assert.ok(sameWords(of("Dog bites man"), of(" man  bites dog")));
  assert.ok(!sameWords(of("man bites man"), of("man bites bites")));
  assert.ok(!sameWords(of("a", "b"), of("b", "a")));
});

test("a row at rest says how many keys it leaves out; a fourth and last one is named", () => {
  const row = (...data) => ({
    row: 0,
    queryLabels: ["q"],
    keyLabels: ["a", "b", "c", "d", "e"],
    pattern: { cols: 5, data },
  });
  const five = rowInWords(row(0.3, 0.25, 0.2, 0.15, 0.1), true);
  assert.equal(five, "“q” looks at “a” 0.3000, “b” 0.2500, “c” 0.2000 and 2 more.");
  assert.ok(rowInWords(row(0.4, 0.3, 0.2, 0.1, 0), true).endsWith("“d” 0.1000."));
});

const table = new Uint8ClampedArray(256 * 4).map((_, at) => 255 - Math.floor(at / 4));
const paper = {
  ink: "rgb(0, 0, 0)",
  panel: "rgb(255, 255, 255)",
  font: "f",
  faint: "#777",
  line: "#ccc",
};
const labels = { queries: ["a", "b"], keys: ["c", "d", "e"] };
const drawn = (width, data = [1, 0, 0.25, 0.75, 0, 0]) => {
  const { layout, height } = layoutInText(width, labels);
  const plot = plotOf(layout);
  const matrix = { rows: 2, cols: 3, data: Float32Array.from(data) };
  const blocked = { rows: 2, cols: 3, data: Uint8Array.from([0, 1, 1, 0, 0, 1]) };
  const range = { low: 0, high: 1 };
  return { height, plot, numbers: cellNumbers(matrix, blocked, plot, { table, range, paper }) };
};

test("cells are square and hold their numbers; a blocked zero has none, a blocked weight does", () => {
  const { height, plot, numbers } = drawn(600);
  assert.equal(plot.width / 3, plot.height / 2);
  assert.ok(height >= plot.y + plot.height);
  assert.deepEqual(
    numbers.map(({ text }) => text),
    ["1.00", "0.25", "0.75", "0.00"],
  );
});

test("a number is dark on a light cell and light on a dark one, in the middle of its cell", () => {
  const { plot, numbers } = drawn(600);
  const [strong, weak] = numbers;
  assert.equal(strong.fill, paper.panel);
  assert.equal(weak.fill, paper.ink);
  assert.equal(weak.x, plot.x + (2.5 / 3) * plot.width);
  assert.equal(weak.y, plot.y + 0.25 * plot.height);
});

test("numbers that do not fit are left out, all of them", () => {
  assert.deepEqual(drawn(100).numbers, []);
  assert.equal(drawn(600, [-1.5, 0, 0, 0, -0.001, 0]).numbers[0].text, "−1.50");
  assert.equal(drawn(600, [1, 0, 0, 0, -0.001, 0]).numbers.at(-1).text, "0.00");
});
