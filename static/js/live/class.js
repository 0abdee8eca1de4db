// The inspector of somebody in a class: a participant follows, the teacher's shows. main.js loads it where the address is a class's.

import { backend as engines } from "../api/backend.js";
import { make, need } from "../dom/dom.js";
import { activityPanel } from "./activities/panel.js";
import { markButton } from "./activities/questions.js";
import { classApi } from "./api.js";
import { classBar } from "./bar.js";
import { codeIn, isTeacher, tokenOf } from "./identity.js";
import { NARROW } from "./screen/depth.js";
import { heat } from "./screen/heat.js";
import { codeOverlay } from "./screen/overlay.js";
import { classPage } from "./screen/page.js";
import { participant } from "./screen/participant.js";
import { projector } from "./screen/projector.js";
import { slideOver } from "./screen/slide.js";
import { veil } from "./screen/veil.js";
import { workButton } from "./screen/work.js";
import { follow } from "./stream.js";
import { CLICKER, walk, walkWith } from "./walk.js";
import * as words from "./words.js";

/**
 * @param {import("../state/store.js").Store} store
 * @param {(search: string) => {choice: import("../types.d.ts").Choice, missing: import("../types.d.ts").State["missing"]}} read
 * @param {import("../types.d.ts").Boot} boot
 */
export function live(store, read, boot) {
  const code = codeIn(location.pathname);
  const token = code && tokenOf(code);
  if (!code || !token) return location.replace(code ? `/join/${code}` : "/join");
  engines.prepare(boot); // packed, this script has an engine of its own, for what activities measure
  engines.choose(store.state.engine);
  const api = classApi(code, token);
  const teaches = isTeacher(token);
  const joins = (boot.class?.join ?? "").replace(/^https?:\/\//, "");
  const main = need("#main", HTMLElement);
  const bar = classBar(code);
  const page = classPage(store, read);
  const place = make("section", { class: "class-activity" });
  place.hidden = true;
  main.prepend(place);
  const activities = activityPanel(place, {
    store,
    send: api.answer,
    ...(teaches ? { open: (/** @type {string} */ choice) => void api.patch({ choice }) } : {}),
  });
  const show = teaches ? projector(page, bar, api, joins) : participant(page, bar, code);
  const dim = veil([main, need("header", HTMLElement)]);
  const clicked = async (/** @type {number} */ by) =>
    walk(api, await api.document({ desk: true }), by);
  if (teaches) {
    walkWith(CLICKER, (by) =>
      clicked(by).catch((error) => bar.warn(error instanceof Error ? error.message : "")),
    );
  }
  const overlay = teaches ? codeOverlay(code, joins) : () => {};
  const slide = teaches ? slideOver(code, main) : () => {};
  let work = (/** @type {import("./types.d.ts").ClassDocument} */ _) => {};
  if (teaches) heat(bar, api);
  else {
    const marks = make("div", { class: "class-marks" });
    bar.root.append(marks);
    markButton(marks, { send: api.answer });
    work = workButton(marks, store, api.answer);
  }
  document.documentElement.dataset.class = teaches ? "teacher" : "participant";

  let asked = "";
  /** On a small screen a question, and its answer, stand below the picture that they are about. @param {import("./types.d.ts").ClassDocument} doc */
  const toPicture = ({ activity }) => {
    const now = activity ? `${activity.id} ${activity.phase === "revealed"}` : "";
    if (activity && now !== asked && innerWidth < NARROW)
      requestAnimationFrame(() => need(".work .head", HTMLElement).scrollIntoView());
    asked = now;
  };

  follow(api, {
    desk: teaches, // how many have answered
    onDocument: (doc) => {
      bar.show(doc);
      work(doc);
      show(doc);
      activities.show(doc);
      toPicture(doc);
      dim(!teaches && doc.mode === "pause");
      overlay(doc);
      slide(doc);
    },
    onConnection: (connection, why) => {
      bar.connection(connection, why);
      if (connection === "ended" || connection === "out") {
        dim(false);
        place.hidden = true;
        document.documentElement.removeAttribute("data-asked");
        overlay(null);
        slide(null);
        bar.say(connection === "ended" ? words.ENDED : (why ?? ""), [
          ...(connection === "out" ? [{ text: words.JOIN_AGAIN, href: `/join/${code}` }] : []),
          { text: words.LEAVE, act: () => location.assign(`/${location.search}`) },
        ]);
      }
    },
  });
}
