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
  const steps = plotlyScale(table, true);
  assert.deepEqual(steps[0], [0, "rgb(255, 255, 255)"]);
  assert.deepEqual(steps.at(-1), [1, "rgb(10, 20, 40)"]);
  assert.ok(steps.every(([share], index) => index === 0 || share > steps[index - 1][0]));
  const half = steps[steps.length >> 1]; // two of four decades down
  assert.ok(Math.abs(half[0] - 0.01) < 1e-9);
  assert.equal(half[1], plotlyScale(table)[steps.length >> 1][1]);
});

test("a share of the scale is its place; of a logarithmic one, the decades above a ten-thousandth", () => {
  assert.deepEqual(
    [0, 0.25, 1].map((share) => placeOf(share, false)),
    [0, 0.25, 1],
  );
  const places = [0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1].map((share) => placeOf(share, true));
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
