// A vote, and mask detective: one tap chooses an answer, another one changes it.

import { button } from "../../dom/dom.js";

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
