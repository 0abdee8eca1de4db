import assert from "node:assert/strict";
import test from "node:test";
import { crc32 as expected } from "node:zlib";
import { composed, pixelsOf } from "../../static/js/panels/figure/compose.js";
import { choiceFrom, OPTIONS, takes } from "../../static/js/panels/figure/options.js";
import { withDpi } from "../../static/js/panels/figure/png.js";

const paper = { ink: "#111", faint: "#666", line: "#ddd", panel: "#fff", font: "serif" };
const usual = choiceFrom({});
const CM = 96 / 2.54; // CSS pixels

test("the last choice is taken back, and what is wrong in it is the usual one", () => {
  const chosen = { ...usual, format: "png", width: 8.5, height: 6, bar: false, scheme: "dark" };
  assert.deepEqual(choiceFrom(JSON.parse(JSON.stringify(chosen))), chosen);
  const wrong = {
    format: "pdf",
    width: 0,
    height: "6",
    dpi: null,
    size: Number.NaN,
    bar: 1,
    more: 3,
  };
  assert.deepEqual(choiceFrom(wrong), usual);
  for (const nothing of [null, undefined, 3, "text", []])
    assert.deepEqual(choiceFrom(nothing), usual);
});

test("every option takes its usual value, and only the height may be left out", () => {
  for (const option of OPTIONS) {
    assert.ok(takes(option, option.usual), option.name);
    assert.equal(takes(option, null), option.name === "height", option.name);
    assert.equal(takes(option, undefined), false);
  }
});

test("only a PNG has dots per inch, and a picture has what its view offers", () => {
  const shown = (/** @type {any} */ choice, /** @type {string[]} */ ...offers) =>
    OPTIONS.filter(({ has }) => has?.({ ...usual, ...choice }, new Set(offers))).map(
      ({ name }) => name,
    );
  assert.deepEqual(shown({}), []);
  assert.deepEqual(shown({ format: "png" }, "bar"), ["dpi", "bar"]);
});

test("the resolution stands in the first chunk after the header, with its checksum", () => {
  const png = Uint8Array.from({ length: 60 }, (_, at) => at);
  const written = withDpi(png, 300);
  const view = new DataView(written.buffer);
  assert.deepEqual([...written.subarray(0, 33)], [...png.subarray(0, 33)]);
  assert.deepEqual([...written.subarray(33 + 21)], [...png.subarray(33)]);
  assert.equal(view.getUint32(33), 9);
  assert.equal(new TextDecoder().decode(written.subarray(37, 41)), "pHYs");
  assert.deepEqual([view.getUint32(41), view.getUint32(45), written[49]], [11811, 11811, 1]);
  assert.equal(view.getUint32(50), expected(written.subarray(37, 50)));
});

/**
 * A picture of which only the height follows from its look, like the heatmap: 40 pixels stand above and below its cells.
 * @param {import("../../static/js/draw/pictures/look.js").Look} look
 */
const filling = async ({ width = 0, height }) => ({
  width,
  height: height === undefined ? width / 2 : height + 40,
  font: "serif",
  ground: "#fff",
  title: "t",
  marks: [{ mark: "rect", x: 16, y: 0, width, height: 9 }],
});
/** One of a fixed size. */
const fixed = async () => ({ ...(await filling({ width: 800 })), height: 400 });
/** @param {any} choice @param {any} [draw] @param {string[]} [caption] */
const made = (choice, draw = filling, caption = []) =>
  composed(draw, { ...usual, ...choice }, caption, paper);

test("a picture has the width that was chosen, at the font size that was chosen", async () => {
  const { scene, cm, points } = await made({ width: 10, size: 16.5 });
  assert.deepEqual([cm.width, cm.height, points], [10, 5, 16.5]);
  // labels of 11 pixels are 22 CSS pixels high, which is 16.5 pt
  assert.ok(Math.abs(scene.width - (10 * CM) / 2) < 1e-9);
});

test("a heatmap fills a height; a picture of a fixed size shrinks, and says what that does to its text", async () => {
  const filled = await made({ width: 10, height: 20 });
  assert.ok(Math.abs(filled.cm.height - 20) < 1e-9 && filled.points === usual.size);
  assert.ok(Math.abs(filled.scene.height / filled.scene.width - 2) < 1e-9);
  const narrow = await made({ width: 10 }, fixed);
  assert.ok(Math.abs(narrow.cm.height - 5) < 1e-9);
  assert.ok(
    Math.abs(narrow.points - usual.size * ((10 * CM * 11) / (800 * ((8 * 96) / 72)))) < 1e-9,
  );
  const low = await made({ width: 100, height: 5, size: 36 }, fixed);
  assert.ok(Math.abs(low.scene.height - 400) < 1e-9); // with room to both sides
  assert.ok(Math.abs(low.scene.marks[0].x - (low.scene.width - 800) / 2) < 1e-9);
});

test("a caption wraps below the picture; it can be left out, and the ground can be clear", async () => {
  const words = "word ".repeat(200);
  const texts = (/** @type {any} */ { scene }) =>
    scene.marks[0].marks.filter(({ mark }) => mark === "text");
  const below = await made({ width: 8 }, filling, [words, "end"]);
  assert.ok(texts(below).length > 10);
  assert.equal(
    texts(below)
      .map(({ text }) => text)
      .join(" "),
    `${words.trimEnd()} end`,
  );
  for (const { y } of texts(below)) assert.ok(y < below.scene.height);
  assert.equal(texts(await made({ caption: false }, filling, [words])).length, 0);
  assert.equal((await made({ transparent: true })).scene.ground, "transparent");
});

test("the pixels of a PNG follow from its size and resolution", () => {
  const size = pixelsOf(/** @type {any} */ ({ cm: { width: 2.54, height: 5.08 } }), 300);
  assert.deepEqual(size, { width: 300, height: 600 });
});
