// A vote, and mask detective: one tap chooses an answer, another one changes it.

import { button, make } from "../../dom/dom.js";

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} activity
 * @param {import("./types.d.ts").Own} _mine
 * @param {import("./types.d.ts").Send} send
 * @returns {import("./types.d.ts").ShowAnswers}
 */
export function voting(root, { question }, _mine, send) {
  const buttons = optionsOf(question).map((text, choice) =>
    button(text, () => send("0", { choice }), { class: "option" }),
  );
  root.replaceChildren(...buttons);
  return (own, open) =>
    buttons.forEach((one, choice) => {
      one.setAttribute("aria-pressed", String(own["0"]?.choice === choice));
      one.setAttribute("aria-disabled", String(!open)); // it keeps the focus, unlike `disabled`
    });
}

/** @param {import("./types.d.ts").VoteQuestion} question */
export const optionsOf = ({ choices, options }) => choices ?? options ?? [];

/** The answers to choose from, large. @param {HTMLElement} root @param {import("./types.d.ts").Activity} activity */
export function projectOptions(root, { question }) {
  const options = optionsOf(question).map((text) => make("li", { text }));
  root.append(make("ol", { class: "class-options" }, options));
}

/** @param {import("./types.d.ts").Activity} activity @param {import("./types.d.ts").Answer} answer */
export const chosen = ({ question }, { choice }) => optionsOf(question)[Number(choice)] ?? "";
