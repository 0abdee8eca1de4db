import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  isLight,
  lightness,
  parseRgb,
  placeOf,
  plotlyScale,
  scale,
} from "../../static/js/draw/color.js";

const table = scale([
  [255, 255, 255],
  [60, 110, 180],
  [10, 20, 40],
]);

/** @param {number} i */
const at = (i) => [...table.subarray(i * 4, i * 4 + 4)];

test("the ends of a scale are the colours given", () => {
  assert.deepEqual(at(0), [255, 255, 255, 255]);
  assert.deepEqual(at(255), [10, 20, 40, 255]);
});

test("more is never lighter on a scale from paper to ink", () => {
  for (let i = 1; i < 256; i += 1) assert.ok(lightness(at(i)) <= lightness(at(i - 1)) + 0.004);
});

test("black or white letters have 4.5 to 1 on every colour of a scale", () => {
  /** @param {number[]} rgb */
  const luminance = (rgb) => {
    let sum = 0;
    for (const [place, part] of [0.2126, 0.7152, 0.0722].entries()) {
      const share = rgb[place] / 255;
      sum += part * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
    }
    return sum;
  };
  for (let i = 0; i < 256; i += 1) {
    const [red, green, blue] = at(i);
    const [ground, letters] = [luminance([red, green, blue]), isLight([red, green, blue]) ? 0 : 1];
    const [low, high] = [ground, letters].sort((a, b) => a - b);
    assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${red} ${green} ${blue}`);
  }
  assert.equal(isLight([67, 123, 176]), true); // where white letters have only 4.46
});

test("half way between black and white looks half as light", () => {
  const grey = scale([
    [0, 0, 0],
    [255, 255, 255],
  ]);
  assert.ok(Math.abs(lightness([...grey.subarray(128 * 4, 128 * 4 + 3)]) - 0.5) < 0.01);
});

test("plotly gets the same ends", () => {
  const steps = plotlyScale(table);
  assert.deepEqual(steps[0], [0, "rgb(255, 255, 255)"]);
  assert.deepEqual(steps.at(-1), [1, "rgb(10, 20, 40)"]);
});

test("a logarithmic scale reaches its colours a decade after the other", () => {
  const steps = plotlyScale(table, "log");
  assert.deepEqual(steps[0], [0, "rgb(255, 255, 255)"]);
  assert.deepEqual(steps.at(-1), [1, "rgb(10, 20, 40)"]);
  assert.ok(steps.every(([share], index) => index === 0 || share > steps[index - 1][0]));
  const half = steps[steps.length >> 1]; // two of four decades down
  assert.ok(Math.abs(half[0] - 0.01) < 1e-9);
  assert.equal(half[1], plotlyScale(table)[steps.length >> 1][1]);
});

test("the square root gives a quarter of the range half of the scale", () => {
  const half = plotlyScale(table, "root")[16];
  assert.deepEqual(half, [0.25, plotlyScale(table)[16][1]]);
  assert.deepEqual(
    [-0.1, 0, 0.01, 0.25, 1].map((share) => placeOf(share, "root")),
    [0, 0, 0.1, 0.5, 1],
  );
});

test("a share of the scale is its place; of a logarithmic one, the decades above a ten-thousandth", () => {
  assert.deepEqual(
    [0, 0.25, 1].map((share) => placeOf(share, "linear")),
    [0, 0.25, 1],
  );
  const places = [0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1].map((share) => placeOf(share, "log"));
  [0, 0, 0, 0.25, 0.5, 0.75, 1].forEach((place, at) => {
    assert.ok(Math.abs(places[at] - place) < 1e-9);
  });
});

test("a colour that was not resolved is an error", () => {
  assert.throws(() => parseRgb("light-dark(red, blue)"), /Expected a colour/);
});

const sheet = readFileSync(new URL("../../static/css/tokens.css", import.meta.url), "utf8");
const sea = /** @type {RegExpMatchArray} */ (sheet.match(/\[data-scale="sea"\] \{([^}]+)\}/))[1];

for (const [name, css] of [
  ["ink", sheet],
  ["sea", `${sea}${sheet}`],
]) {
  test(`in both schemes the ${name} scale goes one way in lightness, in like steps`, () =>
    oneWay(css));
}

/** @param {string} css the first of a token's values counts */
function oneWay(css) {
  const value = (/** @type {string} */ name) => css.match(new RegExp(`${name}: ([^;]+);`))[1];
  /** @param {string} name @param {number} scheme @returns {string} */
  const resolve = (name, scheme) => {
    let text = value(name);
    const pair = text.match(/^light-dark\((.+?), (.+)\)$/);
    if (pair) text = pair[1 + scheme];
    const reference = text.match(/^var\((.+)\)$/);
    return reference ? resolve(reference[1], scheme) : text;
  };
  for (const scheme of [0, 1]) {
    const steps = [0, 1, 2, 3, 4, 5].map((i) => {
      const hex = resolve(`--seq-${i}`, scheme);
      return lightness([1, 3, 5].map((place) => Number.parseInt(hex.slice(place, place + 2), 16)));
    });
    const differences = steps.slice(1).map((step, i) => Math.abs(step - steps[i]));
    const one_way = steps.slice(1).every((step, i) => (scheme ? step > steps[i] : step < steps[i]));
    assert.ok(one_way, `lightness ${steps}`);
    assert.ok(Math.max(...differences) < 2 * Math.min(...differences), `steps ${differences}`);
  }
}

/** The distance in OKLab between two colours of a table, by CSS Color 4's numbers. @param {Uint8ClampedArray} table @param {number} from @param {number} to */
function distance(table, from, to) {
  const [a, b] = [from, to].map((at) => labOf([...table.subarray(4 * at, 4 * at + 3)]));
  return Math.hypot(...a.map((channel, i) => channel - b[i]));
}
/** @param {number[]} rgb */
function labOf(rgb) {
  const [r, g, b] = rgb.map((c) =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
  );
  const lms = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt);
  return [
    0.2104542553 * lms[0] + 0.793617785 * lms[1] - 0.0040720468 * lms[2],
    1.9779984951 * lms[0] - 2.428592205 * lms[1] + 0.4505937099 * lms[2],
    0.0259040371 * lms[0] + 0.7827717662 * lms[1] - 0.808675766 * lms[2],
  ];
}

test("a fifth of a scale is the same step for the eye anywhere, whatever its stops", () => {
  // the ink of the light scheme: between its stops lie 0.131, 0.166, 0.182, 0.159 and 0.199
  const ink = scale([
    [255, 255, 255],
    [196, 216, 240],
    [123, 167, 217],
    [58, 111, 176],
    [28, 64, 121],
    [11, 20, 36],
  ]);
  const steps = [0, 51, 102, 153, 204].map((at) => distance(ink, at, at + 51));
  assert.ok(Math.max(...steps) / Math.min(...steps) < 1.06, String(steps));
});

test("the middle of a diverging scale stays in the middle, and each half has even steps", () => {
  const stops = /** @type {[number, number, number][]} */ ([
    [122, 58, 6],
    [221, 154, 85],
    [255, 255, 255],
    [111, 159, 214],
    [20, 58, 115],
  ]);
  const table = scale(stops, 2);
  assert.ok(distance(table, 127, 128) < 0.01);
  assert.ok(labOf([...table.subarray(4 * 127, 4 * 127 + 3)])[0] > 0.99);
  for (const [start, middle, end] of [
    [0, 64, 127],
    [128, 191, 255],
  ]) {
    const ratio = distance(table, start, middle) / distance(table, middle, end);
    assert.ok(ratio > 0.94 && ratio < 1.06, String(ratio));
  }
});
