// The page's own template in a document without a browser, for modules that build elements and listen to them. What needs pixels,
// layout, the network or real keys is tested in a browser (tests/browser).

import { readFileSync } from "node:fs";
import { Window } from "happy-dom";

const read = (/** @type {string} */ path) =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const window = new Window({ url: "http://headlight.test/" });
export const { document } = window;

/** @type {Parameters<typeof document.addEventListener>[]} */
const listeners = [];
const listen = document.addEventListener.bind(document);
document.addEventListener = (...args) => {
  listeners.push(args);
  listen(...args);
};

/** Let nothing listen to the document any more that the tests of a file had listen to it. */
export function forget() {
  for (const [type, listener, options] of listeners.splice(0))
    document.removeEventListener(type, listener, options);
}

/** The body of the page, as the server sends it when nothing is wrong. */
const [, BODY] = read("templates/index.html").split(/{% block body %}|{% endblock %}\s*$/);
const TEMPLATE = BODY.replace(/{% if.*?{% endif -?%}/gs, "");

/** Show a part of the page's template, and nothing else. @param {string} [selector] */
export function page(selector) {
  document.body.innerHTML = TEMPLATE;
  const part = selector && document.querySelector(selector);
  if (part) document.body.replaceChildren(part);
}

/** The texts of all elements that match. @param {string} selector */
export const texts = (selector) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

/** Click the first element that matches, and that has this text or label. @param {string} selector @param {string} [name] */
export function click(selector, name) {
  const found = [...document.querySelectorAll(selector)].find(
    (each) =>
      name === undefined ||
      [each.textContent.trim(), each.getAttribute("aria-label")].includes(name),
  );
  if (!found) throw new Error(`There is no ${selector}${name ? ` called ${name}` : ""}.`);
  found.click();
}

/** Move a mouse onto an element. @param {Element} element */
export const point = (element) =>
  element.dispatchEvent(
    new window.PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }),
  );

/** Move a mouse out of an element. @param {Element} element */
export const leave = (element) =>
  element.dispatchEvent(new window.PointerEvent("pointerleave", { pointerType: "mouse" }));

/** Press a key where the focus is. @param {string} key */
export const press = (key) =>
  document.activeElement.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true }));

// A colour is the only style that a module computes: it reads the tokens through an element.
const TOKENS = new Map(
  [...read("static/css/tokens.css").matchAll(/(--[\w-]+): ([^;]+);/g)]
    .map(([, name, value]) => /** @type {const} */ ([name, value]))
    .reverse(), // the first of a name counts: the scale "ink"
);

/** @param {string} value @param {"light" | "dark"} scheme @returns {string} rgb(…) */
function rgb(value, scheme) {
  const either = value.match(/^light-dark\((.*), (.*)\)$/);
  if (either) return rgb(either[scheme === "dark" ? 2 : 1], scheme);
  const token = value.match(/^var\((.*)\)$/);
  if (token) return rgb(TOKENS.get(token[1]) ?? "", scheme);
  const parts = value.match(/[0-9a-f]{2}/gi) ?? [];
  return `rgb(${parts.map((part) => Number.parseInt(part, 16)).join(", ")})`;
}

const computed = (/** @type {HTMLElement} */ { style }) => ({
  color: rgb(style.color, /** @type {"light" | "dark"} */ (style.colorScheme)),
  fontFamily: "sans-serif",
});

// A canvas takes everything that is drawn on it, and shows nothing.
Object.assign(window.HTMLCanvasElement.prototype, {
  getContext() {
    const drawing = { canvas: this };
    return new Proxy(drawing, { get: (_, name) => drawing[name] ?? (() => drawing) });
  },
  toDataURL: () => "data:image/png;base64,",
});

const kinds = Object.getOwnPropertyNames(window).filter((name) =>
  /(Element|Event|Node)$/.test(name),
);
for (const name of [...kinds, "document", "location", "history"]) {
  Object.defineProperty(globalThis, name, { configurable: true, value: window[name] });
}
globalThis.getComputedStyle = computed;
globalThis.ResizeObserver ??= /** @type {any} */ (window.ResizeObserver);
