// A lesson: its figures are mounted as they come near the window, and its questions are answered with them.

import { backend } from "../api/backend.js";
import { lane } from "../asking/answers.js";
import { button, make } from "../dom/dom.js";
import { LANGUAGE } from "../language/language.js";
import { alone } from "../page/alone/alone.js";
import { prefetch } from "../page/alone/prefetch.js";
import { scheme } from "../page/chrome.js";
import { waiting } from "../page/waiting.js";
import { engineIn } from "../state/address.js";
import { arrows } from "./arrows.js";
import { absent, figure } from "./figure.js";
import { reporting } from "./lms.js";
import { printing } from "./print.js";
import { program } from "./programs/program.js";
import { listProgress, mark } from "./progress.js";
import { question } from "./questions.js";
import { buttons, slides } from "./slides.js";
import { answered, BACK, unknownFigure } from "./words.js";

/** @import { LessonBoot as Boot } from "../types.d.ts" */
/** @import { Mounted } from "./figure.js" */

const NEAR = "100%"; // of the window, above and below: figures this far away are drawn in advance

const data = document.querySelector("#lesson-boot");
/** @type {Boot} */
const boot = JSON.parse(data?.textContent ?? "null") ?? {
  slug: "",
  models: [],
  figures: {},
  programs: {},
  runs: false,
  questions: [],
  class: null,
};
if (data) backend.prepare(boot);
backend.choose(engineIn(location.search));
for (const link of document.querySelectorAll("a[href]")) {
  if (link instanceof HTMLAnchorElement) carry(link);
}
const page = document.documentElement;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {"light" | "dark"} */
let colours = "light";
/** @type {Map<HTMLElement, Mounted>} */
const mounted = new Map();
/** @param {string} selector @returns {HTMLElement[]} */
const elements = (selector) =>
  [...document.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement);
const figures = elements("figure[data-figure]");
/** @type {Set<Element>} */
const near = new Set();
let observed = figures.length === 0; // whether the browser has reported which figures are near

/** The figure in an element, mounted when it is first needed. @param {HTMLElement} root */
function mount(root) {
  const held = mounted.get(root);
  if (held) return held;
  const name = root.dataset.figure ?? "";
  const one = Object.hasOwn(boot.figures, name)
    ? figure(root, boot.figures[name], boot, colours)
    : absent(root, unknownFigure(name));
  mounted.set(root, one);
  return one;
}

/** Let a link to another page of ours say what computes, too, if the address of this one does. @param {HTMLAnchorElement} link */
function carry(link) {
  const url = new URL(link.href);
  const ours = url.origin === location.origin && /^\/(learn(\/.*)?)?$/.test(url.pathname);
  if (!ours || link.getAttribute("href")?.startsWith("#") || backend.said === "default") return;
  if (!url.searchParams.has("engine")) url.searchParams.set("engine", backend.said);
  link.href = url.href;
}

scheme((name) => {
  colours = name;
  for (const one of mounted.values()) one.scheme(name);
});
listProgress(elements(".progress"));
const { compare } = new Intl.Collator(LANGUAGE); // the English order of the glossary is not that of its translations
const terms = elements(".glossary .term").sort((one, other) =>
  compare(one.textContent, other.textContent),
);
terms[0]?.parentElement?.append(...terms);
printing(() => mounted);
buttons(elements("[data-print]"), elements("[data-fullscreen]"));
waiting(lane);
alone(lane);
prefetch(Boolean(boot.class));

/** For somebody in a live class, also on the list of lessons. @type {{script: string} | null} */
const inClass =
  boot.class ?? JSON.parse(document.querySelector("#class-boot")?.textContent ?? "null");
if (inClass) import(inClass.script).then(({ lessonInClass }) => lessonInClass());

for (const root of figures) root.dataset.state = "waiting";
const observer = new IntersectionObserver(
  (entries) => {
    observed = true;
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) near.add(target);
      else near.delete(target);
      if (isIntersecting && target instanceof HTMLElement) mount(target);
    }
    updateState();
  },
  { rootMargin: `${NEAR} 0px` },
);
for (const root of figures) observer.observe(root);

new MutationObserver(updateState).observe(document.body, {
  subtree: true,
  attributes: true,
  attributeFilter: ["data-state"],
});

/** Set `data-state` of the page: "ready" once everything near is drawn. */
function updateState() {
  const states = [...near].map((root) => /** @type {HTMLElement} */ (root).dataset.state);
  const loading = !observed || states.some((state) => state === "loading" || state === "waiting");
  page.dataset.state = loading ? "loading" : states.includes("error") ? "error" : "ready";
  if (!loading) mountNext();
}

/** Once everything near is drawn, mount the other figures one by one, so that all are there when the page is printed. */
function mountNext() {
  if ([...mounted.keys()].some((root) => root.dataset.state === "loading")) return;
  const next = figures.find((root) => !mounted.has(root));
  if (next) requestAnimationFrame(() => mount(next));
}

/** @param {HTMLElement} element */
const scrollTo = (element) =>
  element.scrollIntoView({
    block: element.offsetHeight > innerHeight ? "start" : "nearest", // of a high element the top is read first
    behavior: reducedMotion.matches ? "auto" : "smooth",
  });

// a projector frames one slide at a time
page.toggleAttribute("data-framed", self !== top && elements(".slide").length > 0);
slides(elements(".slide"), {
  scrollTo: (slide) => slide.scrollIntoView({ block: "start" }),
  isShown: (slide) => {
    const { top, bottom } = slide.getBoundingClientRect();
    return top < innerHeight / 8 && bottom > innerHeight / 8;
  },
});

/** Remove the notes about questions from the figures. */
const clearNotes = () => {
  for (const one of mounted.values()) one.say([]);
};

for (const caption of elements("figcaption[data-arrows]")) arrows(caption);

for (const root of elements("figure[data-program]")) {
  const name = root.dataset.program ?? "";
  const told = boot.programs[name];
  if (told) program(root, told, { name, slug: boot.slug, runs: boot.runs });
}

/** @param {number} place of a question, from 0 */
const taskOf = (place) => `question/${place}`;

const tasks = boot.questions.map((_, place) => taskOf(place));
const lms = tasks.length > 0 ? reporting(/** @type {any} */ (window), tasks) : null;
if (lms) addEventListener("pagehide", lms.finish);

for (const [place, asked] of boot.questions.entries()) {
  for (const root of document.querySelectorAll(`[data-question="${place}"]`)) {
    if (root instanceof HTMLElement) ask(root, place + 1, asked);
  }
}

/**
 * @param {HTMLElement} root
 * @param {number} number from 1
 * @param {Boot["questions"][number]} asked
 */
function ask(root, number, { figure: name, set, ...asked }) {
  /** Show the answer in its figure. @param {string} verdict @param {string} right @param {HTMLElement} from */
  const reveal = (verdict, right, from) => {
    clearNotes();
    const shown = figures.find(({ dataset }) => name !== null && dataset.figure === name);
    if (!shown) return;
    const back = button(
      BACK,
      () => {
        from.focus({ preventScroll: true });
        scrollTo(root);
      },
      { class: "quiet" },
    );
    const one = mount(shown);
    one.set(set);
    one.say([`${answered(number, verdict)} `, make("b", { text: right }), " ", back]);
    scrollTo(shown);
  };
  const right = () => {
    mark(boot.slug, taskOf(number - 1));
    lms?.right(taskOf(number - 1));
  };
  question(root, asked, { reveal, right, clear: clearNotes });
}
updateState();
