// The few DOM helpers that everything shares. Data goes into `textContent`, never into markup.

/**
 * An element of the page's template. It throws if the template lacks it.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @param {ParentNode} within
 * @returns {T}
 */
export function need(selector, type, within = document) {
  const element = within.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`The page lacks ${selector}.`);
  return element;
}

/** @type {Map<string, number>} */
const taken = new Map();

/** A unique id, even if a view is made several times; the first gets the name itself. @param {string} name */
export function unique(name) {
  const n = taken.get(name) ?? 0;
  taken.set(name, n + 1);
  return n ? `${name}-${n + 1}` : name;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {{text?: string, class?: string, title?: string, verbatim?: boolean}} options `verbatim`: a reader or a model wrote it
 * @param {Node[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, options = {}, children = []) {
  const element = document.createElement(tag);
  if (options.text !== undefined) element.append(...spoken(options.text));
  if (options.class) element.className = options.class;
  if (options.title) element.title = options.title;
  if (options.verbatim) asTyped(element);
  element.append(...children);
  return element;
}

/** What readers and models write is not translated by browsers, and runs in its own direction. @param {HTMLElement} element */
export function asTyped(element) {
  element.translate = false;
  element.dir = "auto";
}

/**
 * A button that does something on the page (it never submits a form).
 * @param {string} text
 * @param {(() => void) | null} act null: an element around it listens to the clicks
 * @param {{class?: string, title?: string, verbatim?: boolean}} options
 * @param {Node[]} children
 */
export function button(text, act, options = {}, children = []) {
  const element = make("button", { text, ...options }, children);
  element.type = "button";
  if (act) element.addEventListener("click", () => act());
  return element;
}

/**
 * Replace what an element says. Words that it says already stay, so that nobody reads them out again.
 * @param {Element} element
 * @param {string | import("../words/parts.js").Part[]} said
 */
export function write(element, said) {
  if (said === element.textContent) return;
  element.replaceChildren(
    ...[said]
      .flat()
      .flatMap((part) =>
        typeof part === "string"
          ? spoken(part)
          : [make("b", { text: part.bold, verbatim: part.verbatim })],
      ),
  );
}

/**
 * A sentence in which what stands in quotation marks is a reader's or a model's: browsers do not translate it, and it keeps its
 * direction.
 * @param {string} sentence
 */
const spoken = (sentence) =>
  sentence.split(QUOTED).flatMap((part, index) => {
    if (index % 2 === 0) return part;
    const quoted = document.createElement("bdi");
    quoted.translate = false;
    quoted.textContent = part;
    return ["“", quoted, "”"];
  });

const QUOTED = /“([^“”]+)”/;

/** Download a URL as a file. @param {string} address @param {string} filename */
export function download(address, filename) {
  const link = make("a");
  link.href = address;
  link.download = filename;
  link.click();
}

/** Download data as a file. @param {Blob} blob @param {string} filename */
export function downloadBlob(blob, filename) {
  const address = URL.createObjectURL(blob);
  download(address, filename);
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it later
}

/** Check the radio button with a value. @param {string} name of the group @param {string} value @param {ParentNode} within */
export function check(name, value, within) {
  for (const input of within.querySelectorAll(`input[name="${name}"]`)) {
    if (input instanceof HTMLInputElement) input.checked = input.value === value;
  }
}

/** A radio button in its label. @param {string} name of the group @param {string} value @param {string} text @param {string} [title] */
export function radio(name, value, text, title) {
  const input = make("input");
  Object.assign(input, { type: "radio", name, value });
  return make("label", { title }, [input, make("span", { text })]);
}

// Waiting until what the page has drawn is on the screen.
const HIDDEN = 100; // ms to wait for a frame that may never come

/** Resolves after the next frame; in a hidden window, after a moment. */
export const afterFrame = () =>
  Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    new Promise((resolve) => setTimeout(resolve, HIDDEN)),
  ]);

/** A region that scrolls sideways where it is narrower than its content, also with the keyboard. @param {string} label @param {HTMLElement} content */
export function scrolling(label, content) {
  const root = make("div", { class: "scrolling" }, [content]);
  root.tabIndex = 0;
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", label);
  return root;
}

const SPACE = "http://www.w3.org/2000/svg";

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, children = []) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Scroll an element, and nothing around it, so that a part of it is in sight. @param {Element} root @param {Element} part */
export function scrollWithin(root, part) {
  const [outer, inner] = [root.getBoundingClientRect(), part.getBoundingClientRect()];
  const start = outer.left + (Number.parseFloat(getComputedStyle(root).scrollPaddingLeft) || 0);
  root.scrollLeft += Math.max(0, inner.right - outer.right) + Math.min(0, inner.left - start);
  root.scrollTop += Math.max(0, inner.bottom - outer.bottom) + Math.min(0, inner.top - outer.top);
}

/** Resolves when the page is idle. */
export const idle = () =>
  new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, 200); // Safari
  });

/** Run a classic script. @param {string} url @returns {Promise<void>} rejected if it cannot be loaded */
export const scripted = (url) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${url} cannot be loaded`)));
    document.head.append(script);
  });
