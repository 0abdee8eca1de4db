// Mute effects painted over the thumbnails: the colour of a head shows what the watched token loses or gains without it.

import { make, need } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { answerOf } from "./effects.js";
import { brief, extent, nats, noneOf, shade, signed } from "./ranked.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */

/** The effects to paint: those of the heads in the grid, while their tab is open. @param {Readonly<State>} state */
function paintedIn(state) {
  const { right, effects, grid, kind } = state;
  if (right !== "effects" || effects?.status !== "ready") return null;
  const found = answerOf(state);
  if (!found || noneOf(found.effects) || grid?.trace.sites[0]?.kind !== kind) return null;
  return found;
}

/**
 * Paint the thumbnails, or remove the paint.
 * @param {HTMLElement} root
 * @param {Map<string, HTMLButtonElement>} cells by "layer.head"
 * @param {Readonly<State>} state
 * @returns {boolean} whether anything changed
 */
export function paintEffects(root, cells, state) {
  const found = paintedIn(state);
  if (!found && !root.classList.contains("painted")) return false;
  root.classList.toggle("painted", found !== null);
  const { diverging } = palette(state.scheme);
  const most = found ? extent(found.effects) : 0;
  const changes = new Map(
    found?.effects.map(({ layer, head, change }) => [`${layer}.${head}`, change]),
  );
  for (const [name, cell] of cells) {
    const change = changes.get(name);
    cell.querySelector(".effect")?.remove();
    delete cell.dataset.effect;
    if (change === undefined) continue;
    const colour = make("span", { class: "tint" });
    if (change === null) colour.hidden = true;
    else {
      const at = 4 * shade(change, most);
      colour.style.setProperty("--effect", `rgb(${diverging.slice(at, at + 3).join(" ")})`);
      cell.dataset.effect = `without it ${signed(change)} nats`;
    }
    cell.append(make("span", { class: "effect" }, [colour, make("b", { text: brief(change) })]));
  }
  return true;
}

/** The line under the heads that explains their colours. @param {Store} store */
export function effectLegend(store) {
  const words = make("span");
  const [least, most] = [make("span"), make("span")];
  const ramp = make("span", { class: "ramp" });
  const line = make("p", { class: "effect-legend" }, [
    words,
    make("span", { class: "scale" }, [least, ramp, most]),
  ]);
  line.id = "effect-legend";
  need("#grid", HTMLElement).after(line);
  store.watch(["effects", "right", "kind", "shown", "grid"], (state) => {
    const found = paintedIn(state);
    line.hidden = !found;
    if (!found) return;
    const size = nats(extent(found.effects));
    words.textContent = `Colours: how much ln p(“${found.text}”) ${found.where} changes when each head is muted in turn.`;
    least.textContent = `helps −${size}`;
    most.textContent = `+${size} hinders`;
  });
}
