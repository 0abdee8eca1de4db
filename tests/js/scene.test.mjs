import assert from "node:assert/strict";
import test from "node:test";
import { toSvg } from "../../static/js/draw/scene.js";

const scene = {
  width: 40,
  height: 20,
  font: '"DejaVu Sans", serif',
  ground: "#fff",
  title: "a <b>",
};
const mm = { width: "80mm", height: "40mm" };
/** @param {object[]} marks */
const written = (...marks) => toSvg({ ...scene, marks });

test("a scene is written as a document of its own, with its title", () => {
  const svg = written();
  assert.match(
    svg,
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="40" height="20" viewBox="0 0 40 20"/,
  );
  assert.match(svg, /<title>a &lt;b&gt;<\/title>/);
  assert.match(svg, /font-family="&quot;DejaVu Sans&quot;, serif"/);
});

test("text is text, whatever a token says", () => {
  const mark = { mark: "text", x: 1, y: 2, size: 12, fill: "#000" };
  assert.match(
    written({ ...mark, text: '</text><script>"&' }),
    />&lt;\/text&gt;&lt;script&gt;&quot;&amp;<\/text>/,
  );
  assert.match(written({ ...mark, text: "a\u0000b" }), />a\ufffdb</);
  assert.match(written({ ...mark, text: "x", rotate: -60 }), /transform="rotate\(-60 1 2\)"/);
});

test("each mark is one element, without what it does not set", () => {
  const rect = { mark: "rect", x: 1 / 3, y: 0, width: 2, height: 3, fill: "red" };
  assert.match(written(rect), /<rect x="0.333" y="0" width="2" height="3" fill="red"\/>/);
  const path = { mark: "path", d: "M0 0L1 1", stroke: "blue", opacity: 0.5 };
  assert.match(
    written(path),
    /<path d="M0 0L1 1" fill="none" stroke="blue" stroke-width="1" opacity="0.5"\/>/,
  );
});

test("cells are shapes with hard edges; asked for as pixels, they are an image", () => {
  const data = Uint8ClampedArray.of(1, 2, 255, 255, 1, 2, 255, 255, 9, 9, 9, 255);
  const pixels = { width: 3, height: 1, data };
  const image = { mark: "image", x: 5, y: 6.5, width: 8, height: 4, pixels };
  const svg = written(image);
  assert.match(svg, /<g transform="translate\(5 6.5\) scale\(2.666667 4\)" shape-rendering="cr/);
  assert.match(
    svg,
    /<path fill="#0102ff" d="M0 0h2v1h-2z"\/>\n<path fill="#090909" d="M2 0h1v1h-1z"/,
  );
  const address = (/** @type {any} */ { width, height }) => `data:${width}x${height}`;
  assert.match(toSvg({ ...scene, marks: [image] }, { address }), /href="data:3x1"/);
});

test("a picture has the size that it is to have on paper, and no ground if that is clear", () => {
  const svg = toSvg({ ...scene, ground: "transparent", marks: [] }, { size: mm });
  assert.match(svg, / width="80mm" height="40mm" viewBox="0 0 40 20"/);
  assert.doesNotMatch(svg, /<rect/);
  assert.match(written(), /<rect width="40" height="20" fill="#fff"\/>/);
});

test("a group moves its marks together", () => {
  const text = { mark: "text", x: 1, y: 2, size: 12, fill: "#000", text: "a" };
  const inner = { mark: "group", x: 5, y: 6, marks: [text] };
  const svg = written({ mark: "group", x: 3, y: 4.00001, marks: [inner] });
  assert.match(
    svg,
    /<g transform="translate\(3 4\)">\n<g transform="translate\(5 6\)">\n<text x="1"/,
  );
  assert.equal(svg.match(/<\/g>/g)?.length, 2);
});
