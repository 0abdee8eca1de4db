// The colours that carry a meaning can be told apart by every kind of colour vision, in both schemes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { COLOURS, parseRgb } from "../../static/js/draw/color.js";

const css = readFileSync(new URL("../../static/css/tokens.css", import.meta.url), "utf8");
const hex = (/** @type {string} */ code) =>
  parseRgb(`rgb(${[1, 3, 5].map((at) => Number.parseInt(code.slice(at, at + 2), 16)).join(", ")})`);
const linear = (/** @type {number[]} */ rgb) =>
  rgb.map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
const times = (/** @type {number[][]} */ rows, /** @type {number[]} */ v) =>
  rows.map((row) => row.reduce((sum, one, at) => sum + one * v[at], 0));
const eyes = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}; // Machado, Oliveira & Fernandes 2009, at full strength
const lab = (/** @type {number[]} */ rgb) =>
  times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    times(
      [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ],
      rgb.map((part) => Math.max(0, Math.min(1, part))),
    ).map(Math.cbrt),
  );
const light = (/** @type {number[]} */ rgb) => 0.05 + times([[0.2126, 0.7152, 0.0722]], rgb)[0];

const SCHEMES = /** @type {const} */ ([
  [0, "#ffffff", "#14203a", "#b4470a"],
  [1, "#131924", "#e6eaf2", "#ffb454"],
]);

/**
 * Assert that colours stand out from the panel and from one another, from the ink and from the accent.
 * @param {string[]} names of tokens
 * @param {number} contrast with the panel
 */
function toldApart(names, contrast) {
  for (const [place, panel, ink, accent] of SCHEMES) {
    const codes = names.map(
      (name) => css.match(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`)?.[place + 1] ?? "",
    );
    const all = [...codes, ink, accent].map((code) => linear(hex(code)));
    const ground = light(linear(hex(panel)));
    for (const one of all) {
      const [a, b] = [light(one), ground].sort((x, y) => y - x);
      assert.ok(a / b >= contrast, `contrast ${a / b}`);
    }
    for (const [eye, rows] of Object.entries(eyes)) {
      const seen = all.map((one) => lab(times(rows, one)));
      seen.forEach((a, i) => {
        for (const [j, b] of seen.slice(0, i).entries()) {
          const apart = Math.hypot(...a.map((part, at) => part - b[at]));
          assert.ok(apart > 0.09, `${eye}: colours ${i} and ${j} are ${apart.toFixed(3)} apart`);
        }
      });
    }
  }
}

test("the categories can be told apart", () => {
  toldApart(
    Array.from({ length: COLOURS }, (_, at) => `cat-${at + 1}`),
    3,
  );
});

test("what falls, what rises and what is selected can be told apart, and read as text", () => {
  toldApart(["falls", "rises"], 4.5);
});
