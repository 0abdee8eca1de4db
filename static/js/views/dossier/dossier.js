// What the heads of the model do over many texts: all heads between two axes, and a card of the selected one.

import { busyWith } from "../../dom/busy.js";
import { make } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { asking } from "./asked.js";
import { card } from "./card.js";
import { scattered } from "./points.js";
import { save } from "./save.js";
import { axisChoice, scatter } from "./scatter.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Point } from "./points.js" */

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @returns {import("../view.js").Picture}
 */
export function dossier(root, store) {
  root.classList.add("dossier-view");
  const again = asking(store);
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const retry = tryAgain(again);
  const axes = axisChoice(store);
  const told = make("p", { class: "dossier-told" });
  const key = make("ul", { class: "dossier-key" });
  key.setAttribute("aria-label", words.KEY);
  const without = make("p", { class: "source" });
  const about = make("section", { class: "dossier-card" });
  /** @type {ReturnType<typeof scattered> | null} */
  let seen = null;

  /** @param {Point | null} pointed */
  const tell = (pointed) => {
    const { layer, head } = store.state;
    const chosen = seen?.points.find((one) => one.head.layer === layer && one.head.head === head);
    const point = pointed ?? chosen;
    told.textContent = point && seen ? words.pointInWords(point, seen) : "";
  };
  const picture = scatter(store, tell);
  const left = make("div", { class: "dossier-heads" }, [
    axes.root,
    picture.root,
    told,
    key,
    without,
  ]);
  const body = make("div", { class: "dossier-body" }, [left, about]);
  root.append(summary, retry, body);

  busyWith(root, store, ["corpus"]);
  store.watch(["corpus", "model", "kind", "across", "up", "view", "relations"], (state) => {
    const answer = answerOf(state);
    seen = answer && scattered(answer, state);
    body.hidden = !hasHeads(state);
    retry.hidden = !state.corpus?.problem?.retry;
    summary.replaceChildren(...coded(summaryOf(state)));
    if (!answer || !seen) return;
    axes.draw(answer, seen);
    picture.draw(seen);
    key.replaceChildren(...seen.kinds.map(keyOf));
    without.hidden = seen.without.length === 0;
    without.textContent = words.withoutInWords({ n: seen.without.length, reason: seen.reason });
    tell(null);
  });

  store.watch(["corpus", "model", "kind", "layer", "head", "view", "relations"], (state) => {
    if (state.view !== "dossier") return;
    const head = headIn(state);
    about.replaceChildren(...(head ? card(head.dossier, head.head, store) : []));
    if (seen) picture.select(seen);
    tell(null);
  });
  return { drawn: () => loaded(store) };
}

/** Resolves once there is a dossier, or it is known why not. @param {Store} store @returns {Promise<void>} */
const loaded = (store) =>
  new Promise((resolve) => {
    store.watch(["corpus", "model", "view"], ({ corpus, model, view }) => {
      const isPending = corpus?.model !== model || corpus.status === "loading";
      if (view !== "dossier" || !isPending) resolve();
    });
  });

/** The dossier of the model on screen. @param {Readonly<Pick<State, "corpus" | "model">>} state */
export const answerOf = ({ corpus, model }) => (corpus?.model === model ? corpus.answer : null);

/** @param {Readonly<State>} state */
const hasHeads = (state) => answerOf(state)?.heads.some(({ kind }) => kind === state.kind) ?? false;

/** The selected head. @param {Readonly<State>} state */
function headIn(state) {
  const dossier = answerOf(state);
  const head = dossier?.heads.find(
    ({ kind, layer, head }) => kind === state.kind && layer === state.layer && head === state.head,
  );
  return dossier && head ? { dossier, head } : null;
}

/** @param {Readonly<State>} state */
function summaryOf(state) {
  const { corpus, model } = state;
  if (corpus?.model !== model) return words.LOADING;
  if (corpus.problem) return corpus.problem.message;
  if (!corpus.answer) return words.LOADING;
  const n = corpus.answer.heads.filter(({ kind }) => kind === state.kind).length;
  return n ? words.summary({ n, texts: corpus.answer.corpus.description }) : words.OTHER_KIND;
}

/** @param {import("./points.js").Kind} kind */
function keyOf({ label, shape, place }) {
  const mark = make("span", { text: shape, class: "shape" });
  mark.dataset.colour = String(place);
  mark.ariaHidden = "true";
  return make("li", {}, [mark, make("span", { text: label || words.NO_LABEL })]);
}

export { dossier as make, save };

/** A sentence in which `names in backticks` are shown as code, as the server's messages write them. @param {string} text @returns {(string | HTMLElement)[]} */
export const coded = (text) =>
  text
    .split(/`([^`]+)`/)
    .flatMap((part, index) =>
      part === "" ? [] : [index % 2 === 1 ? make("code", { text: part }) : part],
    );
