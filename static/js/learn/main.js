// A page of lessons: its figures come to life as they come near, and its questions are shown by them.

import { lane } from "../asking/answers.js";
import { make } from "../dom/dom.js";
import { scheme } from "../page/chrome.js";
import { waiting } from "../page/waiting.js";
import { absent, figure } from "./figure.js";
import { printing } from "./print.js";
import { question } from "./questions.js";

/** @typedef {import("../types.d.ts").LessonBoot} Boot */
/** @typedef {import("./figure.js").Mounted} Mounted */

const NEAR = "100%"; // of the window, above and below: so far figures are drawn ahead

const data = document.querySelector("#lesson-boot");
/** @type {Boot} */
const boot = JSON.parse(data?.textContent ?? "null") ?? { models: [], figures: {}, questions: [] };
const page = document.documentElement;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {"light" | "dark"} */
let colours = "light";
/** @type {Map<HTMLElement, Mounted>} */
const mounted = new Map();
const all = [...document.querySelectorAll("figure[data-figure]")].filter(
  (element) => element instanceof HTMLElement,
);
/** @type {Set<Element>} */
const near = new Set();
let looked = all.length === 0; // whether the browser has said what is near

/** The figure in an element, which is made when it is first wanted. @param {HTMLElement} root */
function live(root) {
  const held = mounted.get(root);
  if (held) return held;
  const name = root.dataset.figure ?? "";
  const one = Object.hasOwn(boot.figures, name)
    ? figure(root, boot.figures[name], boot, colours)
    : absent(root, `The JSON file of this lesson has no figure “${name}”.`);
  mounted.set(root, one);
  return one;
}

scheme((name) => {
  colours = name;
  for (const one of mounted.values()) one.scheme(name);
});
printing(() => mounted);
waiting(lane);

for (const root of all) root.dataset.state = "waiting";
const observer = new IntersectionObserver(
  (entries) => {
    looked = true;
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) near.add(target);
      else near.delete(target);
      if (isIntersecting && target instanceof HTMLElement) live(target);
    }
    tell();
  },
  { rootMargin: `${NEAR} 0px` },
);
for (const root of all) observer.observe(root);

// `data-state` of the page: whether all that is near has been drawn
new MutationObserver(tell).observe(document.body, {
  ...{ subtree: true, attributes: true, attributeFilter: ["data-state"] },
});
function tell() {
  const states = [...near].map((root) => /** @type {HTMLElement} */ (root).dataset.state);
  const waits = !looked || states.some((state) => state === "loading" || state === "waiting");
  page.dataset.state = waits ? "loading" : states.includes("error") ? "error" : "ready";
  if (!waits) ahead();
}

/** What is near stands: now the next of the others, so that all of them are there when the page is printed. */
function ahead() {
  if ([...mounted.keys()].some((root) => root.dataset.state === "loading")) return;
  const next = all.find((root) => !mounted.has(root));
  if (next) requestAnimationFrame(() => live(next));
}

/** @param {HTMLElement} element */
const goTo = (element) =>
  element.scrollIntoView({
    block: element.offsetHeight > innerHeight ? "start" : "nearest", // its top is what is read first
    behavior: still.matches ? "auto" : "smooth",
  });

/** No figure says anything of a question. */
const unsay = () => {
  for (const one of mounted.values()) one.say([]);
};

for (const [place, { figure: name, set, answer }] of boot.questions.entries()) {
  const roots = document.querySelectorAll(`[data-question="${place}"]`);
  for (const root of roots) if (root instanceof HTMLElement) ask(root, place, name, set, answer);
}

/**
 * @param {HTMLElement} root
 * @param {number} place
 * @param {string | null} name of its figure
 * @param {Record<string, string>} set
 * @param {number} answer
 */
function ask(root, place, name, set, answer) {
  const reveal = (
    /** @type {string} */ verdict,
    /** @type {string} */ right,
    /** @type {HTMLElement} */ from,
  ) => {
    unsay();
    const shown = all.find(({ dataset }) => name !== null && dataset.figure === name);
    if (!shown) return;
    const back = make("button", { text: "Back to the question", class: "quiet" });
    back.type = "button";
    back.addEventListener("click", () => {
      from.focus({ preventScroll: true });
      goTo(root);
    });
    const one = live(shown);
    one.set(set);
    one.say([`Question ${place + 1}: ${verdict} `, make("b", { text: right }), " ", back]);
    goTo(shown);
  };
  question(root, answer, { reveal, clear: unsay });
}
tell();
