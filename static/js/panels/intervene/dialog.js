// The dialog that makes an intervention on the selected head, its layer's feed-forward network, or the stream.

import { need, write } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { predictedIn } from "../../numbers/predicted.js";
import { factorOf, givenOf, KINDS, kindOf, PLACES } from "../../state/address/interventions.js";
import { modelIn } from "../../state/choice.js";
import { label, shorten } from "../../words/format.js";
import { directionOf, directionSaid, OF } from "./spoken.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Intervention, State } from "../../types.d.ts" */
/** @typedef {Pick<Intervention, "at" | "layer" | "head" | "site">} Place */

/** @param {HTMLDialogElement} dialog @param {HTMLButtonElement} opener @param {Store} store */
export function interveneDialog(dialog, opener, store) {
  const form = need("form", HTMLFormElement, dialog);
  const place = need("[name=place]", HTMLSelectElement, form);
  const kind = need("[name=kind]", HTMLSelectElement, form);
  const factor = need("[name=factor]", HTMLInputElement, form);
  const source = need("[name=source]", HTMLTextAreaElement, form);
  const texts = need("[name=texts]", HTMLTextAreaElement, form);
  const toward = need("[name=token]", HTMLInputElement, form);
  const offered = need("datalist", HTMLDataListElement, form);
  const of = need("[name=of]", HTMLSelectElement, form);
  const added = need("[name=added]", HTMLTextAreaElement, form);
  const minus = need("[name=minus]", HTMLTextAreaElement, form);
  const where = need("fieldset", HTMLFieldSetElement, form);
  const about = need("[data-part=about]", HTMLElement, form);
  const problem = need("[data-part=problem]", HTMLElement, form);
  const spoken = need("[data-part=words]", HTMLElement, form);
  kind.append(...KINDS.map(({ name, label: text }) => new Option(text, name)));

  /** The places that are offered, in the order of their options. @type {Place[]} */
  let places = [];
  const chosenKind = () => /** @type {Intervention["kind"]} */ (kind.value);
  const chosenPlace = () => places[place.selectedIndex];
  const say = (/** @type {string} */ text) => {
    problem.textContent = text;
    problem.hidden = text === "";
  };

  const fit = () => {
    const isHead = chosenPlace()?.at === "head";
    for (const option of kind.options) {
      const row = kindOf(option.value);
      option.disabled = !isHead && row !== undefined && "heads" in row;
    }
    if (kind.selectedOptions[0]?.disabled) kind.value = KINDS[0].name;
    const given = givenOf(chosenKind()) ?? "";
    for (const field of form.querySelectorAll("[data-given]")) {
      if (field instanceof HTMLElement)
        field.hidden = !field.dataset.given?.split(" ").includes(given);
    }
    // a head's z is not as wide as the unembedding
    toward.disabled = of.disabled = isHead;
    const row = kindOf(kind.value);
    where.hidden = row !== undefined && "everywhere" in row;
    about.textContent = words.ABOUT[chosenKind()];
    say("");
  };
  // typing does not change the layout: a button would move away from under the pointer
  place.addEventListener("change", fit);
  kind.addEventListener("change", () => {
    factor.value = chosenKind() === "add" ? "1" : "0.5";
    fit();
  });

  const open = () => {
    const { state } = store;
    places = placesIn(state);
    place.replaceChildren(...places.map((one) => new Option(words.option(one))));
    const one = need("[value=one]", HTMLInputElement, where);
    const token = tokenIn(state);
    one.disabled = token === null;
    need("span", HTMLElement, /** @type {HTMLElement} */ (one.parentElement)).textContent =
      token === null ? words.NO_TOKEN : words.atToken(token.text, token.position);
    if (token === null) need("[value=all]", HTMLInputElement, where).checked = true;
    const predicted = predictedIn(state)?.predictions ?? [];
    offered.replaceChildren(
      ...predicted.filter(({ special }) => !special).map(({ text }) => new Option("", text)),
    );
    if (source.value === "") source.value = state.texts[state.shown] ?? "";
    fit();
    dialog.showModal();
    place.focus();
  };
  opener.addEventListener("click", open);
  need("[data-act=close]", HTMLButtonElement, form).addEventListener("click", () => dialog.close());

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const one = read();
    if (typeof one === "string") return say(one);
    told(one, (whole) => {
      store.update({ interventions: [...store.state.interventions, whole] });
      dialog.close();
    });
  });

  let speaking = new AbortController();
  const silence = () => {
    speaking.abort();
    spoken.textContent = "";
  };
  form.addEventListener("input", silence);
  dialog.addEventListener("close", silence);
  need("[data-act=words]", HTMLButtonElement, form).addEventListener("click", () => {
    const one = read();
    if (typeof one === "string") return say(one);
    if (one.source === undefined && !isVector(one)) return say(words.NO_DIFFERENCE);
    told(one, (whole) =>
      waiting(
        () => directionSaid(store.state, whole),
        (said) => write(spoken, said),
      ),
    );
  });

  /** A direction of a token that is not its unembedding, which the server looks up when it runs. @param {Intervention} one */
  const isVector = ({ token }) => token !== undefined && of.value !== OF[0];

  /** Once the server has told the vector that is meant, if one is. @param {Intervention} one @param {(whole: Intervention) => unknown} then */
  const told = ({ token, ...one }, then) => {
    if (typeof token !== "string" || !isVector({ ...one, token })) {
      then({ ...one, ...(token === undefined ? {} : { token }) });
      return;
    }
    const chosen = OF.find((name) => name === of.value) ?? OF[0];
    const asked = { token, of: chosen, layer: one.layer };
    waiting(
      () => directionOf(store.state, asked),
      (vector) => then({ ...one, vector }),
    );
  };

  /**
   * Ask the server, and say what it refuses; what is typed meanwhile, or closing the dialog, gives up.
   * @template T
   * @param {() => Promise<T>} ask @param {(answer: T) => unknown} then
   */
  const waiting = async (ask, then) => {
    silence();
    const own = new AbortController();
    speaking = own;
    spoken.textContent = words.SPEAKING;
    try {
      const answer = await ask();
      if (own.signal.aborted) return;
      spoken.textContent = "";
      then(answer);
    } catch (error) {
      if (own.signal.aborted) return;
      spoken.textContent = "";
      say(error instanceof Error ? error.message : String(error));
    }
  };

  /** @returns {Intervention | string} what is wrong */
  const read = () => {
    const { state } = store;
    const token = tokenIn(state);
    const isOne = !where.hidden && need("[value=one]", HTMLInputElement, where).checked;
    /** @type {Intervention} */
    const one = {
      kind: chosenKind(),
      ...chosenPlace(),
      ...(state.texts.length > 1 ? { text: state.shown } : {}),
      ...(isOne && token ? { positions: [token.position] } : {}),
    };
    switch (givenOf(one.kind)) {
      case "factor": {
        const number = factorOf(factor.value);
        return number === null ? words.NO_NUMBER : { ...one, factor: number };
      }
      case "direction": {
        const number = factorOf(factor.value);
        if (number === null) return words.NO_NUMBER;
        const named = toward.disabled ? "" : toward.value;
        const [from, less] = [added.value, minus.value].map((text) => text.trim());
        if (named && (from || less)) return words.BOTH_DIRECTIONS;
        if (named) return { ...one, factor: number, token: named };
        if (!from) return words.NO_DIRECTION;
        return { ...one, factor: number, source: from, ...(less ? { minus: less } : {}) };
      }
      case "source":
        return source.value.trim() ? { ...one, source: source.value } : words.NO_SENTENCE;
      case "texts": {
        const given = texts.value.split("\n").filter((text) => text.trim());
        return given.length > 0 ? { ...one, texts: given } : words.NO_SENTENCE;
      }
      default:
        return one;
    }
  };

  store.watch(["models", "model"], (state) => {
    const { edited_at, edited_at_reason, lacks } = modelIn(state);
    const none = edited_at !== undefined && !edited_at?.length && modelIn(state).sites !== null;
    opener.disabled = none;
    opener.title = none ? words.notAtAll(edited_at_reason || lacks || "") : "";
  });
}

/** Where the selected head's layer can be changed. @param {Readonly<State>} state @returns {Place[]} */
function placesIn(state) {
  const { kind, layer, head } = state;
  const known = modelIn(state).edited_at ?? PLACES;
  const site = kind === "self" ? {} : { site: kind };
  const stack = kind === "self" || kind === "cross" ? {} : site;
  /** @type {Place[]} */
  const heads = [
    { at: "head", layer, head, ...site },
    { at: "head", layer, ...site },
  ];
  const others = PLACES.filter((at) => at !== "head").map((at) => ({ at, layer, ...stack }));
  return [...heads, ...others].filter(({ at }) => known.includes(at));
}

/** The selected token; null: none, or the answer is not there yet. @param {Readonly<State>} state */
function tokenIn(state) {
  const { row = null, queries = [] } = detailOf(state) ?? {};
  if (row === null || !queries[row]) return null;
  return { text: shorten(label(queries[row]), 16), position: row };
}
