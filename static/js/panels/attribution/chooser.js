// The choice of the token whose logit is taken apart, and of one to compare it with: the predicted ones are offered, any can be typed.

import { button, make, write } from "../../dom/dom.js";
import { composes } from "../../dom/keys.js";
import { predictedIn } from "../../numbers/predicted.js";
import { label, percent } from "../../words/format.js";
import { nameOf } from "./aim.js";
import { lookUp } from "./lookup.js";
import { attributionIn } from "./sources.js";
import { CHOOSE, SAME_TOKEN } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @typedef {"token" | "versus"} Key */

const OTHER = "other";

/** @param {Store} store */
export function chooser(store) {
  const said = make("p", { class: "hint" });
  said.setAttribute("role", "status");
  const say = (/** @type {string} */ text) => {
    write(said, text);
    said.hidden = text === "";
  };
  say("");
  const swap = button(CHOOSE.swap.text, () => store.update(swapped(store.state)), {
    class: "quiet",
    title: CHOOSE.swap.label,
  });
  swap.setAttribute("aria-label", CHOOSE.swap.label);
  const clear = () => {
    store.update({ versus: null });
    against.select.focus(); // the button is off now
  };
  const off = button(CHOOSE.clear.text, clear, { class: "quiet", title: CHOOSE.clear.label });
  off.setAttribute("aria-label", CHOOSE.clear.label);
  const token = picker(store, "token", say);
  const against = picker(store, "versus", say);
  const form = make("form", { class: "aim" }, [
    make("label", {}, [make("span", { text: CHOOSE.token }), token.select]),
    token.typed,
    make("label", {}, [make("span", { text: CHOOSE.against }), against.select]),
    against.typed,
    make("span", { class: "aim-acts" }, [swap, off]),
    said,
  ]);
  form.setAttribute("aria-label", CHOOSE.label);
  form.addEventListener("submit", (event) => event.preventDefault());

  store.watch(["next", "attribution", "shown", "token", "versus", "models"], (state) => {
    token.show(state);
    against.show(state);
    swap.disabled = off.disabled = state.versus === null;
  });
  store.watch(["token", "versus"], () => say(""));
  return form;
}

/** Both tokens exchanged: the likeliest one is then named. @param {Readonly<State>} state @returns {Partial<State>} */
export function swapped(state) {
  const { token, versus } = state;
  const first = token ?? attributionIn(state)?.found.token.id ?? null;
  return versus === null || first === null ? {} : { token: versus, versus: first };
}

/**
 * A list of tokens, with a box for any other one.
 * @param {Store} store
 * @param {Key} key
 * @param {(text: string) => void} say
 */
function picker(store, key, say) {
  const select = make("select");
  select.name = key;
  select.setAttribute("aria-label", CHOOSE[key === "token" ? "token" : "against"]);
  const box = make("input", { verbatim: true });
  Object.assign(box, { type: "text", placeholder: CHOOSE.placeholder, autocomplete: "off" });
  box.spellcheck = false;
  box.setAttribute("aria-label", CHOOSE.typed[key === "token" ? "token" : "against"]);
  const use = button(CHOOSE.use, () => take(), {});
  const typed = make("span", { class: "typed" }, [box, use]);
  typed.hidden = true;
  let built = "";
  let turn = 0; // only what was asked for last may be taken

  const close = () => {
    turn += 1;
    typed.hidden = true;
    show(store.state);
    select.focus();
  };
  const take = async () => {
    turn += 1;
    const mine = turn;
    try {
      const { id, said } = await lookUp(box.value, store.state);
      if (mine !== turn) return;
      const other =
        key === "token" ? store.state.versus : attributionIn(store.state)?.found.token.id;
      if (id === null || id === other) return say(id === null ? said : SAME_TOKEN);
      store.update({ [key]: id });
      close();
      say(said);
    } catch (error) {
      if (mine === turn) say(error instanceof Error ? error.message : String(error));
    }
  };
  select.addEventListener("change", () => {
    const { value } = select;
    say("");
    typed.hidden = value !== OTHER;
    if (value === OTHER) box.focus();
    else store.update({ [key]: value === "" ? null : Number(value) });
  });
  box.addEventListener("keydown", (event) => {
    if (composes(event)) return;
    if (event.key === "Enter") take();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation(); // the page has keys of its own
  });

  /** @param {Readonly<State>} state */
  const show = (state) => {
    const options = optionsOf(state, key);
    const now = JSON.stringify(options);
    if (now !== built) {
      built = now;
      select.replaceChildren(
        ...options.map(({ value, text }) => Object.assign(make("option", { text }), { value })),
      );
    }
    select.value = typed.hidden ? String(state[key] ?? "") : OTHER;
  };
  return { select, typed, show };
}

/**
 * What a list offers: no token, those that are predicted, the chosen one if it is not among them, and any other.
 * @param {Readonly<State>} state
 * @param {Key} key
 */
export function optionsOf(state, key) {
  const found = attributionIn(state)?.found;
  const predictions = predictedIn(state)?.predictions ?? [];
  const likeliest = predictions[0];
  const none =
    key === "versus"
      ? CHOOSE.nothing
      : likeliest
        ? CHOOSE.likeliest(nameOf(likeliest))
        : CHOOSE.likeliestOf;
  const taken = key === "versus" ? (state.token ?? likeliest?.id) : state.versus;
  const offered = predictions
    .filter(({ id }) => id !== taken || id === state[key])
    .map((one) => ({
      value: String(one.id),
      text: CHOOSE.candidate({ token: label(one), probability: percent(one.probability) }),
    }));
  const chosen = state[key];
  const named = [found?.token, found?.against].find((one) => one?.id === chosen);
  const extra =
    chosen === null || offered.some(({ value }) => value === String(chosen))
      ? []
      : [{ value: String(chosen), text: named ? label(named) : CHOOSE.unnamed(chosen) }];
  return [{ value: "", text: none }, ...offered, ...extra, { value: OTHER, text: CHOOSE.other }];
}
