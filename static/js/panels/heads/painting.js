// The numbers of the open panel painted over the thumbnails: a colour and a number for each head, and the line that explains them.

import { make, write } from "../../dom/dom.js";
import { modelIn } from "../../state/choice.js";
import { openPanel, PANEL_NAMES } from "../../state/panels.js";
import { PANELS } from "../panels.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const PAINTING = PANEL_NAMES.filter((name) => PANELS[name].paints);

/** What a painting depends on. */
export const PAINTED_FROM = /** @type {(keyof State)[]} */ ([
  ...PAINTING.flatMap((name) => Object.keys(PANELS[name].questions)),
  "right",
  "kind",
  "depth",
  "quiz",
  "came",
]);

/** What the open panel paints, if the grid shows the heads that it is about. @param {Readonly<State>} state */
function paintingIn(state) {
  if (state.grid?.trace.sites[0]?.kind !== state.kind) return null;
  const { part } = PANELS[openPanel(state.right, modelIn(state))];
  return part.there?.paint?.(state) ?? null;
}

/**
 * Paint the thumbnails, or remove the paint.
 * @param {HTMLElement} root
 * @param {Map<string, HTMLButtonElement>} cells by "layer.head"
 * @param {Readonly<State>} state
 * @returns {boolean} whether anything changed
 */
export function paintHeads(root, cells, state) {
  const painting = paintingIn(state);
  if (!painting && !root.classList.contains("painted")) return false;
  root.classList.toggle("painted", painting !== null);
  for (const [name, cell] of cells) {
    const paint = painting?.heads.get(name);
    cell.querySelector(".effect")?.remove();
    delete cell.dataset.effect;
    if (!paint) continue;
    const { tint, strength, text, words } = paint;
    const colour = make("span", { class: "tint" });
    colour.hidden = tint === null;
    if (tint) {
      colour.classList.add(tint);
      colour.style.setProperty("--strength", String(strength));
    }
    if (words) cell.dataset.effect = words;
    cell.append(make("span", { class: "effect" }, [colour, make("b", { text })]));
  }
  return true;
}

/** The line that explains the colours of the heads. @param {Store} store */
export function paintLegend(store) {
  const words = make("span");
  const [low, high] = [make("span"), make("span")];
  const ramp = make("span", { class: "ramp" });
  const line = make("p", { class: "effect-legend" }, [
    words,
    make("span", { class: "scale" }, [low, ramp, high]),
  ]);
  line.id = "effect-legend";
  store.watch([...PAINTED_FROM, "shown", "grid"], (state) => {
    const painting = paintingIn(state);
    line.hidden = !painting;
    if (!painting) return;
    const { legend } = painting;
    write(words, legend.words);
    low.textContent = legend.low;
    high.textContent = legend.high;
    ramp.classList.toggle("one-sided", Boolean(legend.isOneSided));
  });
  return line;
}
