// A live figure of a lesson: a view of the inspector with its own store, and what may be turned in it.

import { answers, UNASKED } from "../answers.js";
import { fit, modelIn } from "../choice.js";
import { factsRequest } from "../requests.js";
import { Store } from "../store.js";
import { fromQuery, toQuery } from "../url.js";
import { compare } from "../views/compare/compare.js";
import { make } from "../views/dom.js";
import { tellDrawn } from "../views/drawn.js";
import { inside } from "../views/inside/inside.js";
import { lines } from "../views/lines/lines.js";
import { heatmap } from "./heatmap.js";
import { turned, types } from "./links.js";
import { measuresLine } from "./measures.js";
import { sentenceBox } from "./sentence.js";
import { choosers, switchBoard } from "./switches.js";

/** @typedef {import("../types.d.ts").Choice} Choice */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("../types.d.ts").View} View */
/** @typedef {ReturnType<typeof figure>} Mounted */
/** @typedef {{drawn: () => Promise<unknown>, scene: () => import("../render/scene.js").Scene | null}} Drawing */

const BLANK = { texts: [""], layer: 0, head: 0, query: null }; // what a link that says nothing shows
const SLOTS = /** @type {const} */ (["overlays", "inside", "other", "whole"]);
const MEASURED = /** @type {const} */ (["facts", "reference"]);

/**
 * @param {HTMLElement} root the <figure>, with its caption
 * @param {import("../types.d.ts").Figure} given
 * @param {import("../types.d.ts").LessonBoot} boot
 * @param {State["scheme"]} scheme
 */
export function figure(root, given, { models, limits }, scheme) {
  const { link, switches = [], measures = [] } = given;
  const named = new URLSearchParams(link).get("model");
  if (named && !models.some(({ name }) => name === named)) return absent(root, named);

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
  const show = (query) =>
    store.update(changed(store.state, fromQuery(query, store.state.models, BLANK, limits.texts)));
  const board = switchBoard(switches, (place, option) =>
    turn(chosen.map((one, at) => (at === place ? option : one))),
  );
  /**
   * @param {number[]} next the option of each switch
   * @param {string} [from] a link: what stays of it; unless it is said, that is what is looked at
   */
  const turn = (next, from) => {
    const said = switches.some((one, place) => next[place] !== chosen[place] && types(one));
    if (said || from !== undefined) typed = false;
    chosen = next;
    board.show(chosen);
    show(turned(from ?? toQuery(store.state, store.state.models), link, switches, chosen));
  };
  /** @param {Pick<State, "texts" | "targets">} texts */
  const type = (texts) => {
    typed = true;
    chosen = chosen.map((option, place) => (types(switches[place]) ? -1 : option));
    board.show(chosen);
    store.update(texts);
  };
  const reset = () =>
    turn(
      switches.map(() => 0),
      link,
    );
  board.show(chosen);

  /** The figure without its switches, of what is looked at. @param {Readonly<State>} state */
  const unturned = (state) => {
    const { models, lacks, layer, kind, query, texts, targets } = state;
    const plain = { ...state, ...base, models, lacks, layer, kind, query };
    const said = typed ? { ...plain, texts, targets } : plain;
    return { ...said, ...fit(said, modelIn(said)) };
  };

  const body = make("form", { class: "figure-body" });
  body.addEventListener("submit", (event) => event.preventDefault());
  const views = make("div", { class: "figure-views" });
  const asking = answers(store, {
    slots: measures.length > 0 ? [...SLOTS, ...MEASURED] : SLOTS,
    grid: false,
    requests: {
      reference: (state) => {
        const plain = unturned(state);
        return factsRequest(plain, modelIn(plain));
      },
    },
  });

  /** @type {Record<View, (element: HTMLElement) => Drawing>} */
  const kinds = {
    heatmap: (element) => heatmap(element, store),
    lines: (element) => lines(element, store, () => asking.retry("overlays")),
    inside: (element) => inside(element, store, () => asking.retry("inside")),
    compare: (element) => compare(element, store, () => asking.retry("other", "whole")),
  };
  /** @type {Map<View, {element: HTMLElement, drawing: Drawing}>} */
  const made = new Map();
  /** The view that is looked at, which is made when it first is. */
  const view = () => {
    const name = store.state.view;
    const held = made.get(name);
    if (held) return held;
    const element = make("div", { class: "view" });
    views.append(element);
    const drawing = kinds[name](element);
    made.set(name, { element, drawing });
    return { element, drawing };
  };

  const single = store.state.texts.length === 1;
  body.append(
    ...((given.editable ?? single) ? [sentenceBox(store, limits.characters, type)] : []),
    make("div", { class: "figure-tools" }, [...board.all, ...choosers(store, switches)]),
    problemBox(store, () => asking.retry()),
    views,
    ...(measures.length > 0
      ? [measuresLine(store, measures, () => asking.retry(...MEASURED))]
      : []),
    linksLine(store, choice, reset),
  );
  root.prepend(body);
  store.watch(["view"], ({ view: name }) => {
    const { element } = view();
    body.dataset.view = name;
    for (const one of made.values()) one.element.hidden = one.element !== element;
  });
  tellDrawn(root, store, asking.status, () => view().drawing.drawn());

  return {
    /** @param {State["scheme"]} scheme */
    scheme: (scheme) => store.update({ scheme }),
    /**
     * As the lesson shows it, but for some switches, by their names, that stand at other options, by their labels.
     * @param {Record<string, string>} to
     */
    set: (to) =>
      turn(
        switches.map(({ name, options }) => {
          const option = options.findIndex(({ label }) => label === to[name]);
          return Math.max(0, option);
        }),
        link,
      ),
    /** The picture on paper, and how the switches stand; null while there is none. */
    paper: () => {
      const scene = view().drawing.scene();
      const turnedTo = switches.flatMap(({ name, options }, place) =>
        chosen[place] < 0 ? [] : [`${name}: ${options[chosen[place]].label}`],
      );
      return scene && { scene, turned: turnedTo.join(" · ") };
    },
  };
}

/** A lesson may be about a model that a server does not have. @param {HTMLElement} root @param {string} model */
function absent(root, model) {
  const words = `This figure is of the model “${model}”, which this server does not have.`;
  root.prepend(make("p", { class: "problem", text: words }));
  root.dataset.state = "error";
  return { scheme: () => {}, set: () => {}, paper: () => null };
}

/** What went wrong and what to do; the last picture stays. @param {Store} store @param {() => void} retry */
function problemBox(store, retry) {
  const words = make("p");
  const again = make("button", { text: "Try again" });
  again.type = "button";
  again.addEventListener("click", retry);
  const box = make("div", { class: "problem" }, [words, again]);
  box.setAttribute("role", "alert");
  store.watch(["problem"], ({ problem }) => {
    box.hidden = problem === null;
    words.textContent = problem?.message ?? "";
    again.hidden = !problem?.retry;
  });
  return box;
}

/**
 * Back to how the lesson shows it; and on to the inspector, as it stands.
 * @param {Store} store
 * @param {(keyof Choice)[]} choice
 * @param {() => void} reset
 */
function linksLine(store, choice, reset) {
  const back = make("button", { text: "Reset", class: "quiet" });
  back.type = "button";
  back.addEventListener("click", reset);
  const open = make("a", { text: "Open in the inspector" });
  store.watch([...choice, "models"], (state) => {
    open.href = `/${toQuery(state, state.models)}`;
  });
  return make("p", { class: "figure-links" }, [back, open]);
}

/**
 * Only what differs: an equal list stays the one that it is, so that nothing looks new.
 * @param {Choice} before
 * @param {Choice} after
 * @returns {Partial<Choice>}
 */
function changed(before, after) {
  const keys = /** @type {(keyof Choice)[]} */ (Object.keys(after));
  const differ = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return Object.fromEntries(differ.map((key) => [key, after[key]]));
}
