import assert from "node:assert/strict";
import test from "node:test";
import { isBlocked, line, paint } from "../../static/js/edit/brush.js";
import {
  covers,
  decode,
  encode,
  MAX_CELLS,
  ofModel,
  tidy,
} from "../../static/js/state/painted/cells.js";
import { shipped, t5 } from "./models.mjs";

/** @param {Partial<import("../../static/js/types.d.ts").Cell>} some */
const cell = (some) => ({
  text: 0,
  layer: null,
  head: null,
  query: null,
  key: null,
  kind: null,
  ...some,
});

/** A stream of numbers that is the same in every run. @param {number} seed */
function random(seed) {
  let state = seed;
  return (/** @type {number} */ n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

test("any paint comes back from its short form exactly", () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const draw = random(seed);
    const perhaps = (/** @type {number} */ n) => (draw(4) === 0 ? null : draw(n));
    const kinds = [null, null, "self", "encoder", "decoder", "cross"];
    const cells = Array.from({ length: draw(60) }, () => ({
      text: perhaps(2),
      layer: perhaps(3),
      head: perhaps(4),
      query: perhaps(1 + draw(30)),
      key: perhaps(1 + draw(30)),
      kind: kinds[draw(6)],
    }));
    const strings = encode(cells);
    assert.deepEqual(decode(strings), tidy(cells), `seed ${seed}: ${strings}`);
    for (const string of strings) assert.equal(encodeURIComponent(string), string);
  }
});

test("a block of cells is short", () => {
  const cells = Array.from({ length: 144 }, (_, i) =>
    cell({ layer: 1, head: 2, query: Math.floor(i / 12), key: i % 12 }),
  );
  assert.deepEqual(encode(cells), ["0.1.2_0-11.0-11"]);
  assert.deepEqual(encode([cell({ key: 3 })]), ["0.*.*_*.3"]);
  assert.deepEqual(encode([cell({ key: 3, kind: "cross" })]), ["0.*.*.cross_*.3"]);
});

test("what is not painted is left out, and the rest stands", () => {
  const nonsense = [
    "",
    "_",
    "0",
    "0.1_1.1",
    "0.1.2.3_1.1",
    "0.1.2.self.x_1.1",
    "a.1.2_1.1",
    "0.1-2.3_1.1",
    "0.1.2_",
    "0.1.2_1",
    "0.1.2_1.2.3",
    "0.1.2_3-1.2",
    "0.1.2_-1.2",
    "0.1.2_1e3.2",
    "0.1.2_99999999.1",
    "9999999.1.2_1.1",
    "0.1.2_0-999999.0-999999",
    "0.1.2__proto__",
  ];
  assert.deepEqual(decode(nonsense), []);
  assert.deepEqual(decode(["0.1.2_x.1_4.5_0-999999.*"]), [
    cell({ layer: 1, head: 2, query: 4, key: 5 }),
  ]);
});

test("no link paints more than the API takes", () => {
  assert.equal(decode(["0.1.2_0-99.0-99"]).length, MAX_CELLS);
  assert.equal(decode(["0.1.2_0-99.0-99", "0.1.3_1.1"]).length, MAX_CELLS);
  assert.equal(decode(["0.1.2_0-100.0-99", "0.1.3_1.1"]).length, 1);
});

// a model of 3 layers and 8 heads; 6 tokens; the causal mask blocks the future
const N = { text: 1, kind: 0, layer: 3, head: 8, query: 6, key: 6 };
const values = (/** @type {keyof typeof N} */ axis) =>
  axis === "kind" ? ["self"] : [...Array(N[axis]).keys()];
const causal = (/** @type {any} */ { query, key }) =>
  query !== null && key !== null && key > query ? 1 : 0;
const open = { base: () => 0, values };
const known = { base: causal, values };
const NONE = { blocked: [], allowed: [] };
const at = (/** @type {number} */ query, /** @type {number} */ key, scope = {}) =>
  cell({ layer: 1, head: 2, query, key, ...scope });

test("an open cell is blocked, and freed by taking the paint away", () => {
  const blocked = paint(NONE, [at(4, 1)], true, known);
  assert.deepEqual(blocked, { blocked: [at(4, 1)], allowed: [], changed: 1 });
  assert.deepEqual(paint(blocked, [at(4, 1)], false, known), { ...NONE, changed: 1 });
  assert.equal(paint(blocked, [at(4, 1)], true, known).changed, 0);
});

test("a cell of the future is freed, and blocked by taking that away", () => {
  const freed = paint(NONE, [at(1, 4)], false, known);
  assert.deepEqual(freed, { blocked: [], allowed: [at(1, 4)], changed: 1 });
  assert.deepEqual(paint(freed, [at(1, 4)], true, known), { ...NONE, changed: 1 });
  // the causal mask was taken off in the meantime: the cell has to be blocked
  assert.deepEqual(paint(freed, [at(1, 4)], true, open), {
    blocked: [at(1, 4)],
    allowed: [],
    changed: 1,
  });
});

test("one head is freed out of a layer that stays blocked", () => {
  const wide = at(4, 1, { head: null });
  const { blocked, allowed } = paint({ ...NONE, blocked: [wide] }, [at(4, 1)], false, known);
  assert.deepEqual([blocked, allowed], [[wide], [at(4, 1)]]);
});

test("one head is blocked out of all that are freed: the others stay free", () => {
  const wide = at(1, 4, { layer: null, head: null });
  const { blocked, allowed } = paint({ ...NONE, allowed: [wide] }, [at(1, 4)], true, known);
  assert.deepEqual(blocked, []);
  assert.equal(allowed.length, 2 + 7); // the other layers, and the other heads of this one
  for (let layer = 0; layer < 3; layer += 1) {
    for (let head = 0; head < 8; head += 1) {
      const one = at(1, 4, { layer, head });
      const free = allowed.some((other) => covers(other, one));
      assert.equal(free, layer !== 1 || head !== 2, `${layer} ${head}`);
    }
  }
});

test("the wider swallows the narrower, and a mask of one head says nothing of all", () => {
  const wide = at(4, 1, { head: null });
  assert.deepEqual(
    paint({ ...NONE, blocked: [at(4, 1), at(3, 1)] }, [wide], true, known).blocked,
    tidy([wide, at(3, 1)]),
  );
  const own = { base: () => 16, values };
  assert.deepEqual(paint(NONE, [at(4, 1)], true, own).blocked, []);
  assert.deepEqual(paint(NONE, [wide], true, own).blocked, [wide]);
});

test("strokes at random do what they say, cell by cell", () => {
  const scopes = [{}, { head: null }, { layer: null, head: null }, { layer: 0, head: 5 }];
  for (let seed = 1; seed < 60; seed += 1) {
    const draw = random(seed);
    /** @type {{blocked: any[], allowed: any[]}} */
    let painted = NONE;
    /** what each cell of each head should be @type {Map<string, boolean>} */
    const truth = new Map();
    for (let step = 0; step < 12; step += 1) {
      const scope = scopes[draw(4)];
      const target = draw(5) === 0 ? cell({ key: draw(6) }) : at(draw(6), draw(6), scope);
      const blocks = target.query === null || draw(2) === 0;
      painted = paint(painted, [target], blocks, known);
      for (let i = 0; i < 3 * 8 * 36; i += 1) {
        const [layer, head, query, key] = [i % 3, (i / 3) % 8, (i / 24) % 6, i / 144].map(
          Math.floor,
        );
        const one = at(query, key, { layer, head });
        const name = [layer, head, query, key].join();
        if (covers(target, one)) truth.set(name, blocks);
        const expected = truth.get(name) ?? causal(one) > 0;
        assert.equal(isBlocked(painted, one, causal(one)), expected, `seed ${seed}: ${name}`);
      }
    }
  }
});

test("a pointer that leaps leaves no gap", () => {
  assert.deepEqual(line([2, 2], [2, 2]), [[2, 2]]);
  assert.deepEqual(line([0, 0], [2, 4]), [
    [0, 0],
    [1, 1],
    [1, 2],
    [2, 3],
    [2, 4],
  ]);
});

test("cells of sites, heads and texts that a model does not have go", () => {
  const cells = [
    cell({ layer: 2, head: 7 }),
    cell({ layer: 3 }),
    cell({ head: 8 }),
    cell({ kind: "cross" }),
    cell({ text: 2 }),
    cell({ text: null }),
  ];
  assert.deepEqual(ofModel(cells, shipped, 2), [cells[0], cells[5]]);
  assert.deepEqual(ofModel([cell({ layer: 2, head: 3, kind: "cross" })], t5, 1).length, 1);
  assert.deepEqual(ofModel([cell({ layer: 2, kind: "encoder" }), cell({ head: 3 })], t5, 1), []);
});
