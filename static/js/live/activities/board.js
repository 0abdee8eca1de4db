// The board: people write questions, and vote for those of others; the most wanted come first.

import { button, make } from "../../dom/dom.js";
import { hider, written } from "./posted.js";
import * as words from "./words.js";

const MOST = 5; // questions of one person

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} _activity
 * @param {import("./types.d.ts").Own} _mine
 * @param {import("./types.d.ts").Send} send
 * @param {import("./types.d.ts").Surroundings} page
 * @returns {import("./types.d.ts").ShowAnswers}
 */
export function asking(root, _activity, _mine, send, { say }) {
  const text = make("input", { class: "wall-sentence", verbatim: true });
  Object.assign(text, { type: "text", maxLength: 200 });
  const submit = button(words.PUT_ON_BOARD, null, { class: "main" });
  submit.type = "submit";
  const yours = make("ul", { class: "wall-yours" });
  const label = make("label", { class: "wall-label" }, [
    make("span", { text: words.YOUR_QUESTION }),
    text,
  ]);
  const form = make("form", {}, [label, submit]);
  root.replaceChildren(form, yours);
  /** @type {import("./types.d.ts").Own} */
  let own = {};
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = text.value.trim();
    if (typed === "") return say(words.WRITE_QUESTION);
    const names = Array.from({ length: MOST }, (_, n) => `q${n + 1}`);
    const item = names.find((name) => !own[name]);
    if (!item) return say(words.boardFull(MOST));
    if (await send(item, { text: typed })) text.value = "";
  });
  return (mine, open) => {
    own = mine;
    submit.setAttribute("aria-disabled", String(!open));
    yours.replaceChildren(...written(mine, ({ text }) => text, send));
  };
}

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} _activity
 * @param {import("./types.d.ts").BoardResults} results
 * @param {import("./types.d.ts").Actions} [actions]
 */
export function boardResults(root, _activity, { asked }, actions = {}) {
  if (asked.length === 0) return root.replaceChildren(make("p", { text: words.EMPTY_BOARD }));
  const had = document.activeElement?.getAttribute("data-up");
  root.replaceChildren(
    make(
      "ol",
      { class: "board" },
      asked.map((one) => line(one, actions)),
    ),
  );
  if (had) /** @type {HTMLElement | null} */ (root.querySelector(`[data-up="${had}"]`))?.focus();
}

/** @param {import("./types.d.ts").Asked} asked @param {import("./types.d.ts").Actions} actions */
function line({ id, text, ups, person, item, hidden = false }, { vote, own = {}, hide }) {
  const mine = Object.values(own).some((answer) => answer.text === text);
  return make("li", { class: hidden ? "hidden" : "" }, [
    vote && !mine ? voteFor(id, text, ups, vote, own) : make("b", { text: words.wantedBy(ups) }),
    make("p", { text, verbatim: true }),
    ...(hide && person !== undefined
      ? [hider(hidden, text, () => hide(person, item, !hidden))]
      : []),
  ]);
}

/** @param {string} id @param {string} text @param {number} ups @param {NonNullable<import("./types.d.ts").Actions["vote"]>} vote @param {import("./types.d.ts").Own} own */
function voteFor(id, text, ups, vote, own) {
  const item = `up-${id}`;
  const isOn = own[item] !== undefined;
  const made = button(words.wantedBy(ups), () => vote(item, isOn ? null : { up: id }));
  made.dataset.up = id;
  made.setAttribute("aria-pressed", String(isOn));
  made.setAttribute("aria-label", words.voteFor(text, ups));
  return made;
}
