// The mute effects: every head ranked by what the prediction loses or gains without it.

import { everyMute, tellsOfMutes } from "../../asking/requests.js";
import { busyWith } from "../../dom/busy.js";
import { button, make, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { strongestLook } from "../../numbers/between.js";
import { placeOf, toldSince } from "../../numbers/explain/forecast.js";
import { mutesIn } from "../../numbers/mutes.js";
import { modelIn, readsInPlace } from "../../state/choice.js";
import { label, percent, quoteAt, shorten } from "../../words/format.js";
import { cannotMute, shortName } from "../../words/heads.js";
import { paint } from "./paint.js";
import { bar, extent, hasNumber, moved, nats, ranked, withProbabilities } from "./ranked.js";
import { save } from "./save.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Effect } from "./ranked.js" */

/** @param {HTMLElement} panel @param {Store} store @param {() => void} retry */
export function effects(panel, store, retry) {
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const again = tryAgain(retry);
  const middle = make("span", { title: words.COLUMNS.before });
  const axis = make("p", { class: "effects-axis" }, [
    make("span", { text: words.COLUMNS.head }),
    make("span", words.COLUMNS.looks),
    middle,
    make("span", words.COLUMNS.after),
    make("span", words.COLUMNS.nats),
  ]);
  const list = make("ol", { class: "effects" });
  const source = make("p", { class: "source" });
  const some = make("p", { class: "effects-some" });
  const how = make("p", { class: "effects-some" });
  const every = button("", () => {
    const { state } = store;
    store.update({ searched: JSON.stringify(everyMute(state, modelIn(state))) });
  });
  panel.append(summary, again, some, axis, list, every, how, source);

  busyWith(panel, store, ["effects"]);
  store.watch(["effects", "shown", "kind", "grid", "muting"], (state) => {
    const answer = answerOf(state);
    const rows = answer ? ranked(answer.effects) : [];
    const max = extent(rows);
    axis.hidden = list.hidden = source.hidden = !answer || words.noneInWords(rows) !== "";
    again.hidden = !state.effects?.problem?.retry;
    const focused = list.querySelector("button:focus")?.getAttribute("data-place");
    list.replaceChildren(...rows.map((effect) => row(effect, max, store, looksAt(state, effect))));
    const same = focused && list.querySelector(`[data-place="${focused}"]`);
    if (same instanceof HTMLElement) same.focus({ preventScroll: true }); // the keyboard stays where it was
    const nMeasured = rows.filter(
      ({ change, isEstimate }) => change !== null && !isEstimate,
    ).length;
    some.hidden = every.hidden = how.hidden = !rows.some(({ isEstimate }) => isEstimate);
    if (modelIn(state).recorded) every.hidden = true; // nobody can mute more
    if (!answer) return;
    write(some, words.estimatedInWords({ measured: nMeasured, all: rows.length }));
    write(how, words.howInWords({ measured: nMeasured, agreement: answer.agreement ?? null }));
    every.textContent = words.muteAll(rows.length);
    middle.textContent = percent(answer.token.probability);
    write(source, words.source(answer.watched));
  });

  store.watch(
    ["effects", "shown", "kind", "layer", "head", "model", "models", "muting"],
    (state) => {
      for (const line of list.querySelectorAll("button")) {
        const selected = line.dataset.place === `${state.layer}.${state.head}`;
        if (selected) line.setAttribute("aria-current", "true");
        else line.removeAttribute("aria-current");
      }
      write(summary, summaryOf(state));
    },
  );
}

/** The effects for the current text and its sites. @param {Readonly<State>} state */
export function answerOf(state) {
  const { effects, shown, kind, models } = state;
  const trace = effects?.answer?.trace;
  const text = Math.min(shown, (trace?.tokens.length ?? 1) - 1);
  const answer = mutesIn(trace, text);
  if (!trace || !answer) return null;
  const tokens = (trace.target_tokens ?? trace.tokens)[text];
  return {
    ...answer,
    effects: withProbabilities(answer)
      .filter((effect) => effect.kind === kind)
      .map(measured(toldSince(state, answer))),
    watched: {
      token: shorten(label(answer.token), 16),
      fills: readsInPlace(modelIn({ model: trace.model, models })),
      read: quoteAt(tokens.map(label), answer.position),
    },
  };
}

/** The line above the list. @param {Readonly<State>} state */
function summaryOf(state) {
  const model = modelIn(state);
  if (!tellsOfMutes(model)) return cannotMute(model.lacks ?? "");
  const { status, problem } = state.effects ?? { status: "loading", problem: null };
  if (problem) return problem.message;
  if (status === "loading") return words.COMPUTING;
  const answer = answerOf(state);
  if (!answer) return words.NO_NUMBERS;
  const none = words.noneInWords(answer.effects);
  if (none) return none;
  const effect = answer.effects.find(
    ({ layer, head }) => layer === state.layer && head === state.head,
  );
  return effect ? words.effectInWords(effect, answer.watched.token) : "";
}

/** An effect that was only estimated, as the mute of its head told it since. @param {ReadonlyMap<string, number>} told @returns {(effect: Effect) => Effect} */
const measured = (told) => (effect) => {
  const after = effect.isEstimate ? told.get(placeOf(effect)) : undefined;
  if (after === undefined) return effect;
  return { ...effect, after, change: Math.log(after / effect.before), isEstimate: false };
};

/** Where a head looks from the token that is predicted at; "" where the page does not know. @param {Readonly<State>} state @param {Effect} effect */
function looksAt(state, { layer, head }) {
  const { grid, effects, shown } = state;
  const answer = mutesIn(effects?.answer?.trace, shown);
  const isSame = grid?.trace.tokens[shown]?.length === effects?.answer?.trace.tokens[shown]?.length;
  if (!grid || !answer || !isSame) return "";
  const found = strongestLook(grid, { shown, layer, head }, answer.position);
  return found ? words.look({ token: shorten(label(found.token), 9), share: found.weight }) : "";
}

/** @param {Effect} effect @param {number} max the value of a bar of full length @param {Store} store @param {string} looks */
function row(effect, max, store, looks) {
  const { layer, head, reason } = effect;
  const children = [make("span", { text: shortName(effect) })];
  if (!hasNumber(effect)) {
    children.push(make("span", { text: reason ?? words.NO_NUMBER, class: "reason" }));
  } else {
    const { does, to } = words.told(effect);
    children.push(make("span", { text: looks, class: "looks", verbatim: true }));
    const { start, length } = bar(moved(effect), max);
    const drawn = make("span", { class: "drawn" });
    drawn.style.setProperty("--start", String(start));
    drawn.style.setProperty("--length", String(length));
    const role = make("span", { text: words.ROLES[does], class: "role" });
    children.push(
      make("span", { class: `track ${does}${effect.isEstimate ? " estimated" : ""}` }, [
        drawn,
        role,
      ]),
      make("span", { text: words.marked(effect, to), class: "number" }),
      make("span", { text: nats(effect.change), class: "number nats" }),
    );
  }
  const line = button("", () => store.update({ layer, head }), {}, children);
  line.dataset.place = `${layer}.${head}`;
  const name = words.lineLabel(effect);
  line.setAttribute("aria-label", hasNumber(effect) ? words.withLook(name, looks) : name);
  return make("li", {}, [line]);
}

/** @type {import("../panel.js").Part["make"]} */
const made = (root, store, { retry }) => effects(root, store, retry);

export { made as make, paint, save };
