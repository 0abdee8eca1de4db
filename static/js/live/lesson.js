// A lesson that somebody in a class reads, or the list of them: the bar leads back, questions of the class appear here, too, and places of a lesson
// can be marked.

import { make, need } from "../dom/dom.js";
import { activityPanel } from "./activities/panel.js";
import { markButton } from "./activities/questions.js";
import { classApi } from "./api.js";
import { classBar } from "./bar.js";
import { isTeacher, tokenOf } from "./identity.js";
import { heat } from "./screen/heat.js";
import { veil } from "./screen/veil.js";
import { follow } from "./stream.js";
import * as words from "./words.js";

const LESSON = /^\/learn\/[a-z0-9-]+$/;

export function lessonInClass() {
  const asked = new URLSearchParams(location.search);
  const code = asked.get("class") ?? "";
  const token = tokenOf(code);
  if (!token) return;
  const api = classApi(code, token);
  const teaches = isTeacher(token);
  const main = need("#main", HTMLElement);
  const bar = classBar(code);
  const place = make("section", { class: "class-activity" });
  place.hidden = true;
  main.prepend(place);
  const activities = activityPanel(place, { store: null, send: api.answer });
  const dim = veil([main, need("header", HTMLElement)]);
  const isLesson = LESSON.test(location.pathname);
  if (isLesson && teaches) heat(bar, api, asked.get("marks") === "on");
  else if (isLesson) {
    const marks = make("div", { class: "class-marks" });
    bar.root.append(marks);
    markButton(marks, { send: api.answer });
  }
  for (const link of document.querySelectorAll("a[href]")) {
    if (link instanceof HTMLAnchorElement) link.href = inClass(link, code);
  }
  const back = { text: words.BACK_TO_CLASS, href: `/class/${code}` };
  follow(api, {
    onDocument: (doc) => {
      bar.show(doc);
      bar.say(words.IN_LESSON[doc.mode], [back]);
      activities.show(doc);
      dim(!teaches && doc.mode === "pause");
    },
    onConnection: (connection, why) => {
      bar.connection(connection, why);
      if (connection !== "ended" && connection !== "out") return;
      dim(false);
      place.hidden = true;
      bar.say(connection === "ended" ? words.ENDED : (why ?? ""), [
        ...(connection === "out" ? [{ text: words.JOIN_AGAIN, href: `/join/${code}` }] : []),
      ]);
    },
  });
}

/** Where a link leads for somebody in the class: lessons and their list stay in it, and so does the inspector. @param {HTMLAnchorElement} link @param {string} code */
function inClass(link, code) {
  const url = new URL(link.href);
  const within = link.getAttribute("href")?.startsWith("#") || url.origin !== location.origin;
  if (within) return link.href;
  if (url.pathname === "/learn" || LESSON.test(url.pathname)) url.searchParams.set("class", code);
  if (url.pathname === "/") url.pathname = `/class/${code}`;
  return url.href;
}
