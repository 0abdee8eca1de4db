// Numbers to colours. A scale is a table of 256 colours, interpolated in OKLab (Ottosson 2020) so that equal steps look equal.

export const COLOURS = 8; // colours that tell heads apart: --cat-1 to --cat-8

const EVEN = 0.179; // luminance on which black and white letters have the same contrast (WCAG 2)

/** @typedef {[number, number, number]} Rgb 0 to 255 */

/**
 * @param {string} css as getComputedStyle returns it: "rgb(1, 2, 3)"
 * @returns {Rgb}
 */
export function parseRgb(css) {
  const parts = css.match(/[\d.]+/g);
  if (!css.startsWith("rgb") || parts === null || parts.length < 3) {
    throw new Error(`Expected a colour like rgb(1, 2, 3); got ${css}.`);
  }
  return [Number(parts[0]), Number(parts[1]), Number(parts[2])];
}

/**
 * A scale through colours, each as far along it as it looks: the same share of the scale is the same step for the eye.
 * @param {Rgb[]} stops
 * @param {1 | 2} [halves] 2: the colour in the middle stays there
 * @returns {Uint8ClampedArray} 256 × (r, g, b, 255)
 */
export function scale(stops, halves = 1) {
  const labs = stops.map(toOklab);
  const places = placesOf(labs, halves);
  const table = new Uint8ClampedArray(256 * 4);
  let left = 0;
  for (let i = 0; i < 256; i += 1) {
    while (left < stops.length - 2 && i / 255 > places[left + 1]) left += 1;
    const share = (i / 255 - places[left]) / (places[left + 1] - places[left]);
    table.set([...fromOklab(mix(labs[left], labs[left + 1], share)), 255], i * 4);
  }
  return table;
}

/** Where the stops stand, from 0 to 1, by their distances in OKLab. @param {Rgb[]} labs @param {1 | 2} halves */
function placesOf(labs, halves) {
  const per = (labs.length - 1) / halves;
  const steps = labs.slice(1).map((lab, at) => Math.hypot(...lab.map((c, i) => c - labs[at][i])));
  let sum = 0;
  return [0, ...steps].map((step, at) => {
    const half = Math.floor(Math.max(0, at - 1) / per) * per;
    const total = steps.slice(half, half + per).reduce((all, one) => all + one, 0);
    if (at > 0) sum += total > 0 ? step / total : 1 / per;
    return sum / halves;
  });
}

export const DECADES = 4; // the span of a logarithmic scale: everything below 1/10,000 is at its low end

/** How a range is spread over a scale: the place of a share of it, and the share at a place, both from 0 to 1. */
const SPREAD = {
  linear: {
    placeOf: (/** @type {number} */ share) => share,
    shareAt: (/** @type {number} */ place) => place,
  },
  root: {
    placeOf: (/** @type {number} */ share) => Math.sqrt(Math.max(share, 0)),
    shareAt: (/** @type {number} */ place) => place ** 2,
  },
  log: {
    placeOf: (/** @type {number} */ share) =>
      1 + Math.log10(Math.max(share, 10 ** -DECADES)) / DECADES,
    shareAt: (/** @type {number} */ place) => (place > 0 ? 10 ** (DECADES * (place - 1)) : 0),
  },
};
/** @typedef {keyof typeof SPREAD} Steps */

/** The place on a scale of a share of its range, both from 0 to 1. @param {number} share @param {Steps} [steps] */
export const placeOf = (share, steps = "linear") => SPREAD[steps].placeOf(share);

/** The share of its range at a place on a scale. @param {number} place @param {Steps} [steps] */
export const shareAt = (place, steps = "linear") => SPREAD[steps].shareAt(place);

/**
 * The scale in plotly's format. Steps that are not linear move the colours, so that plotly keeps the true numbers.
 * @param {Uint8ClampedArray} table
 * @param {Steps} [steps]
 * @returns {[number, string][]}
 */
export function plotlyScale(table, steps) {
  const n = 32;
  return Array.from({ length: n + 1 }, (_, step) => {
    const at = Math.round((step / n) * 255) * 4;
    const rgb = `rgb(${table[at]}, ${table[at + 1]}, ${table[at + 2]})`;
    return [shareAt(step / n, steps), rgb];
  });
}

/** Perceived lightness, 0 to 1. @param {Rgb} rgb */
export const lightness = (rgb) => toOklab(rgb)[0];

/** @param {Rgb} a @param {Rgb} b @param {number} t @returns {Rgb} */
function mix(a, b, t) {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** The light of a channel, 0 to 1 (sRGB). @param {number} channel 0 to 255 */
function linearOf(channel) {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

/** @param {Rgb} rgb @returns {Rgb} */
function toOklab(rgb) {
  const [r, g, b] = rgb.map(linearOf);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {Rgb} lab @returns {Rgb} */
function fromOklab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const [r, g, blue] = linear.map((c) =>
    Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * Math.max(c, 0) ** (1 / 2.4) - 0.055)),
  );
  return [r, g, blue];
}

/** The colour of a share from −1 to 1. @param {Uint8ClampedArray} table of 256 colours @param {number} share @returns {Rgb} */
export function colourAt(table, share) {
  const at = 4 * Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, share)));
  return [table[at], table[at + 1], table[at + 2]];
}

/** Whether black letters have more contrast than white ones on a colour (WCAG 2). @param {Rgb} colour */
export function isLight(colour) {
  const [red, green, blue] = colour.map(linearOf);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > EVEN;
}
