// One row of a head, step by step: every number from q and k to what is written to the residual stream.

import { palette } from "../../dom/palette.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { label, shorten } from "../../words/format.js";
import { KIND_NAMES } from "../../words/labels.js";
import { channels } from "./channels.js";
import { insidePanel } from "./panel.js";
import {
  agreement,
  computedIn,
  keyOf,
  norm,
  ordered,
  PAGE,
  partsOf,
  remarks,
  tell,
} from "./row.js";
import { insideScene } from "./scene.js";
import { markKey, number, reachesOf, table } from "./table.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */
/**
 * What is drawn now.
 * @typedef {object} Seen
 * @property {import("./row.js").Parts} parts
 * @property {string} title
 * @property {string} query
 * @property {string[]} keys
 * @property {import("../../types.d.ts").TokenAxis} axis of the keys
 * @property {string[]} remarks
 */

/** @param {HTMLElement} root @param {Store} store @param {import("../view.js").Page} page */
export function inside(root, store, { retry }) {
  root.classList.add("inside-view");
  /** @type {Seen | null} */
  let seen = null;
  /** @type {unknown[]} */
  let seenOf = [];
  let page = 0;
  /** @type {import("./row.js").Order | null} */
  let chosen = null;
  let drawn = Promise.resolve();

  const panel = insidePanel(store, {
    again: retry,
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

  // until an order is chosen, few keys stand as they do in the text, many by their weight
  const order = () => chosen ?? ((seen?.parts.lines.length ?? 0) > PAGE ? "weight" : "place");
  const sorted = () => (seen ? ordered(seen.parts.lines, order()) : []);
  const lines = () => sorted().slice(page * PAGE, (page + 1) * PAGE);
  const key = () => (seen ? keyOf(seen.parts, store.state.key) : 0);
  const computed = () => computedIn(store.state.step, seen?.parts.steps ?? []);
  /** To the page of the key that is read. */
  const turn = () => {
    page = Math.floor(sorted().findIndex((line) => line.key === key()) / PAGE);
  };

  channels(store, panel, () => ({ seen, key: key(), computed: computed() }));

  /** Take what was answered, once it is the answer to what is selected. */
  function look() {
    const { state } = store;
    const { lacks } = modelIn(state);
    const message = refusal(state);
    panel.refuse(message, Boolean(lacks), Boolean(state.inside?.problem?.retry));
    panel.body.hidden = message !== "" || !state.inside?.answer;
    const waits = state.status === "loading" || state.inside?.status === "loading";
    root.setAttribute("aria-busy", String(waits));
    const detail = detailOf(state);
    const answer = state.inside?.answer;
    if (message || waits || !detail || !answer || state.status !== "ready") return;
    const now = [answer, state.detail, detail.text, detail.row];
    if (now.some((one, at) => one !== seenOf[at])) {
      const { site } = detail;
      const known = modelIn(state).sites?.find(({ name }) => name === site.name);
      const parts = partsOf(answer, detail.text, detail.row);
      const stack = KIND_NAMES[site.kind];
      const query = detail.queryLabels[detail.row];
      const head = `${stack ? `${stack} layer` : "Layer"} ${site.layer} · head ${detail.head}`;
      seen = {
        ...{ parts, query, keys: detail.keyLabels, axis: site.key_tokens },
        title: `${head} · query ${detail.row} “${shorten(query, 24)}”`,
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
    const { q, z, result, steps, muted } = parts;
    panel.words.textContent = [
      ...seen.remarks,
      ...(step === null ? [] : [tell(steps[done.size - 1].name, parts, query)]),
    ].join(" ");
    panel.sort(order());
    panel.pages(page, parts.lines.length);
    panel.vector("q", `q of “${shorten(query, 16)}”`, q, reaches.q, diverging);
    const held = panel.table.contains(document.activeElement);
    panel.table.replaceChildren(table(parts, lines(), done, keys, reaches, { diverging, hatch }));
    const sum = muted ? "z, muted" : "z = Σ weight · v";
    panel.vector("z", sum, done.has("z") ? z : null, reaches.moved, diverging);
    const written = done.has("result") ? result : null;
    const length = written ? `length ${number(norm(written))}` : "";
    panel.vector("result", result ? "z · W_O" : "", written, reaches.result, diverging, length);
    panel.check.textContent = step === null ? agreement(parts) : "";
    mark(held);
  }

  /** The key that is read, in the table and in its arithmetic. @param {boolean} focus */
  function mark(focus) {
    if (!seen || store.state.view !== "inside") return;
    light();
    markKey(panel.table, key(), focus);
    const reads = computed().has("weight");
    panel.arithmetic(reads ? { parts: seen.parts, key: key(), labels: seen.keys } : null);
  }

  /** A narrow table shows the step that was taken. @param {string | undefined} name */
  function follow(name) {
    const head = panel.table.querySelector(`th[data-part="${name}"]`);
    if (!(head instanceof HTMLElement)) return;
    const right = head.offsetLeft + head.offsetWidth - panel.table.clientWidth;
    panel.table.scrollLeft = Math.max(right, Math.min(panel.table.scrollLeft, head.offsetLeft));
  }

  /** The token under the pointer. */
  function light() {
    const { hover } = store.state;
    const lit = hover && hover.axis === seen?.axis ? String(hover.place) : null;
    for (const row of panel.table.querySelectorAll("tr[data-key]")) {
      row.classList.toggle("lit", row.getAttribute("data-key") === lit);
    }
  }

  // what is selected may still be on its way to whoever asks for it: look when all have heard
  store.watch(
    ["view", "inside", "status", "detail", "shown", "query", "segments", "models"],
    () => {
      drawn = Promise.resolve().then(() => {
        if (store.state.view === "inside") look();
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
    event.stopPropagation(); // elsewhere the arrows walk over the heads
    const all = sorted();
    const next = all[all.findIndex((line) => line.key === key()) + by];
    if (next) store.update({ key: next.key });
  });

  return {
    /** Resolves when what is selected now has been drawn. */
    drawn: () => drawn,
    /** The picture as a file has it; null while there is none. @returns {import("../../draw/scene.js").Scene | null} */
    scene: () => {
      if (!seen || store.state.view !== "inside") return null;
      const { diverging, paper } = palette("light"); // papers are white
      const picture = { ...seen, lines: lines(), computed: computed() };
      return insideScene(picture, reachesOf(seen.parts), diverging, paper);
    },
  };
}

/** Why there is nothing to see; "" where there is. @param {Readonly<State>} state */
function refusal(state) {
  const model = modelIn(state);
  if (model.lacks) return `The inside of this model’s heads cannot be seen: ${model.lacks}.`;
  if (model.state === "ready" && !model.tensors.includes("q"))
    return "This model gives no q, k and v, so the inside of its heads cannot be seen.";
  return state.inside?.problem?.message ?? "";
}
