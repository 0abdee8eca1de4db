// Mute effects painted over the thumbnails: the colour of a head shows what the watched token loses or gains without it.

import { make } from "../../dom/dom.js";
import { answerOf } from "./effects.js";
import { brief, extent, hasNumber, moved } from "./ranked.js";
import { helps, hurts, legend, noneInWords, told, withoutHead } from "./words.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */

/** The effects to paint: those of the heads in the grid, while their tab is open. @param {Readonly<State>} state */
function paintedIn(state) {
  const { right, effects, grid, kind } = state;
  if (right !== "effects" || effects?.status !== "ready") return null;
  const answer = answerOf(state);
  if (!answer || noneInWords(answer.effects) || grid?.trace.sites[0]?.kind !== kind) return null;
  return answer;
}

/**
 * Paint the thumbnails, or remove the paint.
 * @param {HTMLElement} root
 * @param {Map<string, HTMLButtonElement>} cells by "layer.head"
 * @param {Readonly<State>} state
 * @returns {boolean} whether anything changed
 */
export function paintEffects(root, cells, state) {
  const painted = paintedIn(state);
  if (!painted && !root.classList.contains("painted")) return false;
  root.classList.toggle("painted", painted !== null);
  const max = painted ? extent(painted.effects) : 0;
  const effects = new Map(
    painted?.effects.map((effect) => [`${effect.layer}.${effect.head}`, effect]),
  );
  for (const [name, cell] of cells) {
    const effect = effects.get(name);
    cell.querySelector(".effect")?.remove();
    delete cell.dataset.effect;
    if (!effect) continue;
    const colour = make("span", { class: "tint" });
    const change = hasNumber(effect) ? moved(effect) : null;
    if (!hasNumber(effect) || change === null) colour.hidden = true;
    else {
      colour.classList.add(told(effect).does);
      colour.style.setProperty("--strength", String(max > 0 ? Math.abs(change) / max : 0));
      cell.dataset.effect = withoutHead(effect);
    }
    cell.append(make("span", { class: "effect" }, [colour, make("b", { text: brief(change) })]));
  }
  return true;
}

/** The line that explains the colours of the heads. @param {Store} store */
export function effectLegend(store) {
  const words = make("span");
  const [low, high] = [make("span"), make("span")];
  const ramp = make("span", { class: "ramp" });
  const line = make("p", { class: "effect-legend" }, [
    words,
    make("span", { class: "scale" }, [low, ramp, high]),
  ]);
  line.id = "effect-legend";
  store.watch(["effects", "right", "kind", "shown", "grid"], (state) => {
    const painted = paintedIn(state);
    line.hidden = !painted;
    if (!painted) return;
    const size = extent(painted.effects);
    words.textContent = legend(painted.watched);
    low.textContent = helps(size);
    high.textContent = hurts(size);
  });
  return line;
}
