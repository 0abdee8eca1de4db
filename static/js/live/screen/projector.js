// The teacher's inspector: what it shows is what the class sees. It publishes its choice, and goes where the desk sends the class.

import { joinAt } from "../address.js";
import { isOvertaken } from "../api.js";
import * as words from "../words.js";
import { depthOn } from "./depth.js";

/** @import { ClassDocument } from "../types.d.ts" */

const AGAIN_MS = 2000; // after a message that failed
const PUBLISH_MS = 100; // at most one message in so many; the last one is always sent

/**
 * @param {ReturnType<typeof import("./page.js").classPage>} page
 * @param {ReturnType<typeof import("../bar.js").classBar>} bar
 * @param {import("../types.d.ts").ClassApi} api
 * @param {string} address under which a class joins
 */
export function projector(page, bar, api, address) {
  /** @type {ClassDocument | null} */
  let doc = null;
  let timer = 0;
  /** @type {string[]} */
  const sent = []; // choices of ours that have not come back yet; the echo of one is no news
  /** @type {string | null} */
  let unsure = null; // a choice whose answer got lost; the class may have been shown it
  let sending = false;
  // one message at a time: two on their way could overtake each other
  const publish = async () => {
    timer = 0;
    const choice = page.shown();
    const over = sent.at(-1) ?? doc?.choice;
    if (sending || !doc || doc.frozen || choice === over) return;
    sending = true;
    sent.push(choice);
    try {
      await api.patch({ choice, over });
      unsure = null;
    } catch (error) {
      sent.pop();
      if (!isOvertaken(error)) {
        unsure = choice;
        bar.warn(error instanceof Error ? error.message : "");
        soon(AGAIN_MS);
      } // else what the desk has chosen instead is on its way
    }
    sending = false;
    if (page.shown() !== choice) soon();
  };
  const soon = (wait = PUBLISH_MS) => {
    if (timer === 0) timer = window.setTimeout(publish, wait);
  };

  /** Whether somebody else has chosen this: the desk, or another projector. @param {ClassDocument} next */
  const isNews = ({ choice }) => {
    if (choice === (doc?.choice ?? "")) return false;
    if (choice === unsure) {
      unsure = null;
      return false;
    }
    const echo = sent.indexOf(choice);
    sent.splice(0, echo < 0 ? sent.length : echo + 1);
    return echo < 0 && choice !== page.shown();
  };

  page.watch(() => soon());
  return (/** @type {ClassDocument} */ next) => {
    const before = doc;
    const news = isNews(next);
    doc = next;
    if (news && next.choice) page.show(next.choice, depthOn(next.choice, page.shown()));
    else if (!next.choice || (before?.frozen && !next.frozen)) soon();
    const slide = next.step?.slide && next.activity === null;
    const toggle = {
      text: next.shows.slide ? words.HIDE_SLIDE : words.SHOW_SLIDE,
      act: () => void api.patch({ shows: { slide: !next.shows.slide } }).catch(() => {}),
    };
    bar.say(next.frozen ? words.FROZEN : words.showing(joinAt(next, address)), [
      ...(slide ? [toggle] : []),
      { text: words.OPEN_DESK, href: `/class/${api.code}/desk`, isApart: true },
    ]);
  };
}
