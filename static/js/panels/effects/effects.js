// The mute effects: every head ranked by what the prediction loses or gains without it.

import { button, make, need } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { modelIn } from "../../state/choice.js";
import { label, shorten } from "../../words/format.js";
import { placeOf } from "../head/tables.js";
import { bar, extent, nameOf, nats, noneOf, ranked, sentence, signed } from "./ranked.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../types.d.ts").MuteEffect} MuteEffect */

/** @param {Store} store @param {() => void} again */
export function effects(store, again) {
  const panel = need("#effects-panel", HTMLElement);
  const words = make("p", { class: "summary" });
  words.setAttribute("role", "status");
  const retry = tryAgain(again);
  const axis = make("p", { class: "effects-axis" });
  const list = make("ol", { class: "effects" });
  const source = make("p", { class: "source" });
  panel.append(words, retry, axis, list, source);

  store.watch(["effects", "shown", "kind"], (state) => {
    const found = answerOf(state);
    axis.hidden = list.hidden = source.hidden = !found || noneOf(found.effects) !== "";
    retry.hidden = !state.effects?.problem?.retry;
    panel.setAttribute("aria-busy", String(state.effects?.status === "loading"));
    const most = found ? extent(found.effects) : 0;
    axis.replaceChildren(
      ...[`−${nats(most)}`, "0", `+${nats(most)} nats`].map((text) => make("span", { text })),
    );
    list.replaceChildren(
      ...(found ? ranked(found.effects) : []).map((effect) => row(effect, most, store)),
    );
    if (found) {
      source.textContent = `Change of ln p(“${found.text}”) ${found.where} with one head muted. To the left: the head helps.`;
    }
  });

  store.watch(["effects", "shown", "kind", "layer", "head", "model", "models"], (state) => {
    for (const line of list.querySelectorAll("button")) {
      const here = line.dataset.place === `${state.layer}.${state.head}`;
      if (here) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
    words.textContent = spoken(state);
  });
}

/** The effects for the current text and its sites. @param {Readonly<State>} state */
export function answerOf({ effects, shown, kind, models }) {
  const answer = effects?.answer?.trace;
  const text = Math.min(shown, (answer?.tokens.length ?? 1) - 1);
  const found = answer?.mute_effects?.[text];
  if (!answer || !found) return null;
  const read = (answer.target_tokens ?? answer.tokens)[text][found.position];
  const fills = modelIn({ model: answer.model, models }).predicts === "fill";
  return {
    ...found,
    effects: found.effects.filter((effect) => effect.kind === kind),
    text: shorten(label(found.token), 16),
    where: `${placeOf({ fills })} “${shorten(label(read), 16)}”`,
  };
}

/** The line above the list. @param {Readonly<State>} state */
function spoken(state) {
  const { lacks } = modelIn(state);
  if (lacks) return `Heads of this model cannot be muted: ${lacks}.`;
  const { status, problem } = state.effects ?? { status: "loading", problem: null };
  if (problem) return problem.message;
  if (status === "loading") return "Computing: the sentence runs once for every head …";
  const found = answerOf(state);
  if (!found) return "There are no numbers for this text.";
  const none = noneOf(found.effects);
  if (none) return none;
  const effect = found.effects.find(
    ({ layer, head }) => layer === state.layer && head === state.head,
  );
  return effect ? sentence(effect, found.token, found.text) : "";
}

/** @param {MuteEffect} effect @param {number} most @param {Store} store */
function row(effect, most, store) {
  const { layer, head, change, reason } = effect;
  const children = [make("span", { text: `L${layer} · H${head}` })];
  if (change === null) {
    children.push(make("span", { text: reason ?? "no number", class: "reason" }));
  } else {
    const { start, length } = bar(change, most);
    const drawn = make("span", { class: change < 0 ? "low" : "high" });
    drawn.style.setProperty("--start", String(start));
    drawn.style.setProperty("--length", String(length));
    children.push(make("span", { class: "track" }, [drawn]));
    children.push(make("span", { text: signed(change), class: "number" }));
  }
  const line = button("", () => store.update({ layer, head }), {}, children);
  line.dataset.place = `${layer}.${head}`;
  line.setAttribute(
    "aria-label",
    `${nameOf(effect)}: ${change === null ? reason : signed(change)}`,
  );
  return make("li", {}, [line]);
}
