// A live figure of a lesson: a view of the inspector with its own store, and what may be turned in it.

import { answers } from "../asking/answers.js";
import { factsRequest } from "../asking/requests.js";
import { make } from "../dom/dom.js";
import { tellDrawn } from "../page/drawn.js";
import { different, fit, modelIn } from "../state/choice.js";
import { Store } from "../state/store.js";
import { fromQuery, toQuery } from "../state/url.js";
import { questions, UNASKED } from "../views/questions.js";
import { VIEWS } from "../views/views.js";
import { sameWords, turned, types } from "./links.js";
import { measuresLine } from "./measures.js";
import { problemBox } from "./problem.js";
import { sentenceBox } from "./sentence.js";
import { sidePanels } from "./side.js";
import { choosers, inForce, switchBoard } from "./switches.js";

/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("../types.d.ts").View} View */
/** @typedef {ReturnType<typeof figure>} Mounted */
/** @typedef {import("../views/view.js").Picture} Drawing */

const BLANK = { texts: [""], layer: 0, head: 0, query: null }; // what a link that says nothing shows
const BESIDE = /** @type {import("../asking/questions.js").Name[]} */ ([
  ...["grid", "scores", "lens", "effects"],
]); // of the inspector alone
const MEASURED = /** @type {import("../asking/questions.js").Name[]} */ (["facts", "reference"]);

/**
 * @param {HTMLElement} root the <figure>, with its caption
 * @param {import("../types.d.ts").Figure} given
 * @param {import("../types.d.ts").LessonBoot} boot
 * @param {State["scheme"]} scheme
 */
export function figure(root, given, { models, limits }, scheme) {
  const { link, switches = [], measures = [] } = given;
  const named = new URLSearchParams(link).get("model");
  if (named && !models.some(({ name }) => name === named)) {
    return absent(root, `This figure is of the model “${named}”, which this server does not have.`);
  }

  const base = fromQuery(link, models, BLANK, limits.texts);
  const store = new Store({
    ...base,
    ...{ models, relations: { model: "", drawn: {} } },
    ...{ ...UNASKED, scheme },
  });
  const choice = /** @type {(keyof Choice)[]} */ (Object.keys(base));
  // first of all, so that no view is asked to draw a head that the model does not have
  store.watch(["model", "models", "scratch"], (state) => store.update(fit(state, modelIn(state))));

  let chosen = switches.map(() => 0); // the option of each switch; −1: the reader typed something else
  let typed = false;

  /** @param {string} query the choice as a link */
  const read = (query) => fromQuery(query, store.state.models, BLANK, limits.texts);
  const board = switchBoard(switches, (place, option) => {
    sentence.flush();
    turn(chosen.map((one, at) => (at === place ? option : one)));
  });
  /**
   * @param {number[]} next the option of each switch
   * @param {string} [from] a link: what stays of it; unless it is said, that is what is looked at
   */
  const turn = (next, from) => {
    const said = switches.some((one, place) => next[place] !== chosen[place] && types(one));
    if (said || from !== undefined) typed = false;
    chosen = next;
    board.show(chosen);
    const query = turned(from ?? toQuery(store.state, store.state.models), link, switches, chosen);
    store.update(different(store.state, read(query)));
  };
  /** @param {Pick<State, "texts" | "targets">} texts */
  const type = (texts) => {
    typed = true;
    chosen = chosen.map((option, place) => (types(switches[place]) ? -1 : option));
    board.show(chosen);
    store.update({ ...texts, against: heldTo(texts) });
  };
  /**
   * What is held is of the same words as what is looked at, unless the lesson says of which it is.
   * @param {Pick<State, "texts" | "targets">} typed
   */
  const heldTo = (typed) => {
    const { against, models } = store.state;
    if (!against) return null;
    const query = toQuery({ ...store.state, ...typed }, models);
    const said = read(turned(query, link, switches, chosen)).against;
    return said && { ...against, texts: said.texts, targets: said.targets };
  };
  const note = make("p", { class: "figure-note" });
  note.setAttribute("role", "note");
  note.hidden = true;
  /** @param {(string | Node)[]} words none: there is nothing to say */
  const say = (words) => {
    note.hidden = words.length === 0;
    note.replaceChildren(...words);
  };
  const reset = () => {
    sentence.flush(); // else it would come after
    say([]);
    turn(
      switches.map(() => 0),
      link,
    );
  };
  const sentence = sentenceBox(store, limits.characters, type);
  board.show(chosen);

  /** The figure without its switches, of what is looked at. @param {Readonly<State>} state */
  const unturned = (state) => {
    const { models, lacks, layer, kind, query, texts, targets } = state;
    const plain = { ...state, ...base, models, lacks, layer, kind, query };
    const ordered = measures.includes("order") && sameWords(state, base); // of the same words, another order
    const said = typed && !ordered ? { ...plain, texts, targets } : plain;
    return { ...said, ...fit(said, modelIn(said)) };
  };

  /** @param {Readonly<State>} state */
  const reference = (state) => {
    const plain = unturned(state);
    return factsRequest(plain, modelIn(plain));
  };
  /** Whether something differs from what it is measured against. @param {Readonly<State>} state */
  const differs = (state) =>
    JSON.stringify(factsRequest(state, modelIn(state))) !== JSON.stringify(reference(state));

  const body = make("form", { class: "figure-body" });
  body.addEventListener("submit", (event) => event.preventDefault());
  const views = make("div", { class: "figure-views" });
  const without = [...BESIDE, ...(measures.length > 0 ? [] : MEASURED)];
  const asking = answers(store, { questions: questions({ without, requests: { reference } }) });

  /** @type {Map<View, {element: HTMLElement, drawing: Drawing}>} */
  const made = new Map();
  /** The view that is looked at, which is made when it first is. */
  const view = () => {
    const name = store.state.view;
    const held = made.get(name);
    if (held) return held;
    const element = make("div", { class: "view" });
    views.append(element);
    const page = { retry: asking.retry, inText: true, onCell: side.point };
    const drawing = VIEWS[name].make(element, store, page);
    made.set(name, { element, drawing });
    return { element, drawing };
  };

  const side = sidePanels(store);
  const single = store.state.texts.length === 1;
  body.append(
    ...((given.editable ?? single) ? [sentence.root] : []),
    make("div", { class: "figure-tools" }, [...board.all, ...choosers(store, switches)]),
    problemBox(store, () => asking.retry()),
    views,
    side.root,
    ...(measures.length > 0 ? [measuresLine(store, measures, differs, () => asking.retry())] : []),
    linksLine(store, choice, reset, sentence.flush),
  );
  root.prepend(note, body);
  store.watch(["view"], ({ view: name }) => {
    const { element } = view();
    body.dataset.view = name;
    for (const one of made.values()) one.element.hidden = one.element !== element;
  });
  tellDrawn(root, store, asking.status, () => view().drawing.drawn());

  return {
    /** @param {State["scheme"]} scheme */
    scheme: (scheme) => store.update({ scheme }),
    /** A line above the figure, until it is reset. */
    say,
    /**
     * As the lesson shows it, but for some switches, by their names, that stand at other options, by their labels.
     * @param {Record<string, string>} to
     */
    set: (to) => {
      sentence.flush();
      turn(
        switches.map(({ name, options }) => {
          const option = options.findIndex(({ label }) => label === to[name]);
          return Math.max(0, option);
        }),
        link,
      );
    },
    /** The picture on paper, what its hatching means, and what is in force; null while there is none. */
    paper: () => {
      const { drawing } = view();
      const scene = drawing.scene?.() ?? null;
      const turnedTo = switches.flatMap(({ name, options }, place) =>
        chosen[place] < 0 ? [] : [`${name}: ${options[chosen[place]].label}`],
      );
      const looked = inForce(store.state, switches);
      return (
        scene && {
          scene,
          legend: drawing.legend?.() ?? null,
          said: [...turnedTo, ...looked].join(" · "),
        }
      );
    },
  };
}

/** A figure that cannot be there: why. @param {HTMLElement} root @param {string} words */
export function absent(root, words) {
  root.prepend(make("p", { class: "problem", text: words }));
  root.dataset.state = "error";
  return { scheme: () => {}, say: () => {}, set: () => {}, paper: () => null };
}

/**
 * Back to how the lesson shows it; and on to the inspector, as it stands.
 * @param {Store} store
 * @param {(keyof Choice)[]} choice
 * @param {() => void} reset
 * @param {() => void} flush what was typed a moment ago
 */
function linksLine(store, choice, reset, flush) {
  const back = make("button", { text: "Reset", class: "quiet" });
  back.type = "button";
  back.addEventListener("click", reset);
  const open = make("a", { text: "Open in the inspector" });
  open.addEventListener("click", flush);
  store.watch([...choice, "models"], (state) => {
    open.href = `/${toQuery(state, state.models)}`;
  });
  return make("p", { class: "figure-links" }, [back, open]);
}
