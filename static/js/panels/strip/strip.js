// The prediction strip: the three likeliest tokens, and after an edit how far it moved them. It stays in sight in every depth. A click on a token
// watches it: it stays in the strip, and the effects of mutes are told of it.

import { button, make } from "../../dom/dom.js";
import { fewOf, predictedIn } from "../../numbers/predicted.js";
import { modelIn } from "../../state/choice.js";
import { label, shorten } from "../../words/format.js";
import { inWords, KEEP, moved, title } from "./words.js";

/** @typedef {import("../../types.d.ts").Listed} Listed */

const TOKENS = 3;
const LONGEST = 14; // characters of a token
const MIN_CHANGE = 0.0005; // 0.05%: below it a change does not show in percent

/**
 * @param {HTMLElement} root with a heading and a list
 * @param {import("../../state/store.js").Store} store
 */
export function forecast(root, store) {
  const heading = make("h2");
  const list = make("ol");
  root.append(heading, list);

  /** @param {number} id */
  const watch = (id) => store.update({ token: id === store.state.token ? null : id });

  store.watch(["next", "shown", "models", "model", "token"], (state) => {
    const model = modelIn(state);
    const predicted = predictedIn(state);
    root.hidden = model.state === "ready" && model.predicts === null;
    root.setAttribute("aria-busy", String(state.next?.status === "loading"));
    if (!predicted) return;
    heading.textContent = title(predicted.position);
    const few = fewOf(predicted.predictions, TOKENS, state.token);
    const focused = [...list.querySelectorAll("button")].findIndex((one) => one.matches(":focus"));
    list.replaceChildren(...few.map((token) => line(token, token.id === state.token, watch)));
    list.querySelectorAll("button")[focused]?.focus(); // keep the keyboard focus
  });
}

/** @param {Listed} token @param {boolean} watched @param {(id: number) => void} watch */
function line(token, watched, watch) {
  const { probability, unedited } = token;
  const changed = unedited !== null && Math.abs(probability - unedited) >= MIN_CHANGE;
  const name = shorten(label(token), LONGEST);
  const press = button(name, () => watch(token.id), { class: "token", title: KEEP });
  press.setAttribute("aria-pressed", String(watched));
  const item = make("li", { class: changed ? "moved" : "" }, [
    press,
    make("span", {
      class: "number",
      text: changed ? moved({ from: unedited, to: probability }) : inWords(probability),
    }),
    make("span", { class: "meter" }),
  ]);
  item.style.setProperty("--share", String(Math.min(1, probability)));
  if (changed) item.style.setProperty("--was", String(Math.min(1, unedited)));
  return item;
}
