// Patching: how much of the answer to a clean sentence each part of the model brings back, measured and estimated.

import { busyWith } from "../../dom/busy.js";
import { button, make, scrolling, write } from "../../dom/dom.js";
import { elementAt, placeOf, stepped } from "../../dom/grid.js";
import { palette } from "../../dom/palette.js";
import { tryAgain } from "../../dom/problem.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { sentences } from "../../language/gettext.js";
import { studyUrl } from "../../standalone/pages.js";
import { textOf } from "../../state/address/answers.js";
import { modelIn } from "../../state/choice.js";
import { PAIRS } from "../../state/clean.js";
import { cleanForm, settings } from "./form.js";
import { map } from "./map.js";
import { benchIn, bestOf, cellAt, disputed, interventionAt, ranIn, SIDES } from "./reading.js";
import { lackOf, missingIn, textIn } from "./request.js";
import { save } from "./save.js";
import { patchScene } from "./scene.js";
import * as words from "./words.js";

/** @import { At } from "../../dom/grid.js" */
/** @import { State } from "../../types.d.ts" */

/** @param {HTMLElement} root @param {import("../../state/store.js").Store} store @param {import("../view.js").Page} page */
export function patch(root, store, { retry }) {
  root.classList.add("patch-view");
  /** @type {import("./reading.js").Bench | null} */
  let bench = null;
  /** The cell that the reader chose; null: the one that brings back most. @type {At | null} */
  let chosen = null;

  const said = make("p", { class: "patch-said" });
  said.setAttribute("role", "status");
  const again = tryAgain(retry);
  const table = make("table", { class: "patch-tokens" });
  const maps = make("div", { class: "patch-maps" });
  const read = make("p", { class: "patch-cell" });
  const keep = button(words.ADD, () => add(), { title: words.ADD_TITLE });
  const more = make("a", { text: words.STUDY, title: words.STUDY_TITLE });
  const shown = make("section", { class: "patch-shown" }, [
    maps,
    make("div", { class: "patch-reading" }, [read, keep, more]),
    legend(),
    make("p", { class: "faint", text: `${words.FORM.about} ${words.ABOUT}` }),
  ]);
  const body = make("div", { class: "patch-body" }, [scrolling(words.TOKENS.label, table), shown]);
  const beside = make("p", { class: "faint" });
  const about = make("p", { class: "faint", text: words.FORM.about });
  const asks = [make("div", { class: "patch-asks" }, [cleanForm(store), settings(store)]), beside];
  const pairs = pairsOf(store);
  root.append(...asks, said, again, pairs, body, about);

  function draw() {
    const { state } = store;
    if (state.view !== "patch") return;
    again.hidden = !(state.patch?.problem ?? state.patched?.problem)?.retry;
    const missing = missingIn(state, modelIn(state));
    const model = modelIn(state);
    for (const one of asks) one.hidden = lackOf(model) !== "";
    const { takes_targets, takes_pairs } = model;
    beside.textContent = takes_targets ? words.FORM.target : words.FORM.pair;
    beside.hidden ||= !(takes_targets || (takes_pairs && state.pairs !== null));
    bench = missing || state.patch?.status === "error" ? null : benchIn(state);
    body.hidden = bench === null;
    about.hidden = bench !== null || lackOf(model) !== ""; // otherwise it stands below the maps
    pairs.hidden = !["clean", "same"].includes(missing) || takes_targets || state.pairs !== null;
    write(said, missing ? words.MISSING[missing] : sayingOf(state));
    if (!bench) return;
    table.replaceChildren(...tokens(bench.pairs));
    shown.hidden = bench.found.reason !== null;
    if (shown.hidden) return;
    const study = studyUrl({
      ...{ model: model.name, clean: state.clean },
      reads: state.answer && model.itself !== undefined ? textOf(state.answer) : null,
      corrupted: state.texts[textIn(state)],
    });
    more.hidden = study === null || model.takes_targets || state.pairs !== null;
    more.href = study ?? "";
    const hadFocus = maps.contains(document.activeElement);
    const { diverging } = palette(state.scheme);
    const drawn = bench;
    maps.replaceChildren(
      ...SIDES.map((side) =>
        make("figure", {}, [
          make("figcaption", {}, [
            make("b", { text: words.MAPS[side].title }),
            make("span", { class: "faint", text: words.MAPS[side].about }),
          ]),
          ...drawn.groups.map((group) =>
            make("div", { class: "scrolling" }, [map(drawn, group, side, diverging)]),
          ),
        ]),
      ),
    );
    select(selected(), hadFocus);
  }

  /** What the line above the maps says. @param {Readonly<State>} state */
  function sayingOf(state) {
    const { status, problem } = state.patch ?? { status: "loading", problem: null };
    if (problem) return problem.message;
    if (!bench) return status === "loading" ? words.COMPUTING : words.NO_ANSWER;
    const { reason } = bench.found;
    if (reason) return sentences([words.answers(bench), reason]);
    const best = bestOf(bench);
    const most = best && {
      place: words.placeInWords(bench, best),
      share: cellAt(bench, best)?.restored ?? 0,
    };
    const measured = words.measured(ranIn(bench), bench.found.agreement, state.patched?.problem);
    return sentences([words.answers(bench), words.outcome(most, disputed(bench)), measured]);
  }

  /** The selected cell. @returns {At} */
  const selected = () =>
    bench && chosen && cellAt(bench, chosen) ? chosen : ((bench && bestOf(bench)) ?? [0, 0]);

  /** Select a cell in both maps. @param {At} to @param {boolean} focus @param {ParentNode} [within] the map that has the focus */
  function select(to, focus, within = maps) {
    if (!bench) return;
    for (const cell of maps.querySelectorAll("[data-row]")) {
      if (cell instanceof HTMLElement) cell.tabIndex = -1;
      cell.classList.remove("chosen");
    }
    for (const table of maps.querySelectorAll("table")) {
      const cell = elementAt(table, to);
      cell?.classList.add("chosen");
      const stop = cell ?? table.querySelector("[data-row]"); // Tab reaches each table
      if (stop instanceof HTMLElement) stop.tabIndex = 0;
    }
    if (focus) elementAt(within, to)?.focus();
    say(to);
  }

  /** @param {At} to @param {boolean} focus @param {ParentNode} [within] */
  function choose(to, focus, within) {
    chosen = to;
    select(to, focus, within);
  }

  /** @param {At} place */
  function say(place) {
    const cell = bench && cellAt(bench, place);
    if (bench && cell) write(read, words.cellSentence(words.placeInWords(bench, place), cell));
  }

  function add() {
    if (!bench) return;
    const one = interventionAt(bench, selected(), store.state);
    store.update({ interventions: [...store.state.interventions, one] });
  }

  /** @param {EventTarget | null} target */
  const figureOf = (target) =>
    (target instanceof Element ? target.closest("figure") : null) ?? maps;
  maps.addEventListener("pointerover", ({ target }) => {
    const place = placeOf(target);
    if (place) say(place);
  });
  maps.addEventListener("pointerleave", () => say(selected()));
  maps.addEventListener("focusin", ({ target }) => {
    const place = placeOf(target);
    if (place) choose(place, false);
  });
  maps.addEventListener("click", ({ target }) => {
    const place = placeOf(target);
    if (place) choose(place, true, figureOf(target));
  });
  maps.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const place = placeOf(target);
    if (!place || !bench || ctrlKey || metaKey || altKey) return;
    const { layers } = bench.found;
    const wide = Math.max(...layers.map(({ cells }) => cells.length));
    const to = stepped(place, key, { from: [0, 0], to: [layers.length - 1, wide - 1] });
    if (!to) return;
    to[1] = Math.min(to[1], layers[to[0]].cells.length - 1); // the other stack may be narrower
    event.preventDefault();
    event.stopPropagation(); // elsewhere, the arrow keys walk the heads
    choose(to, true, figureOf(target));
  });

  busyWith(root, store, ["patch"]);
  store.watch(
    [
      "patch",
      "patched",
      "clean",
      "view",
      "texts",
      "shown",
      "models",
      "model",
      "answer",
      "scheme",
      "pairs",
    ],
    draw,
  );

  return {
    drawn: () => Promise.resolve(),
    /** The picture for a file; null if there is none yet. @param {import("../../draw/pictures/look.js").Look} [look] */
    scene: ({ scheme } = LIGHT) => {
      if (!bench || bench.found.reason !== null || store.state.view !== "patch") return null;
      if (ranIn(bench) !== null) return null; // the others follow
      const { diverging, paper } = palette(scheme);
      return patchScene(bench, diverging, paper);
    },
  };
}

/** Pairs to begin with. @param {import("../../state/store.js").Store} store */
function pairsOf(store) {
  /** @param {import("../../state/clean.js").Pair} pair */
  const begin = ({ text, clean }) => {
    const { state } = store;
    const shown = textIn(state);
    const texts = state.texts.map((one, index) => (index === shown ? text : one));
    store.update({ texts, clean, query: null, key: null });
  };
  const list = make(
    "ul",
    {},
    PAIRS.map((pair) =>
      make("li", {}, [
        button("", () => begin(pair), { class: "patch-pair" }, [
          make("b", { text: pair.asks }),
          make("span", { text: words.pair(pair), verbatim: true }),
        ]),
      ]),
    ),
  );
  return make("div", { class: "patch-pairs" }, [make("p", { text: words.PAIRS_ABOUT }), list]);
}

function legend() {
  const item = (/** @type {string} */ kind, /** @type {string} */ text) =>
    make("li", {}, [make("i", { class: kind }), make("span", { text })]);
  return make("ul", { class: "patch-legend faint" }, [
    make("li", { text: words.LEGEND.scale }),
    item("disagrees", words.LEGEND.disagrees),
    item("read", words.LEGEND.read),
  ]);
}

export { patch as make, save };

/** The table of both sentences, token under token, with those that differ marked. @param {import("./reading.js").Column[]} pairs */
export function tokens(pairs) {
  /** @param {string} name @param {"clean" | "name"} which */
  const row = (name, which) => {
    const head = make("th", { text: name });
    head.scope = "row";
    const cells = pairs.map((pair) =>
      make("td", {
        text: pair[which],
        class: pair.differs ? "differs" : "",
        title: pair.differs ? words.TOKENS.differs(pair) : "",
      }),
    );
    return make("tr", {}, [head, ...cells]);
  };
  return [
    make("caption", { class: "unseen", text: words.TOKENS.caption }),
    make("tbody", {}, [row(words.TOKENS.clean, "clean"), row(words.TOKENS.corrupted, "name")]),
  ];
}
