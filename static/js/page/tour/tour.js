// The tour: a card beside the part of the page where something is to be done. It waits for the action, and Esc skips it.

import { button, make, need } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { kindsOf, modelIn, sitesOf } from "../../state/choice.js";
import { stateOf } from "../../state/examples.js";
import { planOf, STEPS } from "./steps.js";
import * as words from "./words.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").Entry} Entry */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("./steps.js").Plan} Plan */

const GAP = 10; // pixels between the card and what it points at

/**
 * @param {Store} store
 * @param {Entry[]} entries
 */
export function tour(store, entries) {
  const said = make("p");
  said.setAttribute("role", "status");
  const count = make("p", { class: "faint" });
  const keys = make("p", { class: "faint" });
  const skip = button(words.SKIP, () => end(), { class: "quiet" });
  const learn = make("a", { text: words.LEARN });
  learn.href = "/learn";
  const card = make("section", { class: "tour" }, [count, said, keys, learn, skip]);
  card.setAttribute("aria-label", words.LABEL);
  card.hidden = true;
  document.body.append(card);
  need("#tour-open", HTMLButtonElement).addEventListener("click", () =>
    store.update({ tour: true }),
  );

  let at = 0;
  /** Null while the example is still being read. @type {Plan | null} */
  let plan = null;
  /** @type {Readonly<State>} the state when the step began */
  let start = store.state;

  const end = () => store.update({ tour: false });
  const target = () => document.querySelector(STEPS[at]?.at ?? ".purpose");

  const show = () => {
    const step = plan && STEPS[at];
    const row = detailOf(store.state);
    const { text, keys: pressed } = plan
      ? (step?.says(plan, row?.queryLabels[row.row] ?? "") ?? words.END)
      : { text: "", keys: "" };
    card.hidden = !plan;
    count.textContent = step ? words.count({ n: at + 1, of: STEPS.length }) : "";
    said.textContent = text;
    keys.replaceChildren(...(pressed ? [words.KEYS, " ", make("kbd", { text: pressed })] : []));
    learn.hidden = step !== undefined;
    skip.textContent = step ? words.SKIP : words.CLOSE;
    place();
  };

  /** Below what the step is about, or above it if there is no room; on a phone the style sheet places it. */
  const place = () => {
    for (const one of document.querySelectorAll(".tour-target"))
      one.classList.remove("tour-target");
    const element = target();
    if (card.hidden || !element) return;
    element.classList.toggle("tour-target", at < STEPS.length);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { width, height } = card.getBoundingClientRect();
    const below = bottom + GAP;
    const y = below + height <= innerHeight - GAP ? below : Math.max(GAP, top - GAP - height);
    const beside = y < bottom && y + height > top; // what it is about is as high as the window
    const x = beside ? right + GAP : left;
    card.style.setProperty("--x", `${Math.max(GAP, Math.min(x, innerWidth - width - GAP))}px`);
    card.style.setProperty("--y", `${y}px`);
  };

  /** The example that the tour is about. */
  const entry = entries.find(({ tries }) => tries === "mute");

  const begin = () => {
    at = 0;
    plan = null;
    const opening = entry ? stateOf(entry, store.state.models[0].name) : {};
    store.update({ ...opening, depth: "start", view: "heatmap", muted: [], token: null });
    if (!entry) set({ texts: store.state.texts, word: null, query: null, head: null });
  };

  /** @param {Plan} next */
  const set = (next) => {
    plan = next;
    const { state } = store;
    const first = sitesOf(modelIn(state), kindsOf(modelIn(state))[0] ?? "self")[0];
    store.update({ texts: next.texts, query: null, layer: first?.layer ?? 0, head: 0 });
    start = store.state;
    show();
  };

  const follow = (/** @type {Readonly<State>} */ state) => {
    if (!state.tour || state.status !== "ready") return;
    if (!plan) {
      const tokens = state.detail?.trace.tokens[0];
      if (entry && tokens && state.texts[0] === entry.texts[0]) set(planOf(entry, tokens));
      return;
    }
    if (!STEPS[at]?.done(state, start, plan)) return;
    at += 1;
    start = state;
    show();
  };

  store.watch(["tour"], ({ tour: runs }) => {
    if (runs) begin();
    else {
      plan = null;
      show();
    }
  });
  store.watch(["status", "detail", "texts", "query", "layer", "head", "muted", "token"], follow);
  addEventListener("resize", place);
  addEventListener("scroll", place, true);
  return { end };
}
