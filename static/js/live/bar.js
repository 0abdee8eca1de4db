// The bar of a class: its code, the connection, what to do now, and the time that is left. Above everything, on every page of the class.

import { button, make, write } from "../dom/dom.js";
import * as words from "./words.js";

/** @import { ClassDocument } from "./types.d.ts" */
/** @typedef {{text: string, act?: () => void, href?: string, isApart?: boolean}} Action `isApart`: in a tab of its own */

/** @param {string} code @param {HTMLElement} [root] */
export function classBar(code, root = document.documentElement) {
  const line = make("p", { class: "class-line" });
  line.setAttribute("role", "status");
  const actions = make("div", { class: "class-actions" });
  const time = make("span", { class: "class-time" });
  time.setAttribute("role", "timer");
  const state = make("span", { class: "class-state", text: words.CONNECTIONS.connecting });
  const bar = make("aside", { class: "class-bar" }, [
    make("b", { class: "class-code", text: words.spaced(code) }),
    line,
    actions,
    time,
    state,
  ]);
  bar.setAttribute("aria-label", words.CLASS);
  document.body.prepend(bar);
  document.querySelector(".skip")?.before(bar);
  new ResizeObserver(() => {
    root.style.setProperty("--class-bar", `${bar.offsetHeight}px`);
  }).observe(bar);

  /** @type {ClassDocument | null} */
  let doc = null;
  let ahead = 0; // how far the server's clock is ahead of ours
  let asked = "";
  const tick = () => {
    const ends = doc?.timer?.ends;
    time.hidden = ends === undefined;
    if (ends === undefined) return;
    const ms = ends - (Date.now() + ahead);
    time.textContent = ms > 0 ? words.timeLeft(words.left(ms)) : words.TIME_UP;
  };
  setInterval(tick, 250);

  return {
    root: bar,
    /** @param {string} text @param {Action[]} offered */
    say(text, offered) {
      write(line, text);
      const names = offered.map(({ text }) => text).join("\n");
      if (names === asked && offered.every(({ act }) => !act)) return;
      const had = actions.contains(document.activeElement);
      asked = names;
      actions.replaceChildren(...offered.map(actionOf));
      if (had) actions.querySelector("button")?.focus();
    },
    /** @param {string} text */
    warn(text) {
      write(line, text);
    },
    /** @param {import("./types.d.ts").Connection} connection @param {string} [why] */
    connection(connection, why) {
      state.textContent = words.CONNECTIONS[connection];
      bar.dataset.connection = connection;
      if (connection === "ended") doc = null; // and with it the time that is left
      tick();
      if (why) write(line, why);
    },
    /** @param {ClassDocument} next */
    show(next) {
      if (next.now !== doc?.now) ahead = next.now - Date.now();
      doc = next;
      tick();
    },
  };
}

/** @param {Action} action */
function actionOf({ text, act, href, isApart }) {
  if (act) return button(text, act);
  const link = make("a", { text });
  link.href = href ?? "";
  if (isApart) link.target = "_blank";
  return link;
}
