// All settings of a mechanism, in groups; and the weights: a seed, or a file of one's own.

import { button, make } from "../../dom/dom.js";
import { scratchModel, settingsOf, withSettings } from "../../sources/scratch/settings.js";
import { rowOf } from "../../sources/scratch/table.js";
import { field, mechanismIn, reasons } from "./field.js";
import { weights } from "./weights.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").Settings} Settings */

const SEEDS = 1000; // a new one is short enough to be told to a class

/** @param {HTMLElement} root @param {Store} store */
export function settings(root, store) {
  /** @param {Partial<Settings>} changes */
  const set = (changes) => {
    const mechanism = mechanismIn(store.state);
    if (mechanism)
      store.update({
        scratch: withSettings(store.state.scratch, changes, mechanism),
        ...retexted(changes),
      });
  };
  const known = settingsOf(scratchModel(store.state.models) ?? { settings: null });
  const legends = [...new Set(known.map(({ name }) => rowOf(name).group))];
  const groups = legends.map((legend) => {
    const of = known.filter(({ name }) => rowOf(name).group === legend);
    const names = of.map(({ name }) => name);
    const fields = of.map((setting) => field(setting, set));
    const why = make("p", { class: "hint" });
    const box = make("fieldset", { class: "settings-group" }, [
      make("legend", { text: legend }),
      ...fields.map(({ root: one }) => one),
      why,
    ]);
    return { names, fields, why, box };
  });
  root.append(...groups.map(({ box }) => box));

  const last = groups[groups.length - 1];
  const reseed = () => set({ seed: another(store.state.scratch.seed ?? 0) });
  const fresh = button("New seed", reseed, { title: "Draw other weights" });
  last.fields[0].root.after(fresh, weights(store));

  store.watch(["scratch", "models", "problem", "model"], (state) => {
    const mechanism = mechanismIn(state);
    if (!mechanism) return;
    for (const { names, fields, why } of groups) {
      for (const one of fields) one.show(state, mechanism);
      why.textContent = reasons(names, mechanism);
    }
  });
}

/** Other tokens: no query is where it was. @param {Partial<Settings>} changes */
const retexted = (changes) => ("tokens" in changes ? { query: null } : {});

/** @param {number} seed */
function another(seed) {
  const drawn = Math.floor(Math.random() * (SEEDS - 1));
  return drawn >= seed ? drawn + 1 : drawn;
}
