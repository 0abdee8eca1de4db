// The prediction strip: the three likeliest tokens, and after an edit how far it moved them. It stays in sight in every depth. A click on a token
// watches it: it stays in the strip, apart from the likeliest unless it is one of them, and the effects of mutes are told of it. In Start, which has
// no panel for them, the heads are muted in turn at once, and the next step tells which one the token needs most. A button asks that of the likeliest.

import { busyWith } from "../../dom/busy.js";
import { button, make, write } from "../../dom/dom.js";
import { stripIn } from "../../numbers/predicted.js";
import { modelIn } from "../../state/choice.js";
import { label, shorten } from "../../words/format.js";
import { knowsInText } from "../../words/heads.js";
import * as words from "./words.js";

/** @import { Listed } from "../../types.d.ts" */

const LONGEST = 14; // characters of a token
const MIN_CHANGE = 0.0005; // 0.05%: below it a change does not show in percent

/**
 * @param {HTMLElement} root with a heading and a list
 * @param {import("../../state/store.js").Store} store
 */
export function forecast(root, store) {
  const heading = make("h2");
  const list = make("ol");
  const knows = make("p", { class: "faint" });
  knows.dataset.only = "start";
  /** @type {Listed | undefined} */
  let likeliest;
  const why = button("", () => likeliest && watch(likeliest.id, true), { class: "why-token" });
  why.dataset.only = "start full";
  why.dataset.tells = "";
  root.append(make("div", { class: "strip-head" }, [heading, why]), list, knows);

  /** @param {number | null} id @param {boolean} [asks] whether to find the head that it needs in any depth */
  const watch = (id, asks = store.state.depth === "start") => {
    const isAsked = id !== null && asks && !modelIn(store.state).lacks;
    store.update({ token: id, right: isAsked ? "effects" : store.state.right });
  };

  busyWith(root, store, ["next"]);
  store.watch(
    ["next", "shown", "models", "model", "answer", "token", "top_k", "depth"],
    (state) => {
      const model = modelIn(state);
      const strip = stripIn(state);
      root.hidden = model.state === "ready" && model.predicts === null;
      if (!strip) return;
      write(heading, words.title(strip.position));
      knows.textContent = knowsInText(model);
      const focused = list.querySelector(":focus")?.closest("li")?.dataset.token;
      const { few, apart, watched } = strip;
      root.toggleAttribute("data-watched", watched !== null);
      [likeliest] = few;
      why.hidden = !likeliest || likeliest === watched || Boolean(model.lacks);
      write(why, likeliest ? words.why({ token: shorten(label(likeliest), LONGEST) }) : "");
      const act = { watch, about: words.watch({ finds: state.depth === "start" }) };
      list.replaceChildren(
        ...few.map((token) => line(token, token === watched, act)),
        ...(apart ? [line(apart, true, act, true)] : []),
      );
      if (focused === undefined) return;
      const lines = [...list.querySelectorAll("li")];
      const same = lines.find(({ dataset }) => dataset.token === focused) ?? lines[0];
      same?.querySelector("button")?.focus({ preventScroll: true }); // the keyboard stays where it was
    },
  );
}

/**
 * @param {Listed} token
 * @param {boolean} watched
 * @param {{watch: (id: number | null) => void, about: string}} act what pressing it does
 * @param {boolean} [apart] whether it is here only because it is watched
 */
function line(token, watched, { watch, about }, apart = false) {
  const { id, probability, unedited } = token;
  const changed = unedited !== null && Math.abs(probability - unedited) >= MIN_CHANGE;
  const name = shorten(label(token), LONGEST);
  const press = button(name, () => watch(watched ? null : id), {
    class: "token",
    verbatim: true,
    title: watched ? words.stop({ token: name }) : about,
  });
  press.setAttribute("aria-pressed", String(watched));
  const named = apart
    ? make("span", { class: "watched" }, [make("span", { text: words.WATCHED }), press])
    : press;
  const item = make(
    "li",
    { class: [changed && "moved", apart && "apart"].filter(Boolean).join(" ") },
    [
      named,
      make("span", {
        class: "number",
        text: changed
          ? words.moved({ from: unedited, to: probability })
          : words.inWords(probability),
      }),
      make("span", { class: "meter" }),
      ...(watched ? [stopButton(name, watch)] : []),
    ],
  );
  item.dataset.token = String(id);
  item.style.setProperty("--share", String(Math.min(1, probability)));
  if (changed) item.style.setProperty("--was", String(Math.min(1, unedited)));
  return item;
}

/** @param {string} name of the watched token @param {(id: null) => void} watch */
function stopButton(name, watch) {
  const stop = button("×", () => watch(null), {
    class: "quiet stop",
    title: words.stop({ token: name }),
  });
  stop.setAttribute("aria-label", words.stop({ token: name }));
  stop.dataset.only = "start full";
  return stop;
}
