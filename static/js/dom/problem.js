// The message about a problem, and the one "Try again" button of every view, panel and lesson.

import { errorUrl } from "../standalone/pages.js";
import { ENTER_PASSWORD, MEANING, TRY_AGAIN } from "../words/problem.js";
import { button, make, write } from "./dom.js";

/** @param {() => void} retry */
export const tryAgain = (retry) => button(TRY_AGAIN, retry);

/**
 * Shows the problem of the store in an element, with a button if something can be done about it.
 * @param {HTMLElement} root should have the role `alert`
 * @param {import("../state/store.js").Store} store
 * @param {{retry: () => void, signIn?: () => void}} actions `signIn`: if the server wants its password again
 */
export function problemBox(root, store, { retry, signIn }) {
  const message = make("p");
  const again = tryAgain(() => (store.state.problem?.closed ? signIn?.() : retry()));
  const meaning = make("a", { text: MEANING });
  meaning.target = "_blank"; // what was typed stays
  root.append(message, meaning, again);
  store.watch(["status", "problem"], ({ problem }) => {
    root.hidden = problem === null;
    root.classList.toggle("calm", Boolean(problem?.calm));
    write(message, problem?.message ?? "");
    const url = problem?.code && !problem.closed ? errorUrl(problem.code) : null;
    meaning.hidden = url === null;
    if (url) meaning.href = url;
    again.hidden = !problem?.retry && !(problem?.closed && signIn);
    again.textContent = problem?.closed ? ENTER_PASSWORD : TRY_AGAIN;
  });
}
