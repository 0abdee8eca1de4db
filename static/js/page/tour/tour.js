// The tour: a card beside the part of the page where something is to be done. It waits for the action, and Esc skips it.

import { button, make, need, write } from "../../dom/dom.js";
import { composes } from "../../dom/keys.js";
import { courseUrl } from "../../standalone/pages.js";
import { choiceOf } from "../../state/address.js";
import { kindsOf, modelIn, sitesOf } from "../../state/choice.js";
import { entriesOf, stateOf } from "../../state/examples.js";
import { restored } from "../../state/history.js";
import { placed, scrolled } from "./place.js";
import { following, planOf, STEPS } from "./steps.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Entry, State } from "../../types.d.ts" */
/** @import { Plan } from "./steps.js" */
/** @typedef {Readonly<State>} Now */

/** At the end nothing is asked for; the card keeps off what the reader goes on with. */
const END = { at: "#forecast", beside: ["#sentences", "#chips", "#plot"] };

/**
 * @param {Store} store
 * @param {Entry[]} entries
 */
export function tour(store, entries) {
  const [saw, said, off] = [make("p", { class: "saw" }), make("p"), make("p", { class: "off" })];
  const news = make("div", { class: "tour-said" }, [saw, said, off]);
  news.setAttribute("role", "status");
  news.setAttribute("aria-atomic", "false"); // only what is new is read out
  const count = make("p", { class: "faint" });
  const keys = make("p", { class: "faint" });
  const skipWords = make("span");
  const skip = button("", () => end(), { class: "quiet" });
  skip.replaceChildren(skipWords, " ", make("kbd", { text: words.LEAVES }));
  const course = document.querySelector("#learn");
  const learn = make("a", { text: words.LEARN });
  learn.href = courseUrl();
  const card = make("section", { class: "tour" }, [count, news, keys, learn, skip]);
  card.setAttribute("aria-label", words.LABEL);
  card.hidden = true;
  document.body.append(card);
  const strip = need("#forecast", HTMLElement);

  let at = 0;
  /** Null while the example is still being read. @type {Plan | null} */
  let plan = null;
  /** @type {Now} the state when the step began */
  let start = store.state;

  /** What the reader had before: a tour that is skipped gives it back. @type {import("../../types.d.ts").Choice} */
  let own = choiceOf(store.state);
  const end = () => {
    const isSkipped = at < STEPS.length;
    store.update({ ...(isSkipped ? restored(store.state, own) : {}), tour: false });
  };

  /** @param {string} text @param {HTMLElement} line */
  const say = (line, text) => {
    write(line, text);
    line.hidden = text === "";
  };

  /** Begin a step. @param {string} seen what the step before let the reader see */
  const begin = (seen) => {
    const step = STEPS[at];
    start = store.state;
    card.hidden = false;
    document.documentElement.toggleAttribute("data-tour", true);
    say(saw, seen);
    say(count, step ? words.count({ n: at + 1, of: STEPS.length }) : "");
    learn.hidden = step !== undefined || course === null;
    skipWords.textContent = step ? words.SKIP : words.CLOSE;
    tell("");
    reveal();
    if (step?.focus) focus(need(step.focus, HTMLElement));
  };

  /** What is to be done, as the page shows it now. @param {string} other what to say to another action */
  const tell = (other) => {
    if (!plan) return;
    const { text, keys: pressed } = STEPS[at]?.says(store.state, plan) ?? words.END;
    say(said, text);
    say(off, other);
    keys.replaceChildren(...(pressed ? [words.KEYS, " ", make("kbd", { text: pressed })] : []));
    place();
  };

  const hide = () => {
    plan = null;
    card.hidden = true;
    document.documentElement.toggleAttribute("data-tour", false);
    place();
  };

  /** What the step is about, and what the reader looks at meanwhile: another view hides the picture. */
  const parts = () => {
    const { at: about, beside } = STEPS[at] ?? END;
    const found = beside.map((selector) => need(selector, HTMLElement));
    const seen = found.filter((element) => element.checkVisibility());
    return { about: need(about, HTMLElement), beside: seen };
  };

  /** The height of the window above what stays at its foot: on a phone the strip. */
  const room = () => {
    const { top, bottom } = boxOf(strip);
    return bottom >= innerHeight - 1 ? top : innerHeight;
  };

  const reveal = () => {
    const { about, beside } = parts();
    about.scrollIntoView({ block: "nearest" }); // in a panel that scrolls
    const wanted =
      plan?.head && about.querySelector(`[data-at="${plan.head.layer}.${plan.head.head}"]`);
    if (wanted) wanted.scrollIntoView({ block: "nearest", inline: "center" }); // in the strip of a phone
    const others = beside.filter((one) => one !== strip).map(boxOf);
    if (about !== strip) scrollBy(0, scrolled(boxOf(card).height, room(), boxOf(about), others));
    place();
  };

  const place = () => {
    for (const one of document.querySelectorAll(".tour-target"))
      one.classList.remove("tour-target");
    if (card.hidden) return;
    const { about, beside } = parts();
    about.classList.toggle("tour-target", at < STEPS.length);
    const window = { width: document.documentElement.clientWidth, height: room() };
    const { x, y } = placed(boxOf(card), window, boxOf(about), [...beside, strip].map(boxOf));
    card.style.setProperty("--x", `${x}px`);
    card.style.setProperty("--y", `${y}px`);
  };

  /** The example that the tour is about. @type {Entry | undefined} */
  let entry;

  const open = () => {
    at = 0;
    plan = null;
    own = { ...choiceOf(store.state), tour: false };
    const { model, models } = store.state;
    entry = entriesOf(entries, model, models[0].name).find(({ tries }) => tries === "mute");
    const opening = entry ? stateOf(entry, store.state.models[0].name) : {};
    store.update({
      ...opening,
      depth: "start",
      view: "heatmap",
      muted: [],
      token: null,
      find: null,
    });
    if (!entry) set({ texts: store.state.texts, word: null, query: null, head: null });
  };

  /** @param {Plan} next */
  const set = (next) => {
    plan = next;
    const { state } = store;
    const first = sitesOf(modelIn(state), kindsOf(modelIn(state))[0] ?? "self")[0];
    store.update({ texts: next.texts, query: null, layer: first?.layer ?? 0, head: 0 });
    begin("");
  };

  const follow = () => {
    const { state } = store;
    if (!state.tour || !isSettled(state)) return;
    if (!plan) {
      const tokens = state.detail?.trace.tokens[0];
      if (entry && tokens && state.texts[0] === entry.texts[0]) set(planOf(entry, tokens));
      return;
    }
    const next = following(at, state, start, plan);
    if (next === at) return tell(STEPS[at]?.off?.(state, start, plan) ?? "");
    const isDone = next > at;
    const seen = isDone ? STEPS[at].saw(state, start) : "";
    at = next;
    begin(seen);
    if (!isDone) tell(STEPS[at].again ?? STEPS[at].off?.(state, start, plan) ?? "");
    if (at === STEPS.length) store.update({ token: null });
    else if (isDone) follow(); // the reader may have been faster than the answers
  };

  store.watch(["tour"], ({ tour: runs }) => (runs ? open() : hide()));
  store.watch(
    ["status", "detail", "next", "texts", "query", "layer", "head", "muted", "token", "probe"],
    () => {
      if (store.state.tour) queueMicrotask(follow); // when the answers know of the change, too
    },
  );
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const types = target instanceof HTMLElement && target.closest("#sentences");
    if (card.hidden || key !== "Enter" || composes(event) || !types) return;
    event.preventDefault();
    target.blur(); // so that the other keys of the tour are not typed
  });
  addEventListener("resize", place);
  addEventListener("scroll", place, true);
  return { end };
}

/** The keyboard is where the step is done; in a text, at its end. @param {HTMLElement} element */
function focus(element) {
  element.focus({ preventScroll: true });
  if (element instanceof HTMLTextAreaElement)
    element.setSelectionRange(element.value.length, element.value.length);
}

/** @param {Element} element */
const boxOf = (element) => element.getBoundingClientRect();

/** Whether everything that a step tells of has been answered. @param {Now} state */
const isSettled = ({ status, next }) => status === "ready" && next?.status !== "loading";
