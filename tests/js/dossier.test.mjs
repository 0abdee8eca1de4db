import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { nameOf, sidesOf } from "../../static/js/views/dossier/names.js";
import {
  along,
  choices,
  labelOf,
  numberOf,
  scattered,
  towards,
} from "../../static/js/views/dossier/points.js";
import { chosen } from "../../static/js/views/dossier/scatter.js";
import * as words from "../../static/js/views/dossier/words.js";

const AXES = { across: "distance", up: "copying" };

const shipped = JSON.parse(
  readFileSync(new URL("../../model/shipped/dossier.json", import.meta.url), "utf8"),
);
const none = { model: "shipped", relations: {} };
const seen = (/** @type {object} */ more = {}) =>
  scattered(shipped, /** @type {any} */ ({ ...none, kind: "self", ...AXES, ...more }));

test("every head lies where its numbers say", () => {
  const { across, up, points, without } = seen();
  assert.equal(points.length, 24);
  assert.deepEqual(without, []);
  for (const { head, x, y } of points) {
    const [a, b] = [head.values.distance.value, head.values.copying.value];
    assert.ok(Math.abs(across.low + x * (across.high - across.low) - a) < 1e-9);
    assert.ok(Math.abs(up.low + y * (up.high - up.low) - b) < 1e-9);
  }
  assert.deepEqual([across.label, across.unit], ["distance", "tokens"]);
});

test("a dossier names heads by the rule of the page: induction asks for copying, too", () => {
  const head = structuredClone(shipped.heads[11]); // layer 1, head 3: an induction head
  for (const name of ["first_token", "special_mass"]) head.values[name].value = 0.1;
  assert.equal(labelOf(head, /** @type {any} */ (none)).name, "induction");
  head.values.copying.value = 0.4;
  const half = labelOf(head, /** @type {any} */ (none));
  assert.deepEqual([half.name, half.half?.least], ["", 0.4]);
});

test("ticks are round, in order, and hold every number", () => {
  for (const axis of choices(shipped, "self")) {
    const { name } = axis;
    const { across } = seen({ across: name });
    const values = shipped.heads.flatMap((/** @type {any} */ head) => {
      const { value } = numberOf(head, axis);
      return value === null ? [] : [value];
    });
    assert.ok(across.ticks.length >= 2 && across.ticks.length <= 7, name);
    assert.equal(across.ticks[0], across.low);
    for (const value of values) assert.ok(value >= across.low && value <= across.high, name);
    const steps = across.ticks.slice(1).map((tick, i) => tick - across.ticks[i]);
    for (const step of steps) assert.ok(Math.abs(step - steps[0]) < 1e-6 * steps[0], name);
  }
});

test("a map of heads has the two directions in which they differ most", () => {
  const { points, across, up } = seen({ across: "doing_first", up: "doing_second" });
  assert.equal(points.length, 24);
  const shares = [across, up].map(
    ({ label }) => Number(/\((\d+(\.\d)?)%\)/.exec(label)?.[1]) / 100,
  );
  assert.ok(shares[0] >= shares[1] && shares[1] > 0 && shares[0] + shares[1] < 1, String(shares));
  const at = points.map((one) => [one.across.value, one.up.value]);
  const sum = (/** @type {number[]} */ each) => each.reduce((a, b) => a + b, 0);
  const spread = [0, 1].map((axis) => sum(at.map((one) => (one[axis] ?? 0) ** 2)));
  assert.ok(Math.abs(spread[0] / spread[1] - shares[0] / shares[1]) < 0.05);
  assert.ok(Math.abs(sum(at.map(([x, y]) => (x ?? 0) * (y ?? 0)))) < 1e-6 * spread[0]);
  // heads of one habit lie together
  const far = (/** @type {number[]} */ one, /** @type {number[]} */ other) =>
    Math.hypot(one[0] - other[0], one[1] - other[1]);
  const places = /** @type {number[][]} */ (at);
  const copying = points.flatMap(({ head }, n) =>
    (head.values.induction.value ?? 0) > 0.3 ? [places[n]] : [],
  );
  const mean = (/** @type {number[][]} */ ones, /** @type {number[][]} */ others) =>
    sum(ones.flatMap((one) => others.map((other) => far(one, other)))) /
    ones.length /
    others.length;
  assert.ok(copying.length >= 3 && mean(copying, copying) < mean(copying, places) / 2);
});

test("choosing one axis of the map chooses both", () => {
  const plain = { up: "copying", across: "distance" };
  const map = { across: "doing_first", up: "doing_second" };
  assert.deepEqual(chosen("up", "doing_first", plain), map);
  assert.deepEqual(chosen("across", "doing_second", plain), map);
  assert.deepEqual(chosen("up", "layer", map), { up: "layer" });
  assert.deepEqual(chosen("across", "doing_second", { ...map, across: "layer" }), map);
});

test("a head without a number is left out, with the reason", () => {
  const { points, without, reason } = seen({ across: "next_token" });
  assert.deepEqual([points.length, without.length], [0, 24]);
  assert.match(
    words.withoutInWords({ n: without.length, reason }),
    /^Not shown: 24 heads without one of these numbers \(the masks block/,
  );
});

test("an axis that a link misspells shows something", () => {
  assert.equal(seen({ across: "no_such" }).across.name, "layer");
});

test("each label has a shape of its own, the most frequent first", () => {
  const drawn = { 2.3: [{ label: "reflexive", does: "finds who it is", value: 0.97 }] };
  const { kinds, points } = seen({ relations: { shipped: drawn } });
  assert.equal(new Set(kinds.map(({ shape }) => shape)).size, kinds.length);
  const count = (/** @type {string} */ label) => points.filter((one) => one.label === label).length;
  const counts = kinds.map(({ label }) => count(label));
  assert.deepEqual(
    counts,
    [...counts].sort((a, b) => b - a),
  );
  const named = points.find(({ head }) => head.layer === 2 && head.head === 3);
  assert.equal(named?.label, "reflexive");
});

test("arrow keys go to the next head in their direction, and stop at the end", () => {
  const { points } = seen();
  const order = [...points].sort((a, b) => a.x - b.x);
  assert.equal(towards(points, order[3], "ArrowRight"), order[4]);
  assert.equal(towards(points, order[3], "ArrowLeft"), order[2]);
  assert.equal(towards(points, order[0], "ArrowLeft"), null);
  assert.equal(towards(points, order[0], "Enter"), null);
  const high = [...points].sort((a, b) => b.y - a.y);
  assert.equal(towards(points, high[1], "ArrowUp"), high[0]);
});

test("no name of a head covers another one, nor a mark; the selected head has its name", () => {
  const { points } = seen();
  for (const width of [250, 340, 520]) {
    for (const chosen of [null, ...points]) {
      const sides = sidesOf(points, { width, height: 340 }, chosen);
      if (chosen) assert.notEqual(sides[points.indexOf(chosen)], "none");
      const shown = points.flatMap((point, index) => {
        if (sides[index] === "none" || point === chosen) return [];
        const wide = 6 * nameOf(point).length; // 11 px
        const x = point.x * width + (sides[index] === "right" ? 7 + wide / 2 : -7 - wide / 2);
        return [{ point, x, y: point.y * 340, wide }];
      });
      assert.ok(shown.length >= points.length - 9, `${shown.length} names at ${width}`);
      for (const [place, one] of shown.entries()) {
        for (const other of shown.slice(place + 1))
          assert.ok(Math.abs(one.x - other.x) >= one.wide || Math.abs(one.y - other.y) >= 12);
        for (const mark of points.filter((point) => point !== one.point)) {
          const [dx, dy] = [Math.abs(one.x - mark.x * width), Math.abs(one.y - mark.y * 340)];
          assert.ok(dx >= one.wide / 2 + 6 || dy >= 12, `${nameOf(one.point)} on ${nameOf(mark)}`);
        }
      }
    }
  }
});

test("a name has room on the left, and near the right end stands there", () => {
  const head = (/** @type {number} */ place) => ({ layer: 0, head: place });
  const area = { width: 100, height: 100 };
  const near = [
    { x: 0.5, y: 0.5, head: head(0) },
    { x: 0.62, y: 0.5, head: head(1) },
  ];
  assert.deepEqual(sidesOf(near, area, null), ["left", "right"]);
  const three = [...near, { x: 0.56, y: 0.5, head: head(2) }];
  assert.deepEqual(sidesOf(three, area, null), ["left", "right", "none"]);
  assert.equal(sidesOf(three, area, three[2])[2], "right");
  const facing = [0.2, 0.62, 0.76].map((x, index) => ({ x, y: 0.5, head: head(index) }));
  assert.deepEqual(sidesOf(facing, area, null), ["right", "none", "right"]);
  const ends = [{ x: 1.2, y: 0.5, head: head(0) }];
  assert.deepEqual(sidesOf(ends, area, null), ["left"]);
});

test("a value outside an axis stands at its end", () => {
  assert.equal(along({ low: 1, high: 3 }, 2), 0.5);
  assert.equal(along({ low: 1, high: 3 }, 9), 1);
});

test("numbers, distances and cells in words", () => {
  const number = { value: -0.5, low: -0.75, high: -0.25, over: 9, reason: null };
  assert.equal(words.numberInWords(number), "−0.5 (−0.75 to −0.25)");
  assert.equal(words.numberInWords({ ...number, low: null, high: null }), "−0.5");
  const missing = { value: null, low: null, high: null, over: 0, reason: "no token" };
  assert.equal(words.numberInWords(missing), "none: no token");
  assert.deepEqual(
    [
      [0, 0],
      [1, 1],
      [3, 4],
      [-8, -5],
    ].map(([first, last]) => words.distanceName({ first, last })),
    ["itself", "1 back", "3–4 back", "5–8 ahead"],
  );
  assert.equal(words.axisTitle({ label: "peak", unit: "share of attention" }), "peak (share)");
});
