// The activity of the moment on a participant's page and on the projector: the question, the answer, and the results once they are public.

import { button, make } from "../../dom/dom.js";
import { ACTIVITIES } from "./activities.js";
import * as words from "./words.js";

/** @import { ClassDocument, Own } from "./types.d.ts" */

/**
 * @param {HTMLElement} root
 * @param {object} page
 * @param {import("../../state/store.js").Store | null} page.store the inspector's; null on a page without one
 * @param {(id: string, item: string, answer: object | null) => Promise<unknown>} page.send null takes an answer back; it rejects with words
 *   for the reader
 * @param {(choice: string) => void} [page.open] opens a find of the wall for all: the projector's alone
 */
export function activityPanel(root, { store, send, open }) {
  root.classList.add("class-activity");
  const box = make("div", { class: "activity" });
  const said = make("p", { class: "class-said" });
  said.setAttribute("role", "status");
  root.replaceChildren(box, said);
  const say = (/** @type {string} */ text) => {
    said.textContent = text;
    said.classList.remove("unseen");
  };
  /** Tell screen readers what everybody else sees. @param {string} text */
  const announce = (text) => {
    say(text);
    said.classList.add("unseen");
  };
  /** What was built, and for which activity and round. */
  let built = "";
  /** @type {import("./types.d.ts").ShowAnswers} */
  let showAnswers = () => {};
  /** Answers that this page sent, which the document may not hold yet. @type {Record<string, import("./types.d.ts").Answer | null>} */
  let sent = {};
  /** @type {ClassDocument | null} */
  let doc = null;
  let isFolded = false;
  const results = make("div", { class: "results" });
  const yours = make("p", { class: "yours" });
  const why = make("p", { class: "class-why", verbatim: true });
  const answered = make("p", { class: "class-answered" });

  const ownIn = (/** @type {ClassDocument} */ { activity, mine }) => {
    const known = activity ? (mine?.[activity.id]?.[activity.round] ?? {}) : {};
    return /** @type {Own} */ (
      Object.fromEntries(
        Object.entries({ ...known, ...sent }).filter(([, answer]) => answer !== null),
      )
    );
  };
  const isOpen = (/** @type {ClassDocument} */ { activity, frozen }) =>
    activity?.phase === "open" && !frozen;

  /** What is live has no answer that could come. @param {import("./types.d.ts").Activity} activity */
  const closed = ({ kind }) => (ACTIVITIES[kind].live ? words.CLOSED_LIVE : words.CLOSED);

  /** @param {import("./types.d.ts").Activity} activity @param {object | null} answer */
  const saidOf = ({ kind }, answer) => {
    if (answer === null) return words.TAKEN_BACK;
    if (!ACTIVITIES[kind].live) return words.SENT;
    if ("up" in answer) return words.VOTED;
    return doc?.checks ? words.WAITS : words.POSTED;
  };

  /** What comes with the results; what is live has none to reveal. @param {import("./types.d.ts").Activity} activity */
  const revealed = ({ kind, question }) => {
    if (ACTIVITIES[kind].live) return "";
    return question.correct === null ? words.COUNTED : words.REVEALED;
  };

  /** Whether an answer is the right one; null where none is. @param {import("./types.d.ts").Activity} activity @param {import("./types.d.ts").Answer} own */
  const isRight = ({ question }, own) =>
    typeof question.correct === "number" ? own.choice === question.correct : null;

  /** @type {import("./types.d.ts").Send} */
  const sending = async (item, answer) => {
    const activity = doc?.activity;
    if (!doc || !activity) return false;
    if (!isOpen(doc)) {
      say(doc.frozen ? words.FROZEN : activity.phase === "talk" ? words.TALK : closed(activity));
      return false;
    }
    say(words.SENDING);
    try {
      await send(activity.id, item, answer);
    } catch (error) {
      say(error instanceof Error ? error.message : words.NOT_SENT);
      return false;
    }
    if (doc.activity?.id === activity.id && doc.activity.round === activity.round) {
      sent = { ...sent, [item]: answer };
      showAnswers(ownIn(doc), isOpen(doc));
      say(saidOf(activity, answer));
    }
    return true;
  };

  /** @param {ClassDocument} next @param {NonNullable<ClassDocument["activity"]>} activity */
  const build = (next, activity) => {
    const row = ACTIVITIES[activity.kind];
    const answering = make("div", { class: "answering" });
    const title = make("h2", { text: row.name });
    const fold = button("", () => {
      isFolded = !isFolded;
      show(/** @type {ClassDocument} */ (doc));
    });
    fold.className = "fold quiet";
    results.replaceChildren();
    box.replaceChildren(
      make("div", { class: "activity-title" }, [title, fold]),
      make("p", { text: activity.question.text, class: "asked" }),
      answering,
      yours,
      why,
      results,
    );
    sent = {};
    isFolded = false;
    showAnswers = () => {};
    if (next.role === "teacher") {
      row.project?.(answering, activity);
      answering.append(make("p", { text: words.ON_DEVICES, class: "faint" }), answered);
    } else {
      showAnswers = row.answer(answering, activity, ownIn(next), sending, { store, say });
    }
    const again = activity.round > 1 ? words.SECOND_ROUND : activity.question.text;
    if (activity.phase === "open") announce(words.started(row.name, again));
  };

  /** @param {ClassDocument} next */
  const show = (next) => {
    draw(next);
    // what it stands beside: three patterns of a drawing are pictures themselves, and what covers the page has no picture beside it
    const isDrawn = root.dataset.kind === "drawing" && root.dataset.phase === "revealed";
    const isBeside = !(root.hidden || isFolded || isDrawn || root.hasAttribute("data-covers"));
    document.documentElement.toggleAttribute("data-asked", isBeside);
  };

  /** @param {ClassDocument} next */
  const draw = (next) => {
    const before = doc;
    doc = next;
    const { activity } = next;
    const row = activity && ACTIVITIES[activity.kind];
    box.hidden = !row;
    root.hidden = !row;
    if (!activity || !row) {
      built = "";
      delete root.dataset.kind;
      root.removeAttribute("data-covers");
      return say("");
    }
    const key = `${activity.id}.${activity.round}`;
    const isNew = key !== built;
    if (isNew) build(next, activity);
    built = key;
    root.dataset.role = next.role;
    root.dataset.kind = activity.kind;
    root.dataset.phase = activity.phase;
    root.toggleAttribute("data-covers", Boolean(row.covers) && activity.phase !== "revealed");
    root.toggleAttribute("data-folded", isFolded);
    const fold = box.querySelector(".fold");
    if (fold) {
      /** @type {HTMLElement} */ (fold).hidden = root.hasAttribute("data-covers"); // what it covers is the answer
      fold.textContent = isFolded ? words.UNFOLD : words.FOLD;
      fold.setAttribute("aria-expanded", String(!isFolded));
    }
    const isPublic = activity.results !== null && activity.results !== undefined;
    const answering = box.querySelector(".answering");
    if (answering instanceof HTMLElement) answering.hidden = activity.phase === "revealed";
    results.hidden = !isPublic;
    answered.textContent = next.desk ? words.answered(next.desk.answered, next.people) : "";
    const own = activity.phase === "revealed" ? ownIn(next)["0"] : undefined;
    const inWords = own && row.inWords?.(activity, own);
    yours.textContent = inWords ? words.yourAnswer(inWords, isRight(activity, own)) : "";
    yours.hidden = !inWords;
    why.textContent = (activity.phase === "revealed" && activity.question.why) || "";
    why.hidden = why.textContent === "";
    if (isPublic && (isNew || activity.results !== before?.activity?.results))
      row.results(results, activity, activity.results, {
        ...(open ? { open } : {}),
        ...(next.role === "participant" ? { vote: sending, own: ownIn(next) } : {}),
      });
    showAnswers(ownIn(next), isOpen(next));
    const all = /** @type {any} */ (activity.results);
    if (said.textContent === words.WAITS && row.posted?.(all, ownIn(next))) say(words.SHOWN);
    const was = isNew ? null : before;
    if (activity.phase === "closed" && was?.activity?.phase !== "closed") say(closed(activity));
    if (activity.phase === "talk" && was?.activity?.phase !== "talk") say(words.TALK);
    if (activity.phase === "revealed" && was?.activity?.phase !== "revealed")
      say(revealed(activity));
    if (activity.phase === "open" && was && next.frozen !== was.frozen)
      say(next.frozen ? words.FROZEN : "");
  };
  return { show };
}
