// All settings of a mechanism, in groups; and the weights: a seed, or the reader's own file.

import { button, make } from "../../dom/dom.js";
import { scratchModel, settingsOf, withSettings } from "../../sources/scratch/settings.js";
import { rowOf } from "../../sources/scratch/table.js";
import { field, mechanismIn, reasons } from "./field.js";
import { weights } from "./weights.js";
import { NEW_SEED } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Settings } from "../../types.d.ts" */

const SEEDS = 1000; // a new seed is short enough to read out to a class

/** @param {HTMLElement} root @param {Store} store */
export function settings(root, store) {
  /** @param {Partial<Settings>} changes */
  const set = (changes) => {
    const mechanism = mechanismIn(store.state);
    if (mechanism)
      store.update({
        scratch: withSettings(store.state.scratch, changes, mechanism),
        ...("tokens" in changes ? { query: null } : {}), // other tokens: the selected one has moved
      });
  };
  const known = settingsOf(scratchModel(store.state.models) ?? { settings: null });
  const legends = [...new Set(known.map(({ name }) => rowOf(name).group))];
  const groups = legends.map((legend) => {
    const group = known.filter(({ name }) => rowOf(name).group === legend);
    const names = group.map(({ name }) => name);
    const fields = group.map((setting) => field(setting, set));
    const why = make("p", { class: "hint" }); // why some of them have no effect
    const box = make("fieldset", { class: "settings-group" }, [
      make("legend", { text: legend }),
      ...fields.map((one) => one.root),
      why,
    ]);
    return { names, fields, why, box };
  });
  root.append(...groups.map(({ box }) => box));

  const last = groups.at(-1);
  if (!last) return; // a page without this model
  const reseed = () => set({ seed: otherThan(store.state.scratch.seed ?? 0) });
  const newSeed = button(NEW_SEED.text, reseed, { title: NEW_SEED.title });
  last.fields[0].root.after(newSeed, weights(store));

  store.watch(["scratch", "models", "problem", "model"], (state) => {
    const mechanism = mechanismIn(state);
    if (!mechanism) return;
    for (const { names, fields, why } of groups) {
      for (const one of fields) one.show(state, mechanism);
      why.textContent = reasons(names, mechanism);
    }
  });
}

/** @param {number} seed */
function otherThan(seed) {
  const drawn = Math.floor(Math.random() * (SEEDS - 1));
  return drawn >= seed ? drawn + 1 : drawn;
}
