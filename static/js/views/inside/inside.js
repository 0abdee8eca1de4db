// One row of a head, step by step: every number from q and k to what is written to the residual stream.

import { busyWith } from "../../dom/busy.js";
import { write } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { sentences } from "../../language/gettext.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { label } from "../../words/format.js";
import { channels } from "./channels.js";
import { insidePanel } from "./panel.js";
import { lacks } from "./request.js";
import { drift, keyOf, ordered, PAGE, partsOf } from "./row.js";
import { save } from "./save.js";
import { insideScene } from "./scene.js";
import { stepBy } from "./stepper.js";
import { computedIn } from "./steps.js";
import { markKey, reachesOf, table } from "./table.js";
import {
  agreementInWords,
  lengthInWords,
  remarks,
  stepInWords,
  titleOf,
  VECTORS,
} from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/**
 * What is drawn.
 * @typedef {object} Reading
 * @property {import("./row.js").Parts} parts
 * @property {string} title
 * @property {string} query
 * @property {string[]} keys
 * @property {import("../../types.d.ts").TokenAxis} axis of the keys
 * @property {string[]} remarks
 */

/** @param {HTMLElement} root @param {Store} store @param {import("../view.js").Page} page */
export function inside(root, store, { retry, inText }) {
  root.classList.add("inside-view");
  /** @type {Reading | null} */
  let seen = null;
  /** @type {unknown[]} */
  let seenOf = [];
  let page = 0;
  /** @type {import("./row.js").Order | null} */
  let chosen = null;
  let drawn = Promise.resolve();

  const panel = insidePanel(store, {
    again: retry,
    map: inText ? null : () => store.update({ view: "map" }),
    order: (order) => {
      chosen = order;
      turn();
      draw();
    },
    page: (by) => {
      page += by;
      draw();
    },
  });
  root.append(...panel.all);

  // until the reader chooses an order, few keys are in the order of the text, many by weight
  const order = () => chosen ?? ((seen?.parts.lines.length ?? 0) > PAGE ? "weight" : "place");
  const sorted = () => (seen ? ordered(seen.parts.lines, order()) : []);
  const lines = () => sorted().slice(page * PAGE, (page + 1) * PAGE);
  const key = () => (seen ? keyOf(seen.parts, store.state.key) : 0);
  const computed = () => computedIn(store.state.step, seen?.parts.steps ?? []);
  /** Turn to the page of the selected key. */
  const turn = () => {
    page = Math.floor(sorted().findIndex((line) => line.key === key()) / PAGE);
  };

  channels(store, panel, () => ({ seen, key: key(), computed: computed() }));

  /** Take the answer, once it belongs to the current selection. */
  function take() {
    const { state } = store;
    const { lacks } = modelIn(state);
    const message = refusal(state);
    panel.refuse(message, Boolean(lacks), Boolean(state.inside?.problem?.retry));
    panel.body.hidden = message !== "" || !state.inside?.answer;
    const waits = state.status === "loading" || state.inside?.status === "loading";
    const detail = detailOf(state);
    const answer = state.inside?.answer;
    if (message || waits || !detail || !answer || state.status !== "ready") return;
    const now = [answer, state.detail, detail.text, detail.row];
    if (now.some((one, at) => one !== seenOf[at])) {
      const { site } = detail;
      const known = modelIn(state).sites?.find(({ name }) => name === site.name);
      const parts = partsOf(answer, detail.text, detail.row);
      const query = detail.queryLabels[detail.row];
      seen = {
        parts,
        query,
        keys: detail.keyLabels,
        axis: site.key_tokens,
        title: titleOf(site, detail.head, detail.row, query),
        remarks: remarks(parts, known?.n_heads ?? site.n_kv_heads),
      };
      seenOf = now;
      panel.queries(detail.queries.map(label), detail.row);
      turn();
    }
    draw();
  }

  function draw() {
    if (!seen || store.state.view !== "inside") return;
    const { parts, query, keys } = seen;
    const { step, scheme } = store.state;
    const done = computed();
    const { diverging, hatch } = palette(scheme);
    const reaches = reachesOf(parts);
    const { q, z, result, steps } = parts;
    write(
      panel.words,
      sentences([
        ...seen.remarks,
        ...(step === null ? [] : [stepInWords(steps[done.size - 1].name, parts, query)]),
      ]),
    );
    panel.sort(order());
    panel.pages(page, parts.lines.length);
    panel.vector("q", VECTORS.q(query), q, reaches.q, diverging);
    const hadFocus = panel.table.contains(document.activeElement);
    panel.table.replaceChildren(table(parts, lines(), done, keys, reaches, { diverging, hatch }));
    panel.vector("z", VECTORS.z(parts), done.has("z") ? z : null, reaches.moved, diverging);
    const written = done.has("result") ? result : null;
    const length = written ? lengthInWords(written) : "";
    panel.vector(
      "result",
      result ? VECTORS.result : "",
      written,
      reaches.result,
      diverging,
      length,
    );
    write(panel.check, step === null ? agreementInWords(drift(parts)) : "");
    mark(hadFocus);
  }

  /** Mark the selected key in the table, and show its arithmetic. @param {boolean} focus */
  function mark(focus) {
    if (!seen || store.state.view !== "inside") return;
    light();
    markKey(panel.table, key(), focus);
    const hasWeights = computed().has("weight");
    const { parts, query, keys: labels } = seen;
    const read = hasWeights ? { parts, query, key: key(), labels } : null;
    panel.lead(inText ? null : read);
    panel.arithmetic(read);
  }

  /** Scroll a narrow table to the step that was taken. @param {string | undefined} name */
  function follow(name) {
    const head = panel.table.querySelector(`th[data-part="${name}"]`);
    if (!(head instanceof HTMLElement)) return;
    const right = head.offsetLeft + head.offsetWidth - panel.table.clientWidth;
    panel.table.scrollLeft = Math.max(right, Math.min(panel.table.scrollLeft, head.offsetLeft));
  }

  /** Highlight the token under the pointer. */
  function light() {
    const { hover } = store.state;
    const lit = hover && hover.axis === seen?.axis ? String(hover.place) : null;
    for (const row of panel.table.querySelectorAll("tr[data-key]")) {
      row.classList.toggle("lit", row.getAttribute("data-key") === lit);
    }
  }

  // after all other listeners: by then the status of the answer is up to date
  busyWith(root, store, ["status", "inside"]);
  store.watch(
    ["view", "inside", "status", "detail", "shown", "query", "segments", "models"],
    () => {
      drawn = Promise.resolve().then(() => {
        if (store.state.view === "inside") take();
      });
    },
  );
  store.watch(["step", "scheme"], () => {
    draw();
    if (seen && store.state.step !== null) follow([...computed()].at(-1));
  });
  store.watch(["hover"], light);
  store.watch(["key"], () => {
    const before = page;
    turn();
    if (page !== before) draw();
    else mark(panel.table.contains(document.activeElement));
  });

  panel.table.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("tr[data-key]") : null;
    if (!(row instanceof HTMLElement)) return;
    row.querySelector("button")?.focus({ preventScroll: true });
    store.update({ key: Number(row.dataset.key) });
  });
  panel.table.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere, the arrow keys walk the heads
    const all = sorted();
    const next = all[all.findIndex((line) => line.key === key()) + by];
    if (next) store.update({ key: next.key });
  });

  return {
    /** Resolves once the current selection is drawn. */
    drawn: () => drawn,
    /** The picture for a file; null if there is none yet. @param {import("../../draw/pictures/look.js").Look} [look] @returns {import("../../draw/scene.js").Scene | null} */
    scene: ({ scheme } = LIGHT) => {
      if (!seen || store.state.view !== "inside") return null;
      const { diverging, paper } = palette(scheme);
      const picture = { ...seen, lines: lines(), computed: computed() };
      return insideScene(picture, reachesOf(seen.parts), diverging, paper);
    },
  };
}

/** Why there is nothing to see; "" if there is something. @param {Readonly<State>} state */
const refusal = (state) => lacks(modelIn(state)) || (state.inside?.problem?.message ?? "");

/** @type {import("../view.js").Keys} */
export const keys = {
  ",": (state) => stepBy(state, -1),
  ".": (state) => stepBy(state, 1),
};
export { inside as make, save };
