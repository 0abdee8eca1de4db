// A participant's page: it follows the teacher, or says how to come back.

import * as words from "../words.js";
import { depthFor } from "./depth.js";
import { canGoBack, onDocument, onEdit, onOwn, onReturn, START } from "./following.js";
import { slideIn } from "./slide.js";

/** @import { ClassDocument } from "../types.d.ts" */

/**
 * @param {ReturnType<typeof import("./page.js").classPage>} page
 * @param {ReturnType<typeof import("../bar.js").classBar>} bar
 * @param {string} code
 */
export function participant(page, bar, code) {
  let at = { ...START, own: ownIn(code) };
  /** @type {ClassDocument | null} */
  let doc = null;

  /** @param {{at: typeof at, show: string | null}} next */
  const go = (next) => {
    at = next.at;
    keepOwn(code, at.own);
    if (next.show !== null) page.show(next.show, depthFor(next.show, innerWidth));
    draw();
  };
  const draw = () => {
    if (!doc) return;
    const shown = slideIn(doc) ? words.SLIDE : words.MODES[doc.mode];
    const text = at.wanders ? words.LOOKING : shown;
    const away = doc.teacher === "away" ? words.AWAY : "";
    /** @type {import("../bar.js").Action[]} */
    const actions = [];
    if (at.wanders) {
      const { choice } = doc;
      actions.push({ text: words.BACK_TO_TEACHER, act: () => go(onReturn(at, choice)) });
    } else if (canGoBack(at, page.shown()))
      actions.push({ text: words.BACK_TO_OWN, act: () => go(onOwn(at)) });
    const lesson = doc.step?.lesson;
    if (lesson) actions.push({ text: words.OPEN_LESSON, href: `/learn/${lesson}?class=${code}` });
    const named = doc.named ? words.NAMED : "";
    bar.say([text, away, named].filter(Boolean).join(" "), actions);
  };

  page.watch((byHand) => {
    if (byHand) at = onEdit(at);
    draw();
  });
  return (/** @type {ClassDocument} */ next) => {
    doc = next;
    go(onDocument(at, next, page.shown()));
  };
}

const keyOf = (/** @type {string} */ code) => `headlight.class.${code}.own`;

/** What the reader had, also after a reload. @param {string} code */
function ownIn(code) {
  try {
    return sessionStorage.getItem(keyOf(code));
  } catch {
    return null;
  }
}

/** @param {string} code @param {string | null} own */
function keepOwn(code, own) {
  try {
    if (own === null) sessionStorage.removeItem(keyOf(code));
    else sessionStorage.setItem(keyOf(code), own);
  } catch {
    // it lasts as long as the page
  }
}
