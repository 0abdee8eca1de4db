import assert from "node:assert/strict";
import test from "node:test";
import { boxesOf, pathOf } from "../../static/js/draw/cells.js";
import { toSvg } from "../../static/js/draw/scene.js";

/** Pixels of these colours, row by row. @param {number[][]} rows @param {(colour: number) => number[]} rgba */
function pixelsOf(rows, rgba = (colour) => [colour, 255 - colour, 7, 255]) {
  const data = Uint8ClampedArray.from(rows.flat().flatMap(rgba));
  return { width: rows[0].length, height: rows.length, data };
}

/** What boxes paint, and how often each cell is painted. @param {ReturnType<typeof boxesOf>} boxes @param {number} width @param {number} height */
function painted(boxes, width, height) {
  const cells = Array.from({ length: width * height }, () => /** @type {string[]} */ ([]));
  for (const [colour, each] of boxes)
    for (const { x, y, width: wide, height: high } of each)
      for (let row = y; row < y + high; row += 1)
        for (let col = x; col < x + wide; col += 1) cells[row * width + col].push(colour);
  return cells;
}

/** A stream of numbers from 0 to 1 that is the same in every run. @param {number} seed */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const hex = (/** @type {number} */ byte) => byte.toString(16).padStart(2, "0");

test("the boxes cover every cell once, in its colour, whatever the cells are", () => {
  const draw = random(5);
  for (let n = 0; n < 60; n += 1) {
    const [height, width, colours] = [1 + (n % 7), 1 + (n % 11), 1 + (n % 5)];
    const rows = Array.from({ length: height }, () =>
      Array.from({ length: width }, () => Math.floor(draw() * colours)),
    );
    const cells = painted(boxesOf(pixelsOf(rows)), width, height);
    const expected = rows.flat().map((colour) => [`#${hex(colour)}${hex(255 - colour)}07`]);
    assert.deepEqual(cells, expected);
  }
});

test("equal neighbours are one box, along a row and down", () => {
  const rows = [
    [1, 1, 2, 2],
    [1, 1, 2, 3],
    [1, 1, 2, 3],
  ];
  const boxes = boxesOf(pixelsOf(rows));
  assert.deepEqual(boxes.get("#01fe07"), [{ x: 0, y: 0, width: 2, height: 3 }]);
  assert.deepEqual(boxes.get("#03fc07"), [{ x: 3, y: 1, width: 1, height: 2 }]);
  assert.equal(boxes.get("#02fd07")?.length, 2); // a wide one, and a narrow one below it
  assert.equal(pathOf(boxes.get("#03fc07") ?? []), "M3 1h1v2h-1z");
});

test("what is fully transparent is left out", () => {
  const boxes = boxesOf(pixelsOf([[0, 9, 0]], (one) => [one, one, one, one && 255]));
  assert.deepEqual([...boxes], [["#090909", [{ x: 1, y: 0, width: 1, height: 1 }]]]);
});

test("128 × 128 cells of which no two neighbours are equal take less than 1 MB", () => {
  const rows = Array.from({ length: 128 }, (_, row) =>
    Array.from({ length: 128 }, (_, col) => (31 * row + 17 * col) % 256),
  );
  const image = { mark: "image", x: 0, y: 0, width: 620, height: 620, pixels: pixelsOf(rows) };
  const scene = { width: 620, height: 620, font: "serif", ground: "#fff", title: "" };
  const boxes = [...boxesOf(image.pixels).values()].flat();
  assert.equal(boxes.length, 128 * 128);
  const svg = toSvg(/** @type {any} */ ({ ...scene, marks: [image] }));
  assert.ok(svg.length > 128 * 128 * 10 && svg.length < 400_000, String(svg.length));
});
