// The question that the class answers: how many have, what they said, and what comes next. The results are the teacher's until revealed.

import { button, make, need } from "../../dom/dom.js";
import { ACTIVITIES } from "../activities/activities.js";
import { answered } from "../activities/words.js";
import * as words from "./words.js";

/** @import { ClassDocument } from "../types.d.ts" */

/**
 * @param {import("../types.d.ts").ClassApi} api
 * @param {(error: unknown) => void} fail
 */
export function running(api, fail) {
  const root = need("#now", HTMLElement);
  const title = make("p", { class: "asked" });
  title.tabIndex = -1;
  const state = make("p", { class: "desk-answered" });
  state.setAttribute("role", "status");
  const steps = make("div", { class: "desk-row" });
  const hint = make("p", { class: "hint", text: words.ONLY_YOU });
  const results = make("div", { class: "results" });
  const earlier = make("div", { class: "desk-earlier" });
  root.replaceChildren(title, state, steps, hint, results, earlier);
  let drawn = "";
  let shown = "";

  return (/** @type {ClassDocument} */ { activity, desk, people }) => {
    const row = activity && ACTIVITIES[activity.kind];
    title.textContent = activity ? activity.question.text : words.NOTHING_ASKED;
    for (const part of [state, steps, results]) part.hidden = !row;
    hint.hidden = !row || Boolean(row.live) || activity?.phase === "revealed";
    const others = (desk?.activities ?? []).filter(({ id }) => id !== activity?.id);
    earlier.replaceChildren(
      ...(others.length > 0 ? [make("h3", { text: words.EARLIER })] : []),
      ...others.map(({ id, title }) => {
        const opener = button(title, () => api.advance(id, {}).catch(fail), { class: "quiet" });
        opener.setAttribute("aria-label", words.showAgain(title));
        return opener;
      }),
    );
    if (!activity || !row) {
      if (steps.contains(document.activeElement)) title.focus(); // what it was on is put away
      return;
    }
    const round = activity.round > 1 ? [words.SECOND_ROUND] : [];
    const how = [row.name, ...round, words.PHASES[activity.phase]].join(", ");
    state.textContent = `${how}: ${answered(desk?.answered ?? 0, people)}`;
    const key = `${activity.id} ${activity.phase} ${activity.round}`;
    if (key !== drawn) {
      drawn = key;
      const had = steps.contains(document.activeElement);
      steps.replaceChildren(
        ...nextOf(activity).map(({ text, to }) =>
          button(text, () =>
            (to ? api.advance(activity.id, to) : api.putAway(activity.id)).catch(fail),
          ),
        ),
      );
      if (had) (steps.querySelector("button") ?? title).focus();
    }
    const now = JSON.stringify([activity.id, desk?.results]);
    if (!desk || now === shown) return;
    shown = now;
    row.results(results, activity, desk.results, {
      open: (choice) => void api.patch({ choice, mode: "follow" }).catch(fail),
      hide: (person, item, hidden) => void api.hide(activity.id, person, item, hidden).catch(fail),
    });
  };
}

/** What can come next; without `to` it is put away. @param {import("../activities/types.d.ts").Activity} activity @returns {{text: string, to?: {phase?: string, round?: number}}[]} */
function nextOf({ phase, round, kind, question }) {
  const { live } = ACTIVITIES[kind];
  const isOnce = Boolean(question.study); // it is asked again later: no second round, nothing revealed
  return [
    ...(phase === "open" ? [{ text: words.CLOSE, to: { phase: "closed" } }] : []),
    ...(phase === "closed" ? [{ text: words.REOPEN, to: { phase: "open" } }] : []),
    ...(phase === "open" && round === 1 && !live && !isOnce
      ? [{ text: words.TALK, to: { phase: "talk" } }]
      : []),
    ...(phase === "talk" ? [{ text: words.AGAIN, to: { round: 2 } }] : []),
    ...(phase !== "revealed" && !live && !isOnce
      ? [{ text: words.REVEAL, to: { phase: "revealed" } }]
      : []),
    ...(phase === "revealed" ? [{ text: words.HIDE_RESULTS, to: { phase: "closed" } }] : []),
    { text: words.PUT_AWAY },
  ];
}
