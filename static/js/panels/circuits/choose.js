// The choice of a token: those of the text are offered, any other can be typed.

import { button, make, write } from "../../dom/dom.js";
import { label } from "../../words/format.js";
import { lookUp } from "../attribution/lookup.js";
import { askedIn } from "./asked.js";
import { nameOf } from "./rows.js";
import { CHOOSE } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State, VocabularyToken as Token } from "../../types.d.ts" */

const MAX_OFFERED = 200; // tokens of a text that are offered

/** The tokens of the text that is shown, each once; special ones have no circuits. @param {Readonly<State>} state @returns {Token[]} */
export function tokensIn({ detail, shown, model }) {
  const trace = detail?.trace;
  if (!trace || trace.model !== model) return [];
  const text = Math.min(shown, trace.tokens.length - 1);
  const tokens = [...trace.tokens[text], ...(trace.target_tokens?.[text] ?? [])];
  const own = tokens.filter(({ special, padding }) => !special && !padding);
  return [...new Map(own.map((token) => [token.id, token])).values()].slice(0, MAX_OFFERED);
}

/** @param {Store} store @param {typeof lookUp} [find] */
export function chooser(store, find = lookUp) {
  const select = make("select");
  const box = make("input", { verbatim: true });
  Object.assign(box, { type: "text", placeholder: CHOOSE.placeholder, autocomplete: "off" });
  box.spellcheck = false;
  box.setAttribute("aria-label", CHOOSE.typed);
  const said = make("p", { class: "hint" });
  said.setAttribute("role", "status");
  const form = make("form", { class: "circuits-choose" }, [
    make("label", {}, [make("span", { text: CHOOSE.list }), select]),
    make("span", { class: "typed" }, [
      box,
      Object.assign(button(CHOOSE.show, null), { type: "submit" }),
    ]),
    said,
  ]);
  form.setAttribute("aria-label", CHOOSE.label);
  let turn = 0; // only what was asked for last may be taken
  let built = "";
  const say = (/** @type {string} */ text) => {
    write(said, text);
    said.hidden = text === "";
  };
  say("");

  select.addEventListener("change", () => {
    turn += 1;
    say("");
    store.update({ vocab: select.value === "" ? null : Number(select.value) });
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") event.stopPropagation(); // the page has keys of its own
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    turn += 1;
    const mine = turn;
    say(CHOOSE.looking);
    try {
      const found = await find(box.value, store.state);
      if (mine !== turn) return;
      say(found.said);
      if (found.id !== null) store.update({ vocab: found.id });
    } catch (error) {
      if (mine === turn) say(error instanceof Error ? error.message : String(error));
    }
  });

  store.watch(["detail", "shown", "vocab", "vocabulary", "right"], (state) => {
    const { vocab } = state;
    const offered = tokensIn(state).map((token) => ({ id: token.id, text: label(token) }));
    const found = askedIn(state, "token")?.answer?.partners?.token;
    const isOffered = vocab === null || offered.some(({ id }) => id === vocab);
    const extra = isOffered
      ? []
      : [{ id: vocab, text: found ? nameOf(found) : CHOOSE.unnamed(vocab) }];
    const options = [{ id: null, text: CHOOSE.none }, ...offered, ...extra];
    const now = JSON.stringify(options);
    if (now !== built) {
      built = now;
      select.replaceChildren(
        ...options.map(({ id, text }) =>
          Object.assign(make("option", { text }), { value: id === null ? "" : String(id) }),
        ),
      );
    }
    select.value = vocab === null ? "" : String(vocab);
  });
  return { root: form, focus: () => select.focus({ preventScroll: true }) };
}
