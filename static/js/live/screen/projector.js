// The teacher's inspector: what it shows is what the class sees. It publishes its choice, and goes where the desk sends the class.

import * as words from "../words.js";

/** @typedef {import("../types.d.ts").ClassDocument} ClassDocument */

const PUBLISH_MS = 100; // at most one message in so many; the last one is always sent
const REMEMBERED = 30; // of our own messages, whose echo is no news

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
  const sent = [];

  let sending = false;
  // one message at a time: two on their way could overtake each other
  const publish = async () => {
    timer = 0;
    const choice = page.shown();
    if (sending || !doc || doc.frozen || choice === sent.at(-1)) return;
    sending = true;
    sent.push(choice);
    sent.splice(0, sent.length - REMEMBERED);
    try {
      await api.patch({ choice });
    } catch (error) {
      sent.pop();
      bar.warn(error instanceof Error ? error.message : "");
    }
    sending = false;
    if (page.shown() !== choice) soon();
  };
  const soon = () => {
    if (timer === 0) timer = window.setTimeout(publish, PUBLISH_MS);
  };

  page.watch(soon);
  return (/** @type {ClassDocument} */ next) => {
    const before = doc;
    doc = next;
    const isNews = next.choice !== (before?.choice ?? "") && !sent.includes(next.choice);
    if (isNews && next.choice !== page.shown()) {
      sent.push(next.choice); // what we show now is what the class has
      page.show(next.choice);
    } else if (!next.choice || (before?.frozen && !next.frozen)) soon();
    bar.say(next.frozen ? words.FROZEN : words.showing(address), [
      { text: words.OPEN_DESK, href: `/class/${api.code}/desk`, isApart: true },
    ]);
  };
}
