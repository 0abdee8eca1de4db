// The sizes of two mechanisms that are compared, and buttons that give B a width with which one of them equals that of A.

import { button, make, write } from "../../dom/dom.js";
import { fitted, sizesOf } from "../../sources/scratch/kept.js";
import {
  mechanismOf,
  resolved,
  scratchModel,
  withSettings,
} from "../../sources/scratch/settings.js";
import { SIZES } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @typedef {import("../../sources/scratch/kept.js").Measure} Measure */

/** @param {Store} store @returns {HTMLElement} */
export function sizes(store) {
  const said = make("span");
  const buttons = /** @type {Measure[]} */ (["parameters", "cache"]).map((measure) => ({
    measure,
    root: button(
      SIZES.buttons[measure],
      () => {
        const next = equalled(store.state, measure);
        if (next) store.update({ scratch: next });
      },
      { class: "quiet", title: SIZES.about[measure] },
    ),
  }));
  const root = make("p", { class: "compare-sizes" }, [said, ...buttons.map((one) => one.root)]);
  root.dataset.only = "full";
  store.watch(["view", "against", "model", "models", "scratch", "masks"], (state) => {
    const found = bothIn(state);
    root.hidden = !found;
    if (!found) return;
    write(said, SIZES.both(found.a.sizes, found.b.sizes, found.write));
    for (const { measure, root: one } of buttons) one.hidden = equalled(state, measure) === null;
  });
  return root;
}

/** Both sides, if both are mechanisms. One that looks ahead keeps nothing, so both are told without a cache then. @param {Readonly<State>} state */
function bothIn({ view, against, model, models, scratch, masks }) {
  const source = scratchModel(models);
  if (view !== "compare" || !source || against?.model !== source.name || model !== source.name)
    return null;
  const [a, b] = [against, { scratch, masks }].map((side) => {
    const { scratch: settings } = side;
    const mechanism = mechanismOf(source, settings);
    if (!mechanism) return null;
    const ran = resolved(settings, mechanism);
    const writes = (side.masks.causal ?? mechanism.causal) && !mechanism.cross;
    return { settings, mechanism, ran, writes, sizes: sizesOf(ran, mechanism) };
  });
  return a && b ? { a, b, write: a.writes && b.writes } : null;
}

/** The settings with which B comes nearest to A; null if it does not come nearer. @param {Readonly<State>} state @param {Measure} measure */
function equalled(state, measure) {
  const found = bothIn(state);
  const size = found?.a.sizes[measure] ?? null;
  if (!found || size === null || found.b.sizes[measure] === size) return null;
  if (measure === "cache" && !found.write) return null;
  const { settings, mechanism, ran } = found.b;
  const width = fitted(ran, mechanism, measure, size);
  const isOther =
    width &&
    Object.entries(width).some(([name, value]) => ran[/** @type {"d_head"} */ (name)] !== value);
  return isOther ? withSettings(settings, width, mechanism) : null;
}
