// Why here: the score of the selected cell as a sum over pairs of parts, which can be switched off.

import { busyWith } from "../../dom/busy.js";
import { button, make, write } from "../../dom/dom.js";
import { elementAt, placeOf } from "../../dom/grid.js";
import { palette } from "../../dom/palette.js";
import { tryAgain } from "../../dom/problem.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { codeOf } from "../../state/address/parts.js";
import { controls } from "./controls.js";
import { fitting, folded } from "./fold.js";
import { matrix, walked } from "./matrix.js";
import { patternTable } from "./pattern.js";
import { entryInWords, refusal, seenIn } from "./reading.js";
import { codesOf, keyBy, offIn, switched } from "./request.js";
import { save } from "./save.js";
import { whyScene } from "./scene.js";
import { sentencesOf, switchedInWords } from "./sentences.js";
import { totals } from "./totals.js";
import * as words from "./words.js";

/** @import { Part } from "../../types.d.ts" */
/** @import { PartSide } from "../../state/address/parts.js" */

/** @param {HTMLElement} root @param {import("../../state/store.js").Store} store @param {import("../view.js").Page} page */
export function why(root, store, { retry }) {
  root.classList.add("why-view");
  /** @type {import("./reading.js").Breakdown | null} */
  let seen = null;
  /** @type {unknown[]} */
  let seenOf = [];
  /** @type {import("./fold.js").Folded | null} */
  let shown = null;
  let open = false;
  /** The place of the Tab key in the grid. @type {import("../../dom/grid.js").At} */
  let at = [0, 0];
  let drawn = Promise.resolve();
  let width = root.clientWidth;

  const tools = controls({
    query: (query) => store.update({ query, key: null }),
    key: (key) => store.update({ key }),
    on: () => {
      store.update({ off: [] });
      elementAt(grid, at)?.focus();
    },
  });
  const problem = make("p", { class: "why-problem" });
  const again = tryAgain(retry);
  const refused = make("div", { class: "why-refused" }, [problem, again]);
  refused.setAttribute("role", "status");
  const said = make("p", { class: "why-said" });
  const change = make("p", { class: "why-change" });
  change.setAttribute("role", "status");
  const read = make("p", { class: "why-entry faint" });
  const grid = make("div", { class: "why-scroll" });
  const fold = button("", () => unfold());
  const sums = make("div", { class: "why-sums" });
  const row = make("div", { class: "why-pattern" });
  const about = make("p", { class: "source", text: `${words.ABOUT} ${words.RELATIVE}` });
  const below = make("div", { class: "why-below" }, [row, sums]);
  const body = make("div", { class: "why-body" }, [said, change, read, grid, fold, below, about]);
  root.append(tools.root, refused, body);
  tools.root.hidden = body.hidden = true; // until there is something to choose from

  const isOff = (/** @type {PartSide} */ side, /** @type {Part} */ part) =>
    store.state.off.includes(codeOf(side, part));

  /** Take the answer, once it belongs to the current selection. */
  function take() {
    const { state } = store;
    const message = refusal(state);
    refused.hidden = !message;
    write(problem, message);
    again.hidden = !state.why?.problem?.retry;
    const waits = state.status === "loading" || state.why?.status === "loading";
    if (message) body.hidden = true;
    if (message || waits || state.status !== "ready") return;
    const now = seenIn(state);
    body.hidden = now === null;
    if (!now) return;
    const of = [state.why?.answer, state.detail];
    if (of.some((one, index) => one !== seenOf[index])) {
      seen = now;
      seenOf = of;
    }
    draw();
  }

  function draw() {
    if (!seen || store.state.view !== "why") return;
    const { table, tokens, keys, blocked, mask } = seen;
    const off = offIn(store.state, table.site);
    tools.show(seen, off.length > 0);
    tools.root.hidden = false;
    write(said, sentencesOf(table, tokens, mask).join(" "));
    write(change, switchedInWords(table, tokens, keys, off.length));
    shown = folded(table, { open, columns: fitting(width), kept: isOff });
    const hadFocus = grid.contains(document.activeElement);
    const { diverging } = palette(store.state.scheme);
    grid.replaceChildren(matrix(table, shown, { tokens, isOff, diverging, open }));
    fold.hidden = !open && ![...shown.rows, ...shown.columns].some((group) => group.folded);
    fold.textContent = open ? words.LABELS.fold : words.LABELS.unfold;
    sums.replaceChildren(...totals(table));
    row.replaceChildren(...patternTable(table, { query: tokens.query, keys, blocked }));
    at = elementAt(grid, at) ? at : [0, 0];
    const here = elementAt(grid, at);
    if (here) here.tabIndex = 0;
    if (hadFocus) here?.focus();
    else write(read, words.ENTRY.hint);
  }

  function unfold() {
    open = !open;
    draw();
  }

  /** @param {import("../../dom/grid.js").At} to @param {boolean} focus */
  function go(to, focus) {
    const target = elementAt(grid, to);
    if (!target || !seen || !shown) return;
    const before = elementAt(grid, at);
    if (before) before.tabIndex = -1;
    at = to;
    target.tabIndex = 0;
    if (focus) target.focus();
    say(to);
  }

  /** @param {import("../../dom/grid.js").At} place */
  function say(place) {
    if (seen && shown) write(read, entryInWords(seen, shown, place));
  }

  grid.addEventListener("pointerover", ({ target }) => {
    const place = placeOf(target);
    if (place) say(place);
  });
  grid.addEventListener("pointerleave", () => say(at));
  grid.addEventListener("focusin", ({ target }) => {
    const place = placeOf(target);
    if (place) go(place, false);
  });
  grid.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const place = placeOf(target);
    if (!place || !shown || ctrlKey || metaKey || altKey) return;
    const to = walked(place, key, [shown.rows.length, shown.columns.length]);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere, the arrow keys walk the heads
    go(to, true);
  });
  grid.addEventListener("click", (event) => {
    const { target, shiftKey } = event;
    const head = target instanceof Element ? target.closest("button") : null;
    const place = placeOf(target);
    if (!head) {
      if (place) go(place, true);
      return;
    }
    if (head.dataset.fold !== undefined) return unfold();
    if (!seen) return;
    const side = /** @type {PartSide} */ (head.dataset.side);
    const { query_parts, key_parts } = seen.table;
    const part = (side === "query" ? query_parts : key_parts)[Number(head.dataset.part)];
    const other = side === "query" ? key_parts : query_parts;
    const has = other.some((one) => codeOf(side, one) === codeOf(side, part));
    const both = has && (shiftKey || tools.isBoth());
    store.update({ off: switched(store.state.off, codesOf(side, part, both)) });
  });
  row.addEventListener("click", ({ target }) => {
    const name = target instanceof Element ? target.closest("button") : null;
    if (name?.dataset.key) store.update({ key: Number(name.dataset.key) });
  });

  // after all other listeners: by then the status of the answer is up to date
  busyWith(root, store, ["status", "why"]);
  store.watch(["view", "why", "status", "detail", "shown", "off", "models"], () => {
    drawn = Promise.resolve().then(() => {
      if (store.state.view === "why") take();
    });
  });
  store.watch(["scheme"], draw);
  new ResizeObserver(([{ contentRect }]) => {
    const fits = fitting(width);
    width = contentRect.width;
    if (fitting(width) !== fits) draw();
  }).observe(root);

  return {
    /** Resolves once the current selection is drawn. */
    drawn: () => drawn,
    /** The picture for a file; null if there is none yet. @param {import("../../draw/pictures/look.js").Look} [look] */
    scene: ({ scheme } = LIGHT) => {
      if (!seen || !shown || body.hidden || store.state.view !== "why") return null;
      const { diverging, paper } = palette(scheme);
      return whyScene({ ...seen, shown, isOff }, diverging, paper);
    },
  };
}

/** @type {import("../view.js").Keys} */
export const keys = {
  ",": (state) => keyBy(state, -1),
  ".": (state) => keyBy(state, 1),
};
export { save, why as make };
