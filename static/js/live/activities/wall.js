// The wall: an anonymous grid of what people found, each a thumbnail and a sentence.

import { button, make } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { choiceOf } from "../../state/address.js";
import { toQuery } from "../../state/url.js";
import { thumbOf } from "./patterns.js";
import { hider, named, written } from "./posted.js";
import { thumb as picture } from "./thumb.js";
import * as words from "./words.js";

/** @import { Find } from "./types.d.ts" */

const MAX_FINDS = 5; // finds of one person
export const MAX_STATE = 4000; // characters
const MAX_SENTENCE = 200;

/**
 * What the page shows, as a find: a link's query without its "?", and a small picture.
 * @param {Readonly<import("../../types.d.ts").State>} state
 * @param {string} sentence
 */
export function findIn(state, sentence) {
  const choice = toQuery(choiceOf(state), state.models, { shared: true }).slice(1);
  const detail = detailOf(state);
  return { choice, sentence, thumb: detail ? thumbOf(detail.picture) : null };
}

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} _activity
 * @param {import("./types.d.ts").Own} _mine
 * @param {import("./types.d.ts").Send} send
 * @param {import("./types.d.ts").Surroundings} page
 * @returns {import("./types.d.ts").ShowAnswers}
 */
export function posting(root, _activity, _mine, send, { store, say }) {
  const sentence = make("input", { class: "wall-sentence", verbatim: true });
  Object.assign(sentence, { type: "text", maxLength: MAX_SENTENCE });
  const submit = button(words.PUT_ON_WALL, null, { class: "main" });
  submit.type = "submit";
  const yours = make("ul", { class: "wall-yours" });
  const form = make("form", {}, [
    make("label", { class: "wall-label" }, [make("span", { text: words.SENTENCE }), sentence]),
    submit,
  ]);
  root.replaceChildren(form, yours);
  /** @type {import("./types.d.ts").Own} */
  let own = {};
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = sentence.value.trim();
    if (!store) return;
    if (text === "") return say(words.WRITE_FIRST);
    const item = Array.from({ length: MAX_FINDS }, (_, n) => `f${n + 1}`).find(
      (name) => !own[name],
    );
    if (!item) return say(words.wallFull(MAX_FINDS));
    const find = findIn(store.state, text);
    if (find.choice.length > MAX_STATE) return say(words.TOO_LONG_STATE);
    if (await send(item, find)) sentence.value = "";
  });
  return (mine, open) => {
    own = mine;
    submit.setAttribute("aria-disabled", String(!open));
    yours.replaceChildren(...written(mine, ({ sentence }) => sentence, send));
  };
}

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} _activity
 * @param {{finds: Find[]}} results
 * @param {import("./types.d.ts").Actions} [actions]
 */
export function wallResults(root, _activity, { finds }, actions = {}) {
  if (finds.length === 0) return root.replaceChildren(make("p", { text: words.EMPTY_WALL }));
  root.replaceChildren(
    make(
      "ul",
      { class: "wall" },
      finds.map((find) => card(find, actions)),
    ),
  );
}

/** @param {Find} find @param {import("./types.d.ts").Actions} actions */
function card({ person, item, choice, sentence, thumb, hidden = false }, { open, hide }) {
  const parts = [
    ...(thumb?.length ? [picture(thumb, words.PICTURE)] : []),
    make("p", { text: sentence, verbatim: true }),
    ...(open ? [named(words.OPEN_FOR_ALL, words.openFor(sentence), () => open(choice))] : []),
    ...(hide && person !== undefined
      ? [hider(hidden, sentence, () => hide(person, item, !hidden))]
      : []),
  ];
  return make("li", { class: hidden ? "hidden" : "" }, parts);
}
