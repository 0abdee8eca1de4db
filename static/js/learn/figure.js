// A live figure of a lesson: views and panels of the inspector with a store of their own, and the switches of the lesson.

import { backend } from "../api/backend.js";
import { answers } from "../asking/answers.js";
import { factsRequest } from "../asking/requests.js";
import { button, make } from "../dom/dom.js";
import { problemBox } from "../dom/problem.js";
import { tellDrawn } from "../page/drawn.js";
import { sentences } from "../panels/input/sentence.js";
import { missingBox } from "../panels/missing/missing.js";
import { inspectorUrl } from "../standalone/pages.js";
import { fit, modelIn } from "../state/choice.js";
import { fitting } from "../state/fitting/fitting.js";
import { Store, same } from "../state/store.js";
import { fromQuery, linked, toQuery } from "../state/url.js";
import { mounted, questions, UNASKED } from "../views/views.js";
import { sameWords } from "./links.js";
import { measuresLine } from "./measures.js";
import { sidePanels } from "./side.js";
import { choosers } from "./switches.js";
import { switching } from "./switching.js";
import { OPEN, RESET, settingsInWords, unknownModel } from "./words.js";

/** @import { Choice, State, View } from "../types.d.ts" */
/** @import { Name as Question } from "../asking/questions.js" */
/** @typedef {ReturnType<typeof figure>} Mounted */

const BLANK = { texts: [""], layer: 0, head: 0, query: null }; // what an empty link shows
const INSPECTOR_ONLY = /** @type {Question[]} */ (["grid", "scores", "muting"]);
const FOR_MEASURES = /** @type {Question[]} */ (["facts", "reference"]);

/**
 * @param {HTMLElement} root the <figure>, with its caption
 * @param {import("../types.d.ts").Figure} given
 * @param {import("../types.d.ts").LessonBoot} boot
 * @param {State["scheme"]} scheme
 */
export function figure(root, given, { slug, models, limits }, scheme) {
  const { link, switches = [], measures = [] } = given;
  const model = new URLSearchParams(link).get("model");
  if (model && !models.some(({ name }) => name === model)) return absent(root, unknownModel(model));

  const { choice: base, missing } = linked(link, models, BLANK, limits.texts);
  const store = new Store({
    ...base,
    models,
    relations: {},
    ...UNASKED,
    scheme,
    missing,
  });
  fitting(store);

  const read = (/** @type {string} */ query) =>
    fromQuery(query, store.state.models, BLANK, limits.texts);
  const settings = switching(store, link, switches, read);

  /** The figure with its switches as the lesson sets them, for the measures to compare with. @param {Readonly<State>} state */
  const withoutSwitches = (state) => {
    const { models, lacks, layer, kind, query, texts, targets } = state;
    const plain = { ...state, ...base, models, lacks, layer, kind, query };
    const reordered = measures.includes("order") && sameWords(state, base); // compare with the order of the lesson
    const own = settings.isTyped() && !reordered ? { ...plain, texts, targets } : plain;
    return { ...own, ...fit(own, modelIn(own)) };
  };
  /** @param {Readonly<State>} state */
  const reference = (state) => {
    const plain = withoutSwitches(state);
    return factsRequest(plain, modelIn(plain));
  };
  /** @param {Readonly<State>} state */
  const differs = (state) => !same(factsRequest(state, modelIn(state)), reference(state));
  const without = [...INSPECTOR_ONLY, ...(measures.length > 0 ? [] : FOR_MEASURES)];
  const asking = answers(store, { questions: questions({ without, requests: { reference } }) });

  const note = noteLine();
  const side = sidePanels(store);
  const views = mountedViews(store, { retry: asking.retry, inText: true, onCell: side.point });
  const body = make("form", { class: "figure-body" });
  body.addEventListener("submit", (event) => event.preventDefault());
  const reset = () => {
    note.say([]);
    settings.reset();
  };
  const editable = given.editable ?? store.state.texts.length === 1;
  body.append(
    ...(editable ? [textBoxes(store, limits, settings.type)] : []),
    make("div", { class: "figure-tools" }, [...settings.controls, ...choosers(store, switches)]),
    problems(store, asking.retry),
    views.root,
    side.root,
    ...(measures.length > 0 ? [measuresLine(store, measures, differs, asking.retry)] : []),
    linksLine(store, slug, /** @type {(keyof Choice)[]} */ (Object.keys(base)), reset),
  );
  root.prepend(note.root, body);
  const box = make("section", { class: "missing" });
  box.setAttribute("role", "alert");
  body.prepend(box);
  missingBox(box, store, body);
  store.watch(["view"], ({ view }) => {
    body.dataset.view = view;
    views.show(view);
  });
  tellDrawn(root, store, asking, () => views.current().drawn());

  return {
    /** @param {State["scheme"]} scheme */
    scheme: (scheme) => store.update({ scheme }),
    /** Show a line above the figure until it is reset. */
    say: note.say,
    set: settings.set,
    /** The picture for paper, what its hatching means, and what is set; null if there is no picture yet. */
    paper: () => {
      const { scene, legend } = views.current();
      const drawn = scene?.();
      if (!drawn) return null;
      const words = settingsInWords(settings.settings());
      return { scene: drawn, legend: legend?.() ?? null, words };
    },
  };
}

/** A figure that cannot be shown, and why. @param {HTMLElement} root @param {string} words */
export function absent(root, words) {
  root.prepend(make("p", { class: "problem", text: words }));
  root.dataset.state = "error";
  return { scheme: () => {}, say: () => {}, set: () => {}, paper: () => null };
}

/** A line above the figure, hidden while it is empty. */
function noteLine() {
  const root = make("p", { class: "figure-note" });
  root.setAttribute("role", "note");
  root.hidden = true;
  return {
    root,
    /** @param {(string | Node)[]} words */
    say: (words) => {
      root.hidden = words.length === 0;
      root.replaceChildren(...words);
    },
  };
}

/**
 * The views of the figure, each made when it is first shown.
 * @param {Store} store
 * @param {import("../views/view.js").Page} page
 */
function mountedViews(store, page) {
  const root = make("div", { class: "figure-views" });
  /** @type {Map<View, {element: HTMLElement, picture: import("../views/view.js").Picture}>} */
  const made = new Map();
  /** @param {View} name */
  const view = (name) => {
    const held = made.get(name);
    if (held) return held;
    const element = make("div", { class: "view" });
    root.append(element);
    const one = { element, picture: mounted(name, element, store, page) };
    made.set(name, one);
    return one;
  };
  return {
    root,
    current: () => view(store.state.view).picture,
    /** @param {View} name */
    show: (name) => {
      const shown = view(name);
      for (const one of made.values()) one.element.hidden = one !== shown;
    },
  };
}

/** What went wrong, and what to do about it; the last picture stays. @param {Store} store @param {() => void} retry */
function problems(store, retry) {
  const root = make("div", { class: "problem" });
  root.setAttribute("role", "alert");
  problemBox(root, store, { retry });
  return root;
}

/**
 * @param {Store} store
 * @param {{characters: number, texts: number}} limits
 * @param {(texts: import("./switching.js").Typed) => void} onType
 */
function textBoxes(store, limits, onType) {
  const root = make("div", { class: "figure-text" });
  sentences(root, store, { limits, named: true, onType });
  return root;
}

/**
 * Back to what the lesson shows; and on to the inspector, with what the figure shows now and the way back to the lesson.
 * @param {Store} store
 * @param {string} lesson
 * @param {(keyof Choice)[]} choice
 * @param {() => void} reset
 */
function linksLine(store, lesson, choice, reset) {
  const open = make("a", { text: OPEN });
  store.watch([...choice, "models"], (state) => {
    open.href = inspectorUrl(toQuery({ ...state, lesson, engine: backend.said }, state.models));
  });
  return make("p", { class: "figure-links" }, [button(RESET, reset, { class: "quiet" }), open]);
}
